"""The diffs of rule pages: what `--fix` must make of an example."""

from __future__ import annotations

import re

from qoslint.errors import PluginError

_PART = re.compile(r"^@@.*\n", re.MULTILINE)


def patched(text: str, diff: str) -> str:
    """The text with the lines of a diff's body changed; `@@` starts a part that stands elsewhere.

    Raises PluginError if a part fits none or several places of the text.
    """
    for part in _PART.split(diff):
        lines = part.splitlines(keepends=True)
        old, new = _side("-", lines), _side("+", lines)
        places = f"\n{text}".count(f"\n{old}")
        if old and places != 1:
            raise PluginError(f"a diff fits {places} places of its file")
        text = f"\n{text}".replace(f"\n{old}", f"\n{new}")[1:] if old else text
    return text


def _side(mark: str, lines: list[str]) -> str:
    """The lines of one side of a diff; an empty one stands on both."""
    return "".join(line[1:] or line for line in lines if line[0] in f"{mark} \n")
