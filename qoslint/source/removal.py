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


def removed_entry(text: str, node: Node, entry: Entry, column: int, *, in_flow: bool) -> Cut:
    """The cut that removes an entry of a mapping, not its only one; raise NoEditError.

    `column` counts the characters before it on its line.
    """
    places = [(each.start, max(each.end, each.value.end)) for each in node.entries]
    number = next((n for n, each in enumerate(node.entries) if each is entry), None)
    if number is None:
        raise NoEditError
    behind_dash = text[entry.start - column : entry.start].strip(" ") != ""
    if number == 0 and behind_dash and not in_flow and len(places) > 1:
        # The next entry then stands behind the dash of the item.
        start, end = entry.start, places[1][0]
        if _OWN_COMMENT.search(text, start, end):
            raise NoEditError
        return Cut(start, end, "")
    return _removed(text, places, number, column, in_flow=in_flow)


def removed_item(text: str, node: Node, number: int, column: int, *, in_flow: bool) -> Cut:
    """The cut that removes an item of a list; like `removed_entry`."""
    places = [(each.start, each.end) for each in node.items]
    return _removed(text, places, number, column, in_flow=in_flow)


def _removed(
    text: str, places: list[tuple[int, int]], number: int, column: int, *, in_flow: bool
) -> Cut:
    if len(places) == 1:
        raise NoEditError  # what stays would be null
    if in_flow:
        return _removed_in_flow(text, places, number)
    start, end = places[number]
    before = text[start - column : start]
    if before.strip(" ") and _DASH.fullmatch(before) is None:
        raise NoEditError
    rest = _REST_OF_LINE.match(text, end)
    if rest is None or _OWN_COMMENT.search(text, start, end):
        raise NoEditError
    return Cut(start - column, rest.end(), "")


def _removed_in_flow(text: str, places: list[tuple[int, int]], number: int) -> Cut:
    """With the comma behind it, or before it if it is the last."""
    if number + 1 < len(places):
        start, end = places[number][0], places[number + 1][0]
    else:
        start, end = places[number - 1][1], places[number][1]
    if "#" in text[start:end]:
        raise NoEditError
    return Cut(start, end, "")
