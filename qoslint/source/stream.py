"""A stream of YAML documents cut at its markers, and a first look at each without parsing it."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from typing import NamedTuple

# YAML 1.1 ends lines at more characters than editors do; they are rare, and slow to look for.
_RARE_BREAKS = ("\r", "\x85", "\u2028", "\u2029")
_BREAK = "[\n\r\x85\u2028\u2029]"
_FIRST_MARKER = re.compile(f"(---|\\.\\.\\.)(?=[ \t]|{_BREAK}|\\Z)")
_MARKER = re.compile("\n(---|\\.\\.\\.)(?=[ \t\n]|\\Z)")
# Compiled on first use, which hardly any run makes.
_ANY_MARKER = f"{_BREAK}(---|\\.\\.\\.)(?=[ \t]|{_BREAK}|\\Z)"
_LINE_END = re.compile(f"\r\n|{_BREAK}|\\Z")
_COMMENT = re.compile(r"\s*+(#[^\n\r]*+)?")
_COMMENT_OR_DIRECTIVE = re.compile(r"\s*+([#%][^\n\r]*+)?")
_EMPTY_END = re.compile(r"(?:\.\.\.\s*+)?\Z")
_KIND = re.compile(r"\nkind[ \t]*:(?:[ \t]+([^\n]*))?(?=\n|\Z)")
_KIND_NAME = re.compile(r"([\"']?)([A-Za-z0-9]+)\1[ \t]*\r?(?:[ \t]#.*)?")
# A line that starts so may belong to a flow collection, a quoted scalar or a complex key: what
# looks like the kind may then be none.
_NOT_PLAIN_BLOCK = re.compile(r"^(?:---[ \t]+[^#\s]|[\"'?!&*{\[<|>}\]])", re.MULTILINE)
# Parts of the names of the fields that hold a pod template, whatever the kind: both are there.
_TEMPLATE_FIELDS = ("emplate", "ontainers")
# A key of which it cannot be seen what it is.
_ESCAPED_KEY = re.compile(r'"[^"\\\n]*+\\[^"\n]*+"[ \t]*+:')
# What sizes of containers stand in, which are not all in templates.
_RESOURCES = re.compile(r"\bresources\b")


class Piece(NamedTuple):
    """The text of one document with its markers, and the line it starts on, from 1."""

    text: str
    line: int


def pieces(text: str) -> Iterator[Piece]:
    """The documents of a stream, without those that hold only comments."""
    start, line = int(text.startswith("\ufeff")), 1
    for cut in (*_cuts(text, start), len(text)):
        piece = text[start:cut]
        if not _is_empty(piece):
            yield Piece(piece, line)
        line += _count_line_ends(piece)
        start = cut


def kind_of(text: str) -> str | None:
    """The kind that a document in block style names at column 1; None if that cannot be seen."""
    found = _KIND.findall(f"\n{text}")
    name = _KIND_NAME.fullmatch(found[0]) if len(found) == 1 else None
    return name[2] if name is not None else None


def holds_no_pods(text: str, kind: str, kinds: Container[str]) -> bool:
    """Whether a document need not be parsed.

    Its kind is surely not among `kinds` and no list, and neither a pod template is in it nor a
    field `resources`.
    """
    if kind in kinds or kind.endswith("List"):
        return False
    if all(each in text for each in _TEMPLATE_FIELDS) or _RESOURCES.search(text):
        return False
    return not (_NOT_PLAIN_BLOCK.search(text) or ("\\" in text and _ESCAPED_KEY.search(text)))


def _cuts(text: str, start: int) -> Iterator[int]:
    """The indexes where a new document starts behind `start`."""
    for marker in _markers(text, start):
        index = marker.start(1)
        if marker[1] == "...":
            line_end = _LINE_END.search(text, index)
            assert line_end is not None
            start = line_end.end()
        elif text.startswith("---", start, index) or not _is_prefix(text, start, index):
            start = index
        else:
            continue
        yield start


def _markers(text: str, start: int) -> Iterator[re.Match[str]]:
    first = _FIRST_MARKER.match(text, start)
    if first is not None:
        yield first
    rare = any(character in text for character in _RARE_BREAKS)
    yield from re.finditer(_ANY_MARKER, text) if rare else _MARKER.finditer(text)


def _is_prefix(text: str, start: int, end: int) -> bool:
    """Whether there are only comments and directives, which belong to the document that follows."""
    return _behind(_COMMENT_OR_DIRECTIVE, text, start, end) == end


def _is_empty(piece: str) -> bool:
    end = end_of_blank(piece, 0)
    if piece.startswith("---", end) and not piece[end + 3 : end + 4].strip():
        end = end_of_blank(piece, end + 3)
    return _EMPTY_END.match(piece, end) is not None


def end_of_blank(text: str, start: int) -> int:
    """Where the first character stands, from `start`, that is neither blank nor in a comment."""
    return _behind(_COMMENT, text, start, len(text))


def _behind(pattern: re.Pattern[str], text: str, start: int, end: int) -> int:
    """Where the first thing between `start` and `end` stands that is no blank and no match."""
    while (found := pattern.match(text, start, end)) and found[1] is not None:
        start = found.end()
    return found.end() if found else start


def _count_line_ends(text: str) -> int:
    """How many lines end in the text, as editors count: LF, CRLF, lone CR."""
    ends = text.count("\n")
    if "\r" in text:
        ends += text.count("\r") - text.count("\r\n")
    return ends
