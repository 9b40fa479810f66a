"""What is written to suppress findings: in comments, in annotations and in the settings."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from qoslint.engine.selection import RuleException
from qoslint.engine.sight import Sight
from qoslint.engine.suppressions import InLines, Named, OfObject, PlacedSuppression
from qoslint.finding import Location, ObjectId, Part, Place
from qoslint.model.judged import JudgedCluster
from qoslint.model.objects import KubeObject, shortened, text_map
from qoslint.model.suppression import (
    IGNORE,
    MARK,
    Form,
    Suppression,
    in_annotation,
    in_comment,
    is_ignore,
)
from qoslint.source.comments import Comment, comments, template_comments
from qoslint.source.document import Document, Wanted, YamlError
from qoslint.span import START, Path, value_at

_OF_TEMPLATE = re.compile(r"\{\{-?\s?/\*")


def written_suppressions(
    seen: Sight, exceptions: Sequence[RuleException], settings: str
) -> Iterator[PlacedSuppression]:
    """All that is written; `settings` is the file that the exceptions stand in."""
    files = {file: _read(text) for file, text in seen.texts.items()}
    yield from _in_files(files, seen.seen)
    yield from _in_rendered(seen.rendered, files, seen.seen)
    yield from annotation_suppressions(seen.clusters, seen.has_all_of)
    yield from exception_suppressions(exceptions, settings, seen.has_seen)


def exception_suppressions(
    exceptions: Iterable[RuleException], settings: str, has_seen: Callable[[str], bool]
) -> Iterator[PlacedSuppression]:
    """What the exceptions of a file of settings say; `has_seen` tells it of a pattern."""
    for index, each in enumerate(exceptions):
        until = each.expires.isoformat() if each.expires else ""
        yield PlacedSuppression(
            Form.EXCEPTION,
            Suppression(each.rule, each.reason, until),
            Named(each.object, each.container),
            Place(ObjectId(settings, 0, ()), ("rules", "exceptions", index)),
            settings,
            has_seen(each.object),
        )


class _Read(NamedTuple):
    """The comments of a text that say something to qoslint, and whether it is a template."""

    comments: Sequence[Comment]
    is_template: bool


def _read(text: str) -> _Read:
    if _OF_TEMPLATE.search(text) is None:
        with contextlib.suppress(YamlError):
            return _Read(tuple(comments(text, MARK)), "{{" in text)
    return _Read(tuple(template_comments(text, MARK)), is_template=True)


def _in_files(files: Mapping[str, _Read], seen: Container[str]) -> Iterator[PlacedSuppression]:
    """What comments say in files; `seen` are those of which all that they deploy was checked."""
    for file, read in files.items():
        for comment in read.comments:
            scope = InLines(file, comment.first, comment.last)
            at = Location(file, comment.span)
            for suppression in in_comment(comment.text):
                # Which lines of a template are rendered is told by the rendered text alone.
                told = file in seen and not read.is_template
                yield PlacedSuppression(Form.COMMENT, suppression, scope, at, file, told)


def _in_rendered(
    documents: Iterable[Document], files: Mapping[str, _Read], seen: Container[str]
) -> Iterator[PlacedSuppression]:
    """What comments say in rendered texts, each written where its template has the same words."""
    by_words: dict[tuple[str, str], Location] = {}
    for file, read in files.items():
        for comment in read.comments:
            by_words.setdefault((file, comment.text), Location(file, comment.span))
    first = {document.source.id: document for document in reversed([*documents])}
    for source_id, document in first.items():
        rendered = document.source.rendered
        assert rendered is not None, "only what was rendered is asked for"
        file = rendered.origin.likely(Wanted(document, (), Part.KEY)).file
        for comment in _read(document.source.text).comments:
            unknown = Location(file, START, exact=False)
            at = by_words.get((file, comment.text), unknown)
            scope = InLines(source_id, comment.first, comment.last)
            told = at is not unknown and file in seen
            for suppression in in_comment(comment.text):
                yield PlacedSuppression(Form.COMMENT, suppression, scope, at, file, told)


def annotation_suppressions(
    clusters: Iterable[JudgedCluster], has_all_of: Callable[[KubeObject], bool]
) -> Iterator[PlacedSuppression]:
    """What annotations say, of objects and of the pods that they make.

    `has_all_of` tells whether all was seen that an object is made of.
    """
    found: dict[ObjectId, None] = {}
    for judged in clusters:
        metadata: dict[ObjectId, list[Path]] = {}
        for admitted in judged.admitted:
            workload = admitted.workload
            if workload.metadata not in (None, ("metadata",)):
                metadata.setdefault(workload.object.id, []).append(workload.metadata or ())
        for obj in judged.cluster.objects:
            if obj.id not in found:
                found[obj.id] = None
                name = shortened(f"{obj.kind} {judged.cluster.qualified_name(obj)}")
                for path in (("metadata",), *metadata.get(obj.id, ())):
                    yield from _annotations(obj, path, name, has_all_of)


def _annotations(
    obj: KubeObject, metadata: Path, name: str, has_all_of: Callable[[KubeObject], bool]
) -> Iterator[PlacedSuppression]:
    for key, value in text_map(value_at(obj.data, (*metadata, "annotations"))).items():
        if is_ignore(key):
            container = key[len(IGNORE) + 1 :] or None
            scope = OfObject(obj.id, container)
            at = obj.at((*metadata, "annotations", key))
            for suppression in in_annotation(value):
                yield PlacedSuppression(
                    Form.ANNOTATION, suppression, scope, at, name, has_all_of(obj)
                )
