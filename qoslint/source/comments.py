"""Comments of a YAML text that start with a mark, and the lines that each is about.

A comment is about the line that it ends, or the next line of content if it stands alone, and about
all that this line opens: the item of a list, the value below a key, the object below its first
line. What only looks like a comment, in a quoted text or in a block of text, is none.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from qoslint.source.stream import Piece, end_of_blank, pieces
from qoslint.span import Lines, Position, Span

_LONGEST = 500
_MOST_IN_LINE = 20
"""Marks of a line; a line of megabytes would be read once for each of very many."""
_MARKER = re.compile(r"(?:---|\.\.\.)(?=[ \t\r\n]|\Z)")
_LINE = re.compile(r"[^\r\n]*+")
_CONTROL = re.compile(r"\s*(?:\{\{-?\s*(?:if|else|end|with|range|define|block|/\*|\$)|#|\Z)")
# It starts at no blank but the first of several: a run of them would take a time of its square.
_TEMPLATE_END = re.compile(r"(?<!\s)\s*+\*/\s*+-?\}\}.*\Z")


class _Mark(NamedTuple):
    """Where a comment starts, where its text behind the mark starts, and where its line ends."""

    start: int
    text: int
    end: int


class Comment(NamedTuple):
    """A comment: how its text begins behind the mark, where it stands, and what it is about."""

    text: str
    span: Span
    first: int
    last: int


def comments(text: str, mark: str) -> Iterator[Comment]:
    """The comments whose first word is the mark, in a text that is YAML.

    Raises YamlError for a text that is none.
    """
    found = [*_marks(text, rf"(?<!\S)#[ \t]*+{re.escape(mark)}")]
    if not found:
        return
    lines = Lines(text)
    shape = _shape(text, lines, mark)
    contents = _contents(text, (each.start for each in found))
    for each, content in zip(found, contents, strict=True):
        if not shape.is_text(each.start):
            yield _comment(text, each, content, lines, shape)


def _marks(text: str, opening: str) -> Iterator[_Mark]:
    """What begins comments, of each line the first few."""
    end = left = 0
    for match in re.finditer(opening, text):
        if match.start() >= end:
            line = _LINE.match(text, match.end())
            assert line is not None
            end, left = line.end(), _MOST_IN_LINE
        if left:
            left -= 1
            yield _Mark(match.start(), match.end(), end)


def _said(text: str, mark: _Mark) -> str:
    return text[mark.text : min(mark.text + _LONGEST, mark.end)]


def template_comments(text: str, mark: str) -> Iterator[Comment]:
    """The same for a template, by its lines alone; `{{/* ... */}}` are comments too.

    One that stands alone is about the next line, and about the lines of control before that.
    """
    lines = Lines(text)
    opening = rf"(?:(?<!\S)#|\{{\{{-?\s?/\*)[ \t]*+{re.escape(mark)}"
    for each in _marks(text, opening):
        start = lines.position(each.start)
        said = _TEMPLATE_END.sub("", _said(text, each))
        span = Span(start, lines.position(each.text + len(said)))
        if lines.line(start.line)[: start.column - 1].strip():
            yield Comment(said.strip(), span, start.line, start.line)
        else:
            last = _next_line(lines, start.line)
            yield Comment(said.strip(), span, start.line, last)


def _next_line(lines: Lines, line: int) -> int:
    """The next line that is no comment and no control; a few lines are looked through."""
    for number in range(line + 1, line + 20):
        if not _CONTROL.match(lines.line(number)):
            return number
    return line


def _comment(text: str, mark: _Mark, content: int, lines: Lines, shape: _Shape) -> Comment:
    start = lines.position(mark.start)
    line = start.line
    if not lines.line(line)[: start.column - 1].strip():
        line = lines.position(content).line
    first, last = shape.opened.get(line, (line, line))
    return Comment(_said(text, mark).strip(), Span(start, lines.position(mark.end)), first, last)


def _contents(text: str, starts: Iterable[int]) -> Iterator[int]:
    """For comments in order where the next content starts; the comment itself if there is none.

    A comment in column 1 may stand above the marker of its document. No line is looked at for each
    comment above it: there may be very many.
    """
    content = behind = -1
    for start in starts:
        if start >= content:
            content = behind = end_of_blank(text, start)
            if (marker := _MARKER.match(text, content)) and marker[0] == "---":
                behind = end_of_blank(text, marker.end())
        in_first_column = text[max(start - 1, 0) : start] in ("", "\n", "\r", "\ufeff")
        found = behind if in_first_column else content
        yield start if found >= len(text) or _MARKER.match(text, found) else found


class _Shape(NamedTuple):
    """What the lines of a text open, and where its texts are in which nothing is a comment."""

    starts: list[int]
    ends: list[int]
    opened: Mapping[int, tuple[int, int]]
    """By line the first and the last line of what it opens."""

    def is_text(self, index: int) -> bool:
        """Whether an index lies in a quoted text or in a block of text."""
        at = bisect.bisect_right(self.starts, index) - 1
        return at >= 0 and index < self.ends[at]


def _shape(text: str, lines: Lines, mark: str) -> _Shape:
    # Imported here: hardly any text has such comments, and the parser takes long to import.
    from qoslint.source.outline import outline

    starts: list[int] = []
    ends: list[int] = []
    opened: dict[int, tuple[int, int]] = {}
    is_near = False
    for piece in pieces(text):
        # A comment may be about the next document.
        was_near, is_near = is_near, mark in piece.text
        if not (was_near or is_near):
            continue
        shift = _start(piece, text, lines)
        found = outline(piece.text)
        starts += (start + shift for start, _ in found.texts)
        ends += (end + shift for _, end in found.texts)
        for head, start, end in found.wholes:
            line = lines.position(head + shift).line
            first, last = lines.position(start + shift).line, lines.position(end + shift).line
            before = opened.get(line, (first, last))
            opened[line] = min(first, before[0]), max(last, before[1])
    return _Shape(starts, ends, opened)


def _start(piece: Piece, text: str, lines: Lines) -> int:
    start = lines.index(Position(piece.line, 1))
    return start + text.startswith("\ufeff", start)
