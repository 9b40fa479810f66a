"""What a run has seen, by which it is known what a suppression accepts, and whether it is used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from qoslint.engine.suppressions import qualified
from qoslint.model.effective import Admitted
from qoslint.model.judged import JudgedCluster
from qoslint.model.objects import KubeObject, shortened
from qoslint.model.summary import UNKNOWN, became
from qoslint.model.suppression import MARK
from qoslint.render.discovery import Discovery
from qoslint.render.plain import Why
from qoslint.source.document import Document
from qoslint.source.paths import Paths
from qoslint.source.places import Documents


class Sight(NamedTuple):
    """What a run has seen, and what of it says something about findings."""

    documents: Documents
    clusters: Sequence[JudgedCluster]
    rendered: tuple[Document, ...]
    """Documents of rendered texts with comments that may be meant for qoslint."""
    texts: Mapping[str, str]
    """By file such texts as they are written."""
    seen: frozenset[str]
    """The files of which all that they deploy was checked."""
    everything: bool
    """Whether all files that there are were understood, and rendered."""
    doubtful: frozenset[str]
    """The pods of which too little is known, as `namespace/Kind/name`."""

    @property
    def commented(self) -> frozenset[str]:
        """The texts that hold such comments, by file and by the id of a rendered source."""
        return frozenset([*self.texts, *(document.source.id for document in self.rendered)])

    @property
    def owners(self) -> frozenset[str]:
        """What is surely all seen: files, and objects as people name them."""
        labels = (
            shortened(f"{thing.kind} {judged.cluster.qualified_name(thing)}")
            for judged in self.clusters
            for thing in judged.cluster.objects
            if self.has_all_of(thing)
        )
        return self.seen.union(labels)

    def has_all_of(self, thing: KubeObject) -> bool:
        """Whether all was seen that an object is made of."""
        rendered = thing.document.source.rendered
        files = rendered.inputs if rendered else (thing.file,)
        return self.seen.issuperset(files)

    def has_seen(self, pattern: str) -> bool:
        """Whether it is known all that a pattern of objects fits."""
        if "*" in pattern:
            return self.everything and not self.doubtful
        return self.everything and pattern not in self.doubtful


def sight(
    documents: Documents,
    asked: Discovery,
    clusters: Sequence[JudgedCluster],
    unjudged: Iterable[str],
    paths: Iterable[str],
    read: Callable[[str], str | None],
) -> Sight:
    """What a run on the paths has seen; `read` gives the text of a file, None if it has none."""
    sources = {
        item.source.id: item.source
        for items in (asked.documents, asked.values, asked.broken, asked.passed)
        for item in items
    }
    plain = {each.path: each.text for each in sources.values() if each.rendered is None}
    inputs = {file for each in sources.values() if each.rendered for file in each.rendered.inputs}
    texts = {
        file: text
        for file in sorted({*plain, *inputs, *_of_charts(asked)})
        if (text := plain[file] if file in plain else read(file)) is not None and MARK in text
    }
    rendered = (
        document
        for document in asked.documents
        if document.source.rendered is not None and MARK in document.source.text
    )
    lost = {*unjudged, *_lost(asked)}
    doubtful = [
        each
        for judged in clusters
        for each in judged.admitted
        if became(each) == UNKNOWN or each.workload.partial
    ]
    named = Paths.of(paths)
    files = {*plain, *inputs} - lost - {*_files(doubtful)}
    return Sight(
        documents,
        clusters,
        tuple(rendered),
        texts,
        # What else a file that is named alone goes with was not looked at.
        frozenset(filter(named.hold_around, files)),
        everything=not lost and not named.named.isdisjoint((".", "")),
        doubtful=frozenset(qualified(each.label) for each in doubtful),
    )


def _of_charts(asked: Discovery) -> Iterator[str]:
    """The files of charts: what is wrong in one is wrong whether or not the chart is rendered."""
    yield from asked.skipped.get(Why.VALUES, ())
    yield from asked.not_understood.get(Why.CHART_TEMPLATE, ())


def _lost(asked: Discovery) -> Iterator[str]:
    """The files of what was not understood, or not rendered."""
    for item in asked.broken:
        yield item.source.path
        yield from item.source.rendered.inputs if item.source.rendered else ()
    for files in asked.not_understood.values():
        yield from files
    for target in asked.unrendered:
        yield from target.files


def _files(workloads: Iterable[Admitted]) -> Iterator[str]:
    for each in workloads:
        source = each.workload.object.document.source
        yield source.path
        yield from source.rendered.inputs if source.rendered else ()
