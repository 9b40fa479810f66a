"""The outline of one document: where its texts are, and what starts where and ends where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ruamel.yaml.events import (
    CollectionEndEvent,
    CollectionStartEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    StreamEndEvent,
)

from qoslint.source.events import NextEvent, read_events
from qoslint.source.loading import MAX_DEPTH, YamlError
from qoslint.span import Position

_OBJECT = {"apiVersion", "kind"}


class Whole(NamedTuple):
    """Something with an inside, as code point indexes: its head, its start, its last character.

    The head of a key's value is the key, that of an item its first key or its `name`.
    """

    head: int
    start: int
    last: int


class Outline(NamedTuple):
    """The texts of a document, quoted ones and blocks, each as start and end; and its wholes."""

    texts: list[tuple[int, int]]
    wholes: list[Whole]


@dataclass(slots=True)
class _Open:
    """A collection that is being read."""

    start: int
    is_mapping: bool
    key: int | None
    """Where its own key starts, if it is the value of one."""
    is_item: bool
    heads: list[int]
    names: set[str]
    nodes: int = 0
    last_key: int = 0


def outline(text: str) -> Outline:
    """The outline of a text that holds one document; raise YamlError."""
    return read_events(text, lambda next_event: _outline(text, next_event))


def _outline(text: str, next_event: NextEvent) -> Outline:
    texts: list[tuple[int, int]] = []
    wholes: list[Whole] = []
    opened: list[_Open] = []
    last = 0
    while not isinstance(event := next_event(), StreamEndEvent):
        if isinstance(event, CollectionEndEvent):
            closed = opened.pop()
            if event.end_mark.index > event.start_mark.index:  # a bracket
                last = event.end_mark.index - 1
            wholes += (Whole(head, closed.start, last) for head in _heads(closed, not opened))
            continue
        if not isinstance(event, NodeEvent):
            continue
        start, end = event.start_mark.index, event.end_mark.index
        parent = opened[-1] if opened else None
        is_key = parent is not None and parent.is_mapping and parent.nodes % 2 == 0
        if parent is not None:
            parent.nodes += 1
            if is_key:
                _add_key(parent, start, event)
        if isinstance(event, CollectionStartEvent):
            is_value = parent is not None and parent.is_mapping and not is_key
            key = parent.last_key if parent is not None and is_value else None
            is_item = parent is not None and not parent.is_mapping
            is_mapping = isinstance(event, MappingStartEvent)
            inside = start if key is None else key
            opened.append(_Open(inside, is_mapping, key, is_item, [], set()))
            if len(opened) > MAX_DEPTH:
                raise YamlError("nested too deeply", Position(1, 1))
            last = max(last, start)
            continue
        if isinstance(event, ScalarEvent) and event.style:
            if event.style in ("|", ">"):
                # A comment may stand behind the indicator; its mark stands behind line ends.
                end = start + len(text[start:end].rstrip())
                start = min(text.find("\n", start) % (len(text) + 1), end)
            texts.append((start, end))
        last = max(last, end - 1)
    return Outline(texts, wholes)


def _add_key(parent: _Open, start: int, event: NodeEvent) -> None:
    name = event.value if isinstance(event, ScalarEvent) else ""
    parent.last_key = start
    if not parent.heads or name == "name":
        parent.heads.append(start)
    if name in _OBJECT:
        parent.names.add(name)


def _heads(closed: _Open, is_root: bool) -> list[int]:
    """Where a comment stands that is about a whole collection."""
    if closed.key is not None:
        return [closed.key]
    if closed.is_item:
        return closed.heads
    return closed.heads[:1] if is_root and closed.names == _OBJECT else []
