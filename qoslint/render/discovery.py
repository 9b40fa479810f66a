"""The record of a discovery: what the files hold, and what became of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from qoslint.finding import Notice
from qoslint.render.kustomization import References
from qoslint.render.others import unsupported
from qoslint.render.patches import Patched
from qoslint.render.plain import Reading, Why, holds_any, kind_of
from qoslint.source.document import Broken, Document, Passed, lies_under
from qoslint.source.paths import Paths
from qoslint.source.tree import Skip

if TYPE_CHECKING:
    from qoslint.render.target import Missing, Outcome

NOTHING_NAMED = References()

# Of Argo CD and of Flux. A kustomization of Kustomize itself is told by its file.
DEPLOYING_KINDS = frozenset(
    {"Application", "ApplicationSet", "FluxInstance", "HelmRelease", "Kustomization"}
)

# Charts and kustomizations have notices of their own, a text that does not parse a finding.
_TOLD_OTHERWISE = frozenset({Why.CHART_TEMPLATE, Why.KUSTOMIZATION, Why.PATCH, Why.BROKEN})

_SHOWN = 3

_Item = TypeVar("_Item", Document, Broken, Passed)


class Unrendered(NamedTuple):
    """A target that is not rendered."""

    name: str
    files: tuple[str, ...]
    """Those that it concerns; the last one is where it is told."""
    reason: Why


class Done(NamedTuple):
    """What was rendered, what else is asked for and is not, and what was assumed."""

    outcomes: tuple[Outcome, ...] = ()
    missing: tuple[Missing, ...] = ()
    failures: tuple[Broken, ...] = ()
    """What is missing, as something that cannot be read."""
    notices: tuple[Notice, ...] = ()
    values: tuple[Document, ...] = ()
    """What is stated of the values of charts that are missing."""


NOTHING_DONE = Done()


class Discovery(NamedTuple):
    """What the files hold. Each file is read, skipped or not understood, never two of them.

    Read: its documents were parsed, or passed over for a kind that cannot hold pods. Skipped: no
    input by its nature. Not understood: it should have been read and was not, or not wholly; those
    of its documents that parse count all the same. The reasons are worded to be printed behind a
    number of files.
    """

    documents: tuple[Document, ...]
    broken: tuple[Broken, ...]
    passed: tuple[Passed, ...]
    read: tuple[str, ...]
    skipped: Mapping[str, tuple[str, ...]]
    not_understood: Mapping[str, tuple[str, ...]]
    charts: tuple[str, ...] = ()
    """The folders of charts, "." for the root."""
    kustomizations: tuple[str, ...] = ()
    """The folders of kustomizations, "." for the root."""
    kustomized: frozenset[str] = frozenset()
    """Files that kustomizations name as resources: what they hold may be changed before it is
    applied."""
    renamed: frozenset[str] = frozenset()
    """Those of them whose objects get other names."""
    patched: frozenset[Patched] = frozenset()
    """The objects in them whose resources a patch changes."""
    namespaces: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """By file those that kustomizations put its objects into."""
    rendered: tuple[tuple[str, ...], ...] = ()
    """By chart, kustomization or GitOps object that is rendered the files that it concerns."""
    unrendered: tuple[Unrendered, ...] = ()
    """Those that are not."""
    assumed: tuple[Notice, ...] = ()
    """What rendering had to assume."""
    values: tuple[Document, ...] = ()
    """What is stated of the values of charts that are not in the repository."""

    def under(self, paths: Iterable[str]) -> Discovery:
        """The part of it that the files and folders hold."""
        asked = Paths.of(paths)

        def inside(reasons: Mapping[str, tuple[str, ...]]) -> Mapping[str, tuple[str, ...]]:
            kept = {reason: tuple(filter(asked.hold, files)) for reason, files in reasons.items()}
            return {reason: files for reason, files in kept.items() if files}

        def of_files(items: Iterable[_Item]) -> tuple[_Item, ...]:
            return tuple(item for item in items if lies_under(item.source, asked))

        return self._replace(
            documents=of_files(self.documents),
            broken=of_files(self.broken),
            passed=of_files(self.passed),
            read=tuple(filter(asked.hold, self.read)),
            skipped=inside(self.skipped),
            not_understood=inside(self.not_understood),
            charts=tuple(filter(asked.hold, self.charts)),
            kustomizations=tuple(filter(asked.hold, self.kustomizations)),
            rendered=tuple(files for files in self.rendered if any(map(asked.hold, files))),
            unrendered=tuple(each for each in self.unrendered if any(map(asked.hold, each.files))),
            values=of_files(self.values),
        )

    @property
    def targets(self) -> int:
        """How many charts, kustomizations and GitOps objects there are to render."""
        return len(self.rendered) + len(self.unrendered)

    @property
    def files(self) -> int:
        """How many files there are."""
        return len(self._paths)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What was not rendered, so that it says less than it means."""
        return (*self.assumed, *_lost(self), *unsupported(self._paths))

    @property
    def _paths(self) -> Sequence[str]:
        others = (*self.skipped.values(), *self.not_understood.values())
        return [*self.read, *(path for paths in others for path in paths)]


def deploys(reading: Reading) -> bool:
    """Whether a file holds an object that names a chart or a folder to deploy."""
    return holds_any(reading, DEPLOYING_KINDS)


def file_all(
    readings: Iterable[tuple[str, Reading]],
    done: Done = NOTHING_DONE,
    *,
    charts: Iterable[str] = (),
    kustomizations: Iterable[str] = (),
    named: References = NOTHING_NAMED,
    patched: frozenset[Patched] = frozenset(),
    namespaces: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
) -> Discovery:
    """The discovery of files that were read, each with its path, and of what was rendered."""
    readings = list(readings)
    held = [
        *(reading for _, reading in readings),
        *(reading for outcome in done.outcomes for reading in outcome.readings),
    ]
    failed = [outcome for outcome in done.outcomes if outcome.failures]
    failures = (*(each for outcome in failed for each in outcome.failures), *done.failures)
    return Discovery(
        documents=tuple(each for reading in held for each in reading.documents),
        broken=(*(each for reading in held for each in reading.broken), *failures),
        passed=tuple(each for reading in held for each in reading.passed),
        read=tuple(path for path, reading in readings if reading.reason is None),
        skipped=_by_reason(item for item in readings if item[1].is_understood),
        not_understood=_by_reason(item for item in readings if not item[1].is_understood),
        charts=tuple(sorted(folder or "." for folder in charts)),
        kustomizations=tuple(sorted(folder or "." for folder in kustomizations)),
        kustomized=named.applied,
        renamed=named.renamed,
        patched=patched,
        namespaces=namespaces,
        rendered=tuple(
            (each.target.file, *each.inputs) for each in done.outcomes if not each.failures
        ),
        unrendered=(
            *(Unrendered(each.target.name, (each.target.file,), _why(each)) for each in failed),
            *(Unrendered(each.name, each.files, each.why) for each in done.missing),
        ),
        assumed=(*done.notices, *_encrypted(done.outcomes)),
        values=done.values,
    )


def _why(outcome: Outcome) -> Why:
    """An error in it counts more than what it takes from elsewhere."""
    reasons = {failure.reason for failure in outcome.failures}
    return Why.REMOTE if reasons == {Why.REMOTE} else Why.UNRENDERED


def _encrypted(outcomes: Iterable[Outcome]) -> Iterator[Notice]:
    for outcome in outcomes:
        encrypted = any(reading.reason is Skip.SOPS for reading in outcome.readings)
        # Of files that are deployed as they are it is told.
        if encrypted and not outcome.unread:
            name, file, line = outcome.target.name, outcome.target.file, outcome.target.line
            yield Notice(f"{name} has objects {Skip.SOPS}, which are not checked.", file, line)


def _by_reason(readings: Iterable[tuple[str, Reading]]) -> Mapping[str, tuple[str, ...]]:
    grouped: dict[str, list[str]] = {}
    for path, reading in readings:
        if reading.reason is not None:
            grouped.setdefault(str(reading.reason), []).append(path)
    return {reason: tuple(paths) for reason, paths in sorted(grouped.items())}


def _lost(discovery: Discovery) -> Iterator[Notice]:
    for why in dict.fromkeys(each.reason for each in discovery.unrendered):
        found = [each for each in discovery.unrendered if each.reason is why]
        names = list(dict.fromkeys(each.name for each in found))
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        code = "QOS902" if why is Why.REMOTE else "QOS901"
        yield Notice(
            f"{len(found)} of {_counted(discovery.targets, 'target')} went unchecked {why} "
            f"({code}): {', '.join(names[:_SHOWN])}{more}.",
            found[0].files[-1],
        )
    templates = discovery.not_understood.get(Why.CHART_TEMPLATE, ())
    if templates:
        yield Notice(
            f"{_counted(len(templates), 'template')} of {_counted(len(discovery.charts), 'chart')} "
            "went unread, for what is not rendered says nothing.",
            templates[0],
            unread=len(templates),
        )
    if discovery.kustomizations:
        number = _counted(len(discovery.kustomizations), "kustomization")
        yield Notice(
            f"Nothing that was built includes {number}, so that files there were read as they are, "
            "without patches, namespaces, components and generators.",
            discovery.kustomizations[0],
        )
    if not discovery.targets:
        yield from _undeployed(discovery.documents)
    for reason, files in discovery.not_understood.items():
        if reason not in _TOLD_OTHERWISE:
            yield Notice(
                f"Not understood: {_counted(len(files), 'file')} {reason}.",
                files[0],
                unread=len(files),
            )


def _undeployed(documents: Iterable[Document]) -> Iterator[Notice]:
    """Where nothing is rendered, what objects would deploy."""
    found = [item for item in documents if kind_of(item.data) in DEPLOYING_KINDS]
    if found:
        kinds = Counter(kind_of(item.data) for item in found)
        listed = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        path = found[0].source.path
        yield Notice(f"What GitOps objects deploy is not rendered: {listed}.", path)


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
