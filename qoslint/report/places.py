"""Where a finding is, as other formats count it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from qoslint.finding import Location
from qoslint.report import Texts
from qoslint.report.visible import shortened
from qoslint.span import Lines, Position, Span

LinesOf: TypeAlias = Callable[[str], Lines]
"""The lines of a reported file; none where its text cannot be had any more."""


def lines_of(texts: Texts) -> LinesOf:
    """What gives the lines of a file, each file divided once."""

    @cache
    def lines(file: str) -> Lines:
        return Lines(texts(file) or "")

    return lines


def place(location: Location) -> str:
    """The start of a location as compilers write it: `apps/api.yaml:12:5`."""
    line, column = location.span.start
    return f"{shortened(location.file)}:{line}:{column}"


def first_line(location: Location, lines: LinesOf) -> Span:
    """The span up to the end of its first line: what is shown beside a diff must be in it."""
    span = location.span
    line = lines(location.file).line(span.start.line).rstrip()
    if span.end.line == span.start.line or len(line) < span.start.column:
        return span
    return Span(span.start, Position(span.start.line, len(line) + 1))


def utf8_column(position: Position, lines: Lines) -> int | None:
    """The column in bytes of UTF-8, from 1; None where the line is too short to hold it."""
    before = _before(position, lines)
    return None if before is None else len(before.encode("utf-8", "surrogatepass")) + 1


def utf16_offset(position: Position, lines: Lines) -> int | None:
    """How many UTF-16 units stand before the position; None where the line is too short."""
    before = _before(position, lines)
    return None if before is None else len(before.encode("utf-16-le", "surrogatepass")) // 2


def _before(position: Position, lines: Lines) -> str | None:
    line = lines.line(position.line)
    return line[: position.column - 1] if position.column <= len(line) + 1 else None
