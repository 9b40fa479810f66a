"""One line of a file as a reader sees it, with carets under a stretch of it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from qoslint.report.visible import visible, width
from qoslint.span import Span

_TAB = "    "
_CUT = "…"


class Excerpt(NamedTuple):
    """The part of a line that is shown, and the columns and number of its carets."""

    text: str
    indent: int
    carets: int


def excerpt(line: str, span: Span, room: int) -> Excerpt:
    """The line at the span's start in at most `room` columns.

    A span of several lines is underlined to the end of its first.
    """
    line_end = len(line.rstrip())
    first = min(span.start.column - 1, line_end)
    last = span.end.column - 1 if span.end.line == span.start.line else line_end
    begin = _begin(line, first, last, room)
    end = _end(line, begin, room)
    last = max(first, min(last, end))
    before = (_CUT if begin else "") + _shown(line[begin:first])
    marked = _shown(line[first:last])
    after = _shown(line[last:end]) + (_CUT if end < len(line) else "")
    return Excerpt(before + marked + after, width(before), max(1, width(marked)))


def _begin(line: str, first: int, last: int, room: int) -> int:
    """Where the shown part starts: the line's start, unless the span would then be cut off."""
    # Only as much of a line is measured as could be shown: it may have a million characters.
    if _fitting(line[: room + 1], room) == len(line):
        return 0
    if last < room and width(_shown(line[:last])) < room:
        return 0
    if first < room and width(_shown(line[:first])) <= room // 2:
        return 0
    return first - _fitting(reversed(line[max(0, first - room) : first]), room // 3)


def _end(line: str, begin: int, room: int) -> int:
    """Where the shown part ends: the line's end, or what leaves a column for the cut's mark."""
    left = room - 1 if begin else room
    rest = line[begin : begin + room + 1]
    if _fitting(rest, left) == len(line) - begin:
        return len(line)
    return begin + _fitting(rest, left - 1)


def _fitting(chars: Iterable[str], room: int) -> int:
    """How many of the characters, from the first on, fit into `room` columns."""
    count = used = 0
    for char in chars:
        used += _room_of(char)
        if used > room:
            break
        count += 1
    return count


@lru_cache(maxsize=4096)
def _room_of(char: str) -> int:
    return width(_shown(char))


def _shown(text: str) -> str:
    return visible(text.replace("\t", _TAB))
