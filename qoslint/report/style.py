"""How text for people looks: its colours and its width, both the caller's choice."""

from __future__ import annotations

from typing import NamedTuple

from qoslint.finding import Severity


class Palette(NamedTuple):
    """The terminal sequence that starts each look, and the one that ends them all."""

    error: str = ""
    warning: str = ""
    note: str = ""
    good: str = ""
    strong: str = ""
    faint: str = ""
    reset: str = ""

    def severity(self, severity: Severity) -> str:
        """The look of a severity."""
        return (self.note, self.warning, self.error)[severity - 1]

    def paint(self, look: str, text: str) -> str:
        """The text in one of the palette's looks."""
        return f"{look}{text}{self.reset}" if look and text else text


PLAIN = Palette()
ANSI = Palette(
    error="\x1b[1;31m",
    warning="\x1b[1;33m",
    note="\x1b[1;36m",
    good="\x1b[32m",
    strong="\x1b[1m",
    faint="\x1b[2m",
    reset="\x1b[0m",
)


class Style(NamedTuple):
    """A palette and the width in columns to which source lines are cut."""

    palette: Palette = PLAIN
    width: int = 100


PLAIN_STYLE = Style()
