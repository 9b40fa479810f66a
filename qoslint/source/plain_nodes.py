"""The nodes of a document in plain block style, from its lines.

Only for documents that `plain_block.read` has read: nothing is checked again here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from qoslint.source import plain_flow
from qoslint.source.nodes import Entry, Node
from qoslint.source.plain_block import LINE, body


def read_nodes(text: str) -> Node:
    """The root node. What `plain_flow` gives up on stays unseen."""
    return _LineReader().root(text)


class _Block(NamedTuple):
    """An open collection; only the list of its kind is used."""

    column: int
    node: Node
    items: list[Node]
    entries: list[Entry]


class _LineReader:
    """The open blocks, innermost last, and the node that the next deeper line fills."""

    def __init__(self) -> None:
        self._blocks = [_Block(-1, Node(0, 0), [], [])]
        self._awaiting: Node | None = None

    def root(self, text: str) -> Node:
        root = self._awaiting = Node(0, 0)
        for line in LINE.finditer(text, body(text)):
            if line[2] is not None:
                self._add_item(line)
            elif line[3] is not None:
                self._add_entry(line, line.end(1) - line.start(1))
        self._close_to(-1)
        return root

    def _add_item(self, line: re.Match[str]) -> None:
        column = line.end(1) - line.start(1)
        # A list may stand at the column of its key.
        if self._awaiting is not None and column >= self._blocks[-1].column:
            opened = self._open(column, line.start(2))
            opened.node.items = opened.items
        self._close_to(column)
        block = self._blocks[-1]
        if line[3] is None:
            block.items.append(_value(line))
            block.node.end = line.end(4)
            return
        self._awaiting = Node(0, 0)
        block.items.append(self._awaiting)
        self._add_entry(line, line.end(2) - line.start(1))

    def _add_entry(self, line: re.Match[str], column: int) -> None:
        if self._awaiting is not None and column > self._blocks[-1].column:
            opened = self._open(column, line.start(3))
            opened.node.entries = opened.entries
        self._close_to(column)
        if self._blocks[-1].items:
            # The list that stood at the column of its key.
            self._close()
        block = self._blocks[-1]
        start, end = line.span(3)
        self._awaiting = Node(end + 1, end + 1) if line[4] is None else None
        value = self._awaiting or _value(line)
        block.entries.append(Entry(line[3], start, end, value))
        block.node.end = value.end

    def _open(self, column: int, start: int) -> _Block:
        assert self._awaiting is not None
        node, self._awaiting = self._awaiting, None
        node.start = start
        self._blocks.append(_Block(column, node, [], []))
        return self._blocks[-1]

    def _close_to(self, column: int) -> None:
        while self._blocks[-1].column > column:
            self._close()

    def _close(self) -> None:
        closed = self._blocks.pop()
        self._blocks[-1].node.end = closed.node.end


def _value(line: re.Match[str]) -> Node:
    start, end = line.span(4)
    text = line[4]
    if text[0] not in "[{":
        return Node(start, end)
    if plain_flow.read(text) is None:
        return Node(start, end, unseen=True)
    tokens = plain_flow.TOKEN.finditer(text)
    return _flow_node(next(tokens), tokens, start)


def _flow_node(token: re.Match[str], tokens: Iterator[re.Match[str]], shift: int) -> Node:
    """The node that starts with the token; `shift` is where the collection starts in the text."""
    node = Node(shift + token.start(), shift + token.end())
    if token[0] not in ("[", "{"):
        return node
    items, entries = [], []
    key = None
    for token in tokens:
        if token[0] in ("]", "}"):
            node.end = shift + token.end()
            break
        if token["key"] is not None:
            key = token
        elif token[0] != ",":
            value = _flow_node(token, tokens, shift)
            if key is None:
                items.append(value)
            else:
                start, end = key.span("key")
                entries.append(Entry(key["key"], shift + start, shift + end, value))
    node.items, node.entries = items, entries
    return node
