"""Where things are: paths into a JSON value, and spans of a text.

Lines and columns count from 1, columns in code points, ends are exclusive: SARIF's own
convention, so that reporters convert nothing.
"""

from __future__ import annotations

import bisect
import itertools
import re
from array import array
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""A way into a JSON value: keys of objects and indexes of lists."""


def value_at(value: object, path: Iterable[str | int]) -> object:
    """The value at a path, None where there is none."""
    for step in path:
        if isinstance(value, Mapping) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value):
            value = value[step]
        else:
            return None
    return value


_PLAIN_KEY = re.compile(r"[A-Za-z0-9_-]+")
# Editors and GitHub end lines at LF, CRLF and a lone CR; YAML 1.1's other breaks are text to them.
_LINE_END = re.compile(r"\r\n|\n|\r")


class Position(NamedTuple):
    """A place in a text: line and column, both from 1, the column in code points."""

    line: int
    column: int


class Span(NamedTuple):
    """A stretch of a text; `end` is the first position behind it."""

    start: Position
    end: Position


START = Span(Position(1, 1), Position(1, 1))
"""Where a text starts: the place of what no line of it tells of."""


def field_path(path: Path) -> str:
    """The path as Kubernetes prints it: `spec.containers[0].resources.limits[nvidia.com/gpu]`."""
    text = ""
    for step in path:
        if isinstance(step, int) or not _PLAIN_KEY.fullmatch(step):
            text += f"[{step}]"
        else:
            text += f".{step}" if text else step
    return text


def split_lines(text: str) -> list[str]:
    """The lines of a text without their ends; behind the last end there is no other line."""
    found = _LINE_END.split(text)
    return found if found[-1] else found[:-1]


class Lines:
    """The lines of one text, as editors split them."""

    def __init__(self, text: str) -> None:
        """Index the line starts of `text` once."""
        self._text = text
        # A text can have millions of lines.
        self._starts = array("L", [0])
        if "\r" in text:
            self._starts.extend(match.end() for match in _LINE_END.finditer(text))
        else:
            lengths = map(len, text.split("\n")[:-1])
            self._starts.extend(itertools.accumulate(map((1).__add__, lengths)))

    def position(self, index: int) -> Position:
        """The position of the code point at `index`."""
        line = bisect.bisect_right(self._starts, index)
        return Position(line, index - self._starts[line - 1] + 1)

    def index(self, position: Position) -> int:
        """The index of the code point at `position`."""
        return self._starts[position.line - 1] + position.column - 1

    def line(self, number: int) -> str:
        """The text of line `number`, without its line end; empty beyond the last line."""
        if number > len(self._starts):
            return ""
        end = self._starts[number] if number < len(self._starts) else len(self._text)
        return self._text[self._starts[number - 1] : end].rstrip("\r\n")
