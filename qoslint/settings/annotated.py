"""Settings as YAML in which every line says why it is there."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from qoslint.report.visible import shortened
from qoslint.schema import Json
from qoslint.source.change import NoEditError
from qoslint.source.writing import scalar


class Line(NamedTuple):
    """One line of YAML with the reason for it."""

    text: str
    why: str
    holds: bool = True
    """Whether it counts; else it is commented out."""
    column: int = -1
    """Where the mark of a comment then stands, by default right before the text."""

    def __str__(self) -> str:
        """The line as it stands in a file: on one line, whatever names the files have."""
        column = self.indent if self.column < 0 else self.column
        text = self.text if self.holds else f"{self.text[:column]}# {self.text[column:]}"
        return f"{text} # {shortened(' '.join(self.why.split()))}"

    @property
    def indent(self) -> int:
        """How many spaces it starts with."""
        return len(self.text) - len(self.text.lstrip(" "))


def commented_out(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines, none of which counts, so that all count without the marks before them."""
    lines = list(lines)
    column = min((line.indent for line in lines), default=0)
    return (line._replace(holds=False, column=column) for line in lines)


def value_text(value: Json) -> str:
    """A value on one line; text that nobody could see is written with escapes."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(value_text, value))}]"
    if isinstance(value, Mapping):
        entries = (f"{value_text(key)}: {value_text(entry)}" for key, entry in value.items())
        return "{" + ", ".join(entries) + "}"
    try:
        return scalar(value)
    except NoEditError:
        return json.dumps(value).replace("\x7f", "\\x7f")


def is_writable(*texts: str) -> bool:
    """Whether the texts can stand in YAML as they are."""
    try:
        for each in texts:
            scalar(each)
    except NoEditError:
        return False
    return True


def spot(file: str, line: int | None = None) -> str:
    """A place as comments name it: `apps/web.yaml:3`."""
    return file if line is None else f"{file}:{line}"
