"""Documents in plain block style, read line by line: the way nearly all manifests are written.

Several times faster than events, for each of which the parser builds a Python object. This reader
takes no chances: it knows lines of a few shapes, each whole in itself. Whatever else a document
holds (anchors, tags, block scalars, text over several lines, escapes, tabs, a key twice, a wrong
indentation) makes it give up, and the events decide. So it never refuses a document.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias, TypeVar

from qoslint.source.plain_scalars import GiveUpError, plain_key, plain_value
from qoslint.source.scalars import HINTS

_Block: TypeAlias = dict[str, object] | list[object]
_Blocks: TypeAlias = list[tuple[int, _Block]]
_NewBlock = TypeVar("_NewBlock", dict[str, object], list[object])

MAX_DEPTH = 100
MAX_LINES = 500_000
MAX_FLOW_COLLECTIONS = 50

# Beyond ASCII: control characters, line ends of YAML 1.1, the BOM and what is no character.
# Most runs never ask for it, so it is compiled on first use.
_NOT_TEXT = "[\x80-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]"
_KEY = r"[A-Za-z_][A-Za-z0-9_./-]{0,200}+"
# Words joined by colons and spaces; each join costs memory while the line is matched.
_PLAIN = (
    r"(?>(?:[^\x00-\x20\x7f!\"#%&'*,:>?@\[\]\\`{|}-]|-(?=[^\x00-\x20\x7f]))[^\x00-\x20\x7f:]*+"
    r"(?:(?::(?=[^\x00-\x20\x7f])|\ ++(?=[^\x00-\x20\x7f#:]))[^\x00-\x20\x7f:]*+){0,1000})"
)
_QUOTED = r"\"[^\x00-\x1f\x7f\"\\]*+\"|'[^\x00-\x1f\x7f']*+'"
_FLOW = r"\[[^\x00-\x1f\x7f#]*\]|\{[^\x00-\x1f\x7f#]*\}"
# The start of the first line that is neither empty nor a comment.
_CONTENT = re.compile(r"^(?!(?:#[^\x00-\x1f\x7f]*+)?\r?$)", re.MULTILINE)
_MARKER = re.compile(r"---(?=\r?\n)")
# Indentation, dash, key, value; all but the first may be missing.
LINE = re.compile(
    rf"^(\ *+)(-\ ++)?(?:({_KEY}):(?:\ ++|(?=\r?$)))?({_PLAIN}|{_QUOTED}|{_FLOW})?"
    rf"\ *+(?:(?<!\S)\#[^\x00-\x1f\x7f]*+)?\r?$",
    re.MULTILINE,
)
# The first characters of a value that is not sure to be the text itself.
_SPECIAL = HINTS.union("\"'[{")


def read(text: str, flow: Callable[[str], object]) -> dict[str, object] | None:
    """The mapping that the text is, or None if it must be read by its events.

    `flow` reads a flow collection; its ValueError makes this reader give up too.
    """
    text = text[body(text) :]
    count = text.count("\n") + 1
    if count > MAX_LINES or not (text.isascii() or re.search(_NOT_TEXT, text) is None):
        return None
    lines = LINE.findall(text)
    # A line that has no known shape is not found.
    if len(lines) != count:
        return None
    try:
        # Without any entry the text is null.
        return _read_lines(lines, flow) or None
    except ValueError:
        return None


def body(text: str) -> int:
    """Where the document starts: behind its marker, if comments and a marker come first."""
    content = _CONTENT.search(text)
    marker = content and _MARKER.match(text, content.start())
    return marker.end() if marker else 0


def _read_lines(
    lines: list[tuple[str, str, str, str]], flow: Callable[[str], object]
) -> dict[str, object]:
    root: dict[str, object] = {}
    # The open blocks with their columns, the innermost last; `column` and `block` are the last.
    column, block = 0, root
    blocks: _Blocks = [(0, root)]
    awaiting: str | None = None
    for indent, dash, key, text in lines:
        if not key and not dash:
            if text:
                raise GiveUpError
            continue
        if dash:
            items = _items(blocks, len(indent), awaiting)
            awaiting = None
            if not key:
                if not text:
                    raise GiveUpError
                items.append(_value(text, flow))
                # Whatever comes next is not in the last mapping.
                column = -1
                continue
            block = {}
            items.append(block)
            column = len(indent) + len(dash)
            _push(blocks, column, block)
        elif len(indent) != column:
            block = _mapping(blocks, len(indent), awaiting)
            column = len(indent)
        name = plain_key(key)
        if name in block:
            raise GiveUpError
        if text:
            awaiting = None
            block[name] = text if text[0] not in _SPECIAL else _value(text, flow)
        else:
            awaiting = name
            block[name] = None
    return root


def _items(blocks: _Blocks, column: int, awaiting: str | None) -> list[object]:
    """The list that has an item at the column: the open one, or the value of the awaiting key."""
    if awaiting is not None and column >= blocks[-1][0]:
        # A list may stand at the column of its key.
        return _awaited(blocks, column, awaiting, [])
    block = _close_to(blocks, column)
    if not isinstance(block, list):
        raise GiveUpError
    return block


def _mapping(blocks: _Blocks, column: int, awaiting: str | None) -> dict[str, object]:
    """The mapping that has a key at the column: an open one, or the value of the awaiting key."""
    if awaiting is not None and column > blocks[-1][0]:
        return _awaited(blocks, column, awaiting, {})
    block = _close_to(blocks, column)
    if isinstance(block, list):
        blocks.pop()
        block = _close_to(blocks, column)
    if not isinstance(block, dict):
        raise GiveUpError
    return block


def _awaited(blocks: _Blocks, column: int, awaiting: str, value: _NewBlock) -> _NewBlock:
    parent = blocks[-1][1]
    assert isinstance(parent, dict)
    parent[awaiting] = value
    _push(blocks, column, value)
    return value


def _close_to(blocks: _Blocks, column: int) -> _Block:
    while blocks[-1][0] > column:
        blocks.pop()
    innermost, block = blocks[-1]
    if innermost != column:
        raise GiveUpError
    return block


def _push(blocks: _Blocks, column: int, block: _Block) -> None:
    if len(blocks) == MAX_DEPTH:
        raise GiveUpError
    blocks.append((column, block))


def _value(text: str, flow: Callable[[str], object]) -> object:
    first = text[0]
    if first in "\"'":
        return text[1:-1]
    if first in "[{":
        if text.count("[") + text.count("{") > MAX_FLOW_COLLECTIONS:
            raise GiveUpError
        return flow(text)
    return plain_value(text)
