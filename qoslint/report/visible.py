"""Text from a repository, made harmless for a terminal and honest for a reader.

A name or a line from a stranger's pull request may hold escape sequences that rewrite the
screen, or bidirectional overrides that make it read as something else (CVE-2021-42574).
"""

from __future__ import annotations

import re
import unicodedata

# Written out rather than asked of `unicodedata`: reports must not differ between Pythons.
# Controls, soft hyphen, zero-width and bidirectional characters, line separators, byte order
# mark, lone surrogates, tags. Most reports hold none, so it is compiled on first use.
_HIDDEN = (
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)
# What stands before a command may be blanks of any kind, and our own colours.
_COMMAND = r"(?m)^(?:[^\S\n]|\x1b\[[0-9;]*m)*:(?=:)|##(?=\w*\[)"
_LONGEST = 2000


def visible(text: str) -> str:
    r"""The text with each hidden character written as an escape: `\x1b`, `\n`, `\u202e`."""
    if text.isascii() and text.isprintable():
        return text
    return re.sub(_HIDDEN, _escape, text)


def visible_lines(text: str) -> str:
    """The visible text, its line ends left as they are."""
    return "\n".join(map(visible, text.split("\n")))


def shortened(text: str) -> str:
    """The visible text, cut where it is longer than anybody reads: a name can have megabytes."""
    shown = visible(text[: _LONGEST + 1])
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 1]}…"


def inert(text: str) -> str:
    """The lines of a text so that a CI service takes none of them for one of its commands.

    GitHub acts on `::error::` at the start of a line and on `##[error]` anywhere, Azure on
    `##vso[...]`, TeamCity on `##teamcity[...]`: a file of such a name could set variables of a job.
    A blank takes them apart.
    """
    return re.sub(_COMMAND, r"\g<0> ", text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    # How Python holds a byte of a file name that is not UTF-8.
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return match[0].encode("unicode_escape").decode("ascii")


def width(text: str) -> int:
    """The columns that the visible text takes in a terminal."""
    return len(text) if text.isascii() else sum(map(_width, text))


def _width(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
