"""The stretch of a text that goes with an entry or an item that is removed.

A comment behind a field goes with it; one on a line of its own is never removed.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from qoslint.source.change import NoEditError
from qoslint.source.nodes import Entry, Node

_REST_OF_LINE = re.compile(r"[ \t]*(?:#[^\n\r]*)?(?:\r\n|\n|\r|\Z)")
_OWN_COMMENT = re.compile(r"[\n\r][ \t]*#")
_DASH = re.compile(r" *-[ \t]+")


class Cut(NamedTuple):
    """A stretch of a text and what takes its place, as code point indexes."""

    start: int
    end: int
    text: str


def removed_entry(text: str, node: Node, entry: Entry, *, in_flow: bool) -> Cut:
    """The cut that removes an entry of a mapping, not its only one; raise NoEditError."""
    places = [(each.start, max(each.end, each.value.end)) for each in node.entries]
    number = next((n for n, each in enumerate(node.entries) if each is entry), None)
    if number is None:
        raise NoEditError
    if number == 0 and not in_flow and len(places) > 1 and _line_start(text, entry.start).strip():
        # It stands behind the dash of an item, where the next entry then stands.
        start, end = entry.start, places[1][0]
        if _OWN_COMMENT.search(text, start, end):
            raise NoEditError
        return Cut(start, end, "")
    return _removed(text, places, number, in_flow=in_flow)


def removed_item(text: str, node: Node, number: int, *, in_flow: bool) -> Cut:
    """The cut that removes an item of a list, not its only one; raise NoEditError."""
    places = [(each.start, each.end) for each in node.items]
    return _removed(text, places, number, in_flow=in_flow)


def _removed(text: str, places: list[tuple[int, int]], number: int, *, in_flow: bool) -> Cut:
    if len(places) == 1:
        raise NoEditError  # what stays would be null
    start, end = places[number]
    if in_flow:
        return _removed_in_flow(text, places, number)
    before = _line_start(text, start)
    if before.strip(" ") and _DASH.fullmatch(before) is None:
        raise NoEditError
    rest = _REST_OF_LINE.match(text, end)
    if rest is None or _OWN_COMMENT.search(text, start, end):
        raise NoEditError
    return Cut(start - len(before), rest.end(), "")


def _line_start(text: str, index: int) -> str:
    """What stands before `index` on its line."""
    return text[max(text.rfind(break_, 0, index) for break_ in "\n\r") + 1 : index]


def _removed_in_flow(text: str, places: list[tuple[int, int]], number: int) -> Cut:
    """With the comma behind it, or before it if it is the last."""
    if number + 1 < len(places):
        start, end = places[number][0], places[number + 1][0]
    else:
        start, end = places[number - 1][1], places[number][1]
    if "#" in text[start:end]:
        raise NoEditError
    return Cut(start, end, "")
