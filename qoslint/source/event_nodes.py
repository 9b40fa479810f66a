"""The nodes of a document from its events, built only along the paths that are asked for.

What an alias may lead to is built whole, wherever it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

from ruamel.yaml.events import (
    AliasEvent,
    CollectionStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from qoslint.source import jsontext
from qoslint.source.events import NextEvent, is_merge
from qoslint.source.nodes import Entry, Node
from qoslint.source.scalars import ScalarError, key_text, plain, tagged
from qoslint.source.stream import end_of_blank
from qoslint.span import Path

_ANCHOR = re.compile(r"&[^\s,\[\]{}]++")
# A step that no path has: it keeps the entries of the node where a path ends.
_END = -1

_Steps: TypeAlias = dict[str | int, "_Steps"]
"""The steps that lead on along the wanted paths."""


def read_nodes(text: str, next_event: NextEvent, paths: Iterable[Path]) -> Node:
    """The root node with all that the paths lead through; raises what the parser raises."""
    next_event()
    if isinstance(next_event(), StreamEndEvent):
        return Node(0, 0)
    return _NodeReader(text, next_event).node(next_event(), _steps(paths))


class _NodeReader:
    """Builds nodes from events. Without steps (None) all below a node is built."""

    def __init__(self, text: str, next_event: NextEvent) -> None:
        self._text = text
        self._next = next_event
        self._anchors: dict[str, Node] = {}
        self._anchored_keys: dict[str, str] = {}

    def node(self, event: Event, steps: _Steps | None) -> Node:
        """The node that starts with `event`."""
        if isinstance(event, AliasEvent):
            target = self._anchors.get(event.anchor)
            return Node(event.start_mark.index, event.end_mark.index, target=target)
        assert isinstance(event, NodeEvent)
        node = Node(self._start(event), event.end_mark.index)
        if event.anchor is not None:
            self._anchors[event.anchor] = node
            steps = None
        if isinstance(event, CollectionStartEvent):
            self._read_collection(node, event, steps)
        elif isinstance(event, ScalarEvent):
            self._read_scalar(node, event)
        return node

    def _read_scalar(self, node: Node, event: ScalarEvent) -> None:
        node.start = min(node.start, node.end)
        if event.anchor is not None:
            self._anchored_keys[event.anchor] = _scalar_key(event)
        if event.style in ("|", ">"):
            # The mark stands behind line ends that follow the text.
            node.end = node.start + len(self._text[node.start : node.end].rstrip())

    def _read_collection(
        self, node: Node, start: CollectionStartEvent, steps: _Steps | None
    ) -> None:
        read = self._read_mapping if isinstance(start, MappingStartEvent) else self._read_sequence
        end = read(node, steps).end_mark.index
        # A block ends with its last value, while its mark stands at whatever follows it.
        if start.flow_style and self._text[end - 1 : end] in ("}", "]"):
            node.end = end

    def _read_mapping(self, node: Node, steps: _Steps | None) -> Event:
        entries: list[Entry] = []
        node.entries = entries
        while not isinstance(event := self._next(), MappingEndEvent):
            key = self._key(event)
            key_node = self.node(event, {})
            # What is merged belongs to this very mapping, and so do the steps.
            below = steps if key is None or steps is None else steps.get(key, {})
            value = self.node(self._next(), below)
            if steps != {}:
                entries.append(Entry(key, key_node.start, key_node.end, value))
            node.end = max(key_node.end, value.end)
        return event

    def _read_sequence(self, node: Node, steps: _Steps | None) -> Event:
        items: list[Node] = []
        node.items = items
        number = 0
        # The mappings of a merged list belong to the mapping, and so do its string steps.
        names = {} if steps is None else _names(steps)
        while not isinstance(event := self._next(), SequenceEndEvent):
            below = None if steps is None else names | steps.get(number, {})
            item = self.node(event, below)
            if steps != {}:
                items.append(item)
            node.end = max(node.end, item.end)
            number += 1
        return event

    def _start(self, event: NodeEvent) -> int:
        start: int = event.start_mark.index
        if event.anchor is None:
            return start
        anchor = _ANCHOR.match(self._text, start)
        return start if anchor is None else end_of_blank(self._text, anchor.end())

    def _key(self, event: Event) -> str | None:
        """The JSON key, or None for a merge."""
        if isinstance(event, AliasEvent):
            return self._anchored_keys.get(event.anchor, "")
        if not isinstance(event, ScalarEvent):
            return ""
        if event.style == '"' and "\ufffd" in event.value:
            # It may stand for surrogates that only JSON's reader knows.
            quoted = self._text[event.start_mark.index : event.end_mark.index]
            return jsontext.string(quoted) or event.value
        return None if is_merge(event) else _scalar_key(event)


def _scalar_key(event: ScalarEvent) -> str:
    try:
        if event.tag is not None:
            return key_text(tagged(event.tag, event.value))
        return event.value if event.style else key_text(plain(event.value))
    except ScalarError:
        return ""


def _steps(paths: Iterable[Path]) -> _Steps:
    root: _Steps = {}
    for path in paths:
        step = root
        for name in path:
            step = step.setdefault(name, {})
        step[_END] = {}
    return root


def _names(steps: _Steps) -> _Steps:
    return {name: below for name, below in steps.items() if isinstance(name, str)}
