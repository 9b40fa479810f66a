"""The scalars of all that a build reads: what may be where a built field gets its value."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from qoslint.render.kustomize.files import parsed, text
from qoslint.render.kustomize.inputs import Inputs
from qoslint.render.kustomize.named import As
from qoslint.source.document import Document, Source
from qoslint.source.scalars import plain
from qoslint.span import Path as FieldPath
from qoslint.span import Position, Span, value_at

ADDITIONS = ""
"""Stands for the file of what a GitOps controller adds, which is in no kustomization."""

_MOST_LEAVES = 400_000
_READ_AS = frozenset({As.KUSTOMIZATION, As.BASE, As.CONFIG, As.PATCH, As.REPLACEMENT, As.VALUES})
_LITERAL = re.compile(
    r"""^[ \t]*(?:-[ \t]+)?([\w.-]+):[ \t]+(["']?)([^\s"'{}#&*|>]+)\2[ \t]*(?:#.*)?$"""
)
_SETTINGS = frozenset({As.KUSTOMIZATION, As.CONFIG, As.REPLACEMENT})
# What a build is told by, not what it writes: changing it changes which objects are met.
_STEERING = frozenset(
    {
        *("apiVersion", "kind", "name", "namespace", "labels", "annotations", "selector"),
        *("matchLabels", "target", "targets", "source", "select", "reject", "options", "metadata"),
        *(
            "files",
            "envs",
            "fieldPath",
            "fieldPaths",
            "op",
            "path",
            "from",
            "behavior",
            "type",
            "$patch",
        ),
        *("containerPort", "port", "mountPath", "devicePath", "topologyKey", "protocol", "ip"),
    }
)
_LISTS_OF_PATHS = frozenset({"resources", "bases", "components", "crds", "configurations"})


class Text(NamedTuple):
    """A document in which scalars are looked for.

    One that is itself the text of a scalar, as an inline patch, knows `outer`: the text that it
    stands in, and the path to it there.
    """

    document: Document
    outer: tuple[Text, FieldPath] | None = None

    @property
    def file(self) -> str:
        """The file that holds it."""
        return self.document.source.path


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """A scalar, or an empty collection, in one of the texts."""

    text: Text
    path: FieldPath
    value: object
    span: Span | None = None
    """Where the value stands, for a line of a chart's template, which is no YAML."""

    @property
    def key(self) -> str:
        """The key of the field, also of what a JSON patch puts there."""
        return last_key(_patched(self) if self.path[-1:] == ("value",) else self.path)

    @property
    def is_steering(self) -> bool:
        """Whether a change of it may change more than a value."""
        if len(self.path) == 2 and self.path[0] in _LISTS_OF_PATHS:
            return True
        return not _STEERING.isdisjoint(step for step in self.path if isinstance(step, str))


def last_key(path: FieldPath) -> str:
    """The innermost key of a path, "" if there is none."""
    return next((step for step in reversed(path) if isinstance(step, str)), "")


def leaves(checkout: Path, inputs: Inputs, additions: Mapping[str, object]) -> list[Leaf]:
    """The scalars of all files that say what objects hold, and of the additions."""
    found = list(islice(_template_leaves(checkout, inputs), _MOST_LEAVES))
    for each in _texts(checkout, inputs, additions):
        for path, value in below((), each.document.data):
            found.append(Leaf(each, path, value))
            if len(found) >= _MOST_LEAVES:
                return found
    return found


def below(path: FieldPath, value: object) -> Iterator[tuple[FieldPath, object]]:
    """The scalars and empty collections below a value, each with its path."""
    waiting = [(path, value)]
    while waiting:
        at, each = waiting.pop()
        if isinstance(each, dict) and each:
            waiting.extend(((*at, key), each[key]) for key in reversed(each))
        elif isinstance(each, list) and each:
            waiting.extend(((*at, index), each[index]) for index in range(len(each) - 1, -1, -1))
        elif each is not None:
            yield at, each


def _texts(checkout: Path, inputs: Inputs, additions: Mapping[str, object]) -> Iterator[Text]:
    if additions:
        for document in parsed(ADDITIONS, json.dumps(dict(additions), indent=1)):
            yield from _inline(Text(document))
    values = dict.fromkeys(_charts(checkout, inputs, "values.yaml"), As.VALUES)
    for file, what in {**inputs.files, **values}.items():
        content = text(checkout, file) if what in _READ_AS else None
        for document in parsed(file, content or ""):
            yield from _inline(Text(document)) if what in _SETTINGS else [Text(document)]


def _charts(checkout: Path, inputs: Inputs, pattern: str) -> Iterator[str]:
    """The files of charts, and of charts in them, that fit a pattern."""
    for folder in inputs.charts:
        for path in sorted((checkout / folder).rglob(pattern)):
            if path.is_file():
                yield path.relative_to(checkout).as_posix()


def _template_leaves(checkout: Path, inputs: Inputs) -> Iterator[Leaf]:
    """The lines of templates that say a value themselves."""
    for file in _charts(checkout, inputs, "templates/**/*"):
        content = text(checkout, file) or ""
        template = Text(Document(Source(file, file, content), 0, 1, content, None))
        for number, line in enumerate(content.split("\n"), 1):
            found = _LITERAL.fullmatch(line.rstrip("\r"))
            if found is not None:
                start, end = (
                    Position(number, found.start(2) + 1),
                    Position(number, found.end(3) + 1),
                )
                end = end._replace(column=end.column + len(found[2]))
                yield Leaf(template, (found[1],), _scalar(found[2], found[3]), Span(start, end))


def _scalar(quote: str, value: str) -> object:
    return value if quote else plain(value)


def _inline(text: Text) -> Iterator[Text]:
    """A kustomization or a plugin's configuration, and the documents in the texts of it."""
    waiting = [text]
    while waiting:
        each = waiting.pop()
        yield each
        for path, value in below((), each.document.data):
            if isinstance(value, str) and (value.lstrip()[:1] in ("{", "[") or ": " in value):
                waiting.extend(
                    Text(inner, (each, path))
                    for inner in parsed(each.file, value)
                    if isinstance(inner.data, dict | list)
                )


def _patched(leaf: Leaf) -> FieldPath:
    """Where the operation of a JSON patch puts its value (RFC 6902)."""
    operation = value_at(leaf.text.document.data, leaf.path[:-1])
    pointer = operation.get("path") if isinstance(operation, dict) else None
    steps = pointer.split("/") if isinstance(pointer, str) else []
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in steps if step)
