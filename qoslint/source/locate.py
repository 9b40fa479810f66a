"""Where the fields of a document stand in its file. Positions are found again, only when asked."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from qoslint.finding import Part
from qoslint.source import plain_nodes
from qoslint.source.document import Document
from qoslint.source.jsontext import without_surrogates
from qoslint.source.loading import YamlError
from qoslint.source.nodes import Entry, Node, UnseenError, entries_that_count
from qoslint.span import Lines, Path, Position, Span

_Answer = TypeVar("_Answer")


class _Field(NamedTuple):
    """A field that was found: its key, if it has one, and its value."""

    entry: Entry | None
    value: Node


def locate(document: Document, path: Path, part: Part = Part.ENTRY) -> tuple[Span, bool]:
    """The span of one field, and whether it is the field itself; see `locate_all`."""
    return locate_all(document, [(path, part)])[0]


def locate_all(document: Document, wanted: Iterable[tuple[Path, Part]]) -> list[tuple[Span, bool]]:
    """The span of each wanted field in the lines of the file, and whether it is the field itself.

    A field that does not exist is shown by the key of its deepest ancestor that does; an item of a
    list, which has no key, by its `name` or its first entry.
    """
    wanted = list(wanted)
    paths = [path for path, _ in wanted]
    return with_root(document, paths, lambda root: _all_located(document, root, wanted))


def with_root(
    document: Document, paths: Iterable[Path], answer: Callable[[Node], _Answer]
) -> _Answer:
    """What `answer` makes of the root node, below which all that the paths lead through is seen.

    It is asked twice where the lines alone do not show everything.
    """
    if document.plain_block:
        with contextlib.suppress(UnseenError):
            return answer(plain_nodes.read_nodes(document.text))
    return answer(_root(document, paths))


def _root(document: Document, paths: Iterable[Path]) -> Node:
    # Imported here: many runs need no parser, and its import costs more than they do.
    from qoslint.source.event_nodes import read_nodes
    from qoslint.source.events import read_events

    text = readable = document.text
    if text.lstrip()[:1] in ("{", "["):
        # Only JSON has escaped surrogates; the positions stay.
        readable = without_surrogates(text)
    try:
        return read_events(readable, lambda next_event: read_nodes(text, next_event, paths))
    except YamlError:
        # JSON that YAML's parser refuses, such as keys of more than 1024 characters.
        return Node(0, 0)


def _all_located(
    document: Document, root: Node, wanted: Iterable[tuple[Path, Part]]
) -> list[tuple[Span, bool]]:
    lines = Lines(document.text)
    return [_located(root, path, part, lines, document.line - 1) for path, part in wanted]


def _located(root: Node, path: Path, part: Part, lines: Lines, shift: int) -> tuple[Span, bool]:
    found = [_Field(None, root)]
    for step in path:
        inner = _step(found[-1].value.resolved(), step)
        if inner is None:
            break
        found.append(inner)
    exact = len(found) > len(path)
    start, end = _extent(found[-1], part if exact else Part.KEY)
    return Span(_shifted(lines, start, shift), _shifted(lines, end, shift)), exact


def _shifted(lines: Lines, index: int, shift: int) -> Position:
    line, column = lines.position(index)
    return Position(line + shift, column)


def _step(node: Node, step: str | int) -> _Field | None:
    if isinstance(step, str):
        return _entry(node, step)
    if 0 <= step < len(node.items):
        return _Field(None, node.items[step])
    return None


def _entry(node: Node, key: str) -> _Field | None:
    """The entry that counts."""
    entry = entries_that_count(node).get(key)
    return None if entry is None else _Field(entry, entry.value)


def _extent(found: _Field, part: Part) -> tuple[int, int]:
    entry, value = found
    if entry is None:
        return _name_extent(value.resolved()) if part is Part.KEY else (value.start, value.end)
    if part is Part.KEY or (part is Part.VALUE and value.start == value.end):
        # An empty value has no text of its own.
        return entry.start, entry.end
    if part is Part.VALUE:
        return value.start, value.end
    return entry.start, max(entry.end, value.end)


def _name_extent(value: Node) -> tuple[int, int]:
    """What stands for a value without a key: its name, or its first entry."""
    name = _entry(value, "name")
    if name is not None and name.entry is not None and name.value.end >= name.entry.start:
        return name.entry.start, max(name.entry.end, name.value.end)
    first = next(iter(value.entries), None)
    if first is not None:
        return first.start, first.end
    return value.start, value.end
