"""The nodes of a document: its values with their positions, as code point indexes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class UnseenError(Exception):
    """The inside of a node is asked for that only the events show."""


@dataclass(slots=True)
class Node:
    """A value in the text, as code point indexes; `target` is what an alias stands for."""

    start: int
    end: int
    items: Sequence[Node] = ()
    entries: Sequence[Entry] = ()
    target: Node | None = None
    unseen: bool = False
    by_key: Mapping[str, Entry] | None = None
    """The entries that count, once they were asked for."""

    def resolved(self) -> Node:
        """The node itself, or what it stands for; raise UnseenError."""
        if self.unseen:
            raise UnseenError
        return self if self.target is None else self.target


class Entry(NamedTuple):
    """A key of a mapping with its value; `key` is None for what is merged into the mapping."""

    key: str | None
    start: int
    end: int
    value: Node


def entries_that_count(node: Node) -> Mapping[str, Entry]:
    """By key the last entry of a mapping, be it the mapping's own or merged into it."""
    if node.by_key is None:
        by_key: dict[str, Entry] = {}
        for entry in node.entries:
            if entry.key is not None:
                by_key[entry.key] = entry
                continue
            merged = entry.value.resolved()
            # Of a merged list the first mapping that has the key counts.
            for mapping in reversed(merged.items or [merged]):
                by_key.update(entries_that_count(mapping.resolved()))
        node.by_key = by_key
    return node.by_key
