"""Flow collections of plain content, such as `{cpu: 100m, memory: 1Gi}` or `["a", b]`.

Most manifests hold some, and the import of the parser alone takes longer than many a whole run.
Like `plain_block` this reader takes no chances: it knows quoted text without escapes and plain
text of letters, digits and few signs. Whatever else there is (a colon or bracket in plain text, a
key in quotes, without a value or twice, a comma too many) makes it give up, and the events decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from qoslint.source.plain_scalars import GiveUpError, plain_key, plain_value

_Tokens: TypeAlias = Iterator[re.Match[str]]

_SIGNS = r"[A-Za-z0-9_./$+=()~^<;*-]"
TOKEN = re.compile(
    r"(?P<key>[A-Za-z_][A-Za-z0-9_./-]{0,200}+)(?::\ +)"
    rf"|(?P<plain>(?:[A-Za-z0-9_./$]|-(?=[A-Za-z0-9_./$-])){_SIGNS}*+(?:\ +{_SIGNS}++){{0,1000}})"
    r"|(?P<quoted>\"[^\x00-\x1f\x7f\"\\]*+\"|'[^\x00-\x1f\x7f']*+')"
    r"|(?P<mark>[\[\]{},])"
    r"|(?P<unknown>[^ ])"
)


def read(text: str) -> list[object] | dict[str, object] | None:
    """The collection that the text is, or None if it must be read by its events."""
    tokens = TOKEN.finditer(text)
    try:
        value = _value(next(tokens, None), tokens)
    except GiveUpError:
        return None
    return value if isinstance(value, list | dict) and next(tokens, None) is None else None


def _value(token: re.Match[str] | None, tokens: _Tokens) -> object:
    if token is not None:
        if token["plain"]:
            return plain_value(token[0])
        if token["quoted"]:
            return token[0][1:-1]
        if token[0] == "[":
            return _items(tokens)
        if token[0] == "{":
            return _entries(tokens)
    raise GiveUpError


def _items(tokens: _Tokens) -> list[object]:
    items: list[object] = []
    for token in tokens:
        if token[0] == "]" and not items:
            return items
        items.append(_value(token, tokens))
        if _ends(tokens, "]"):
            return items
    raise GiveUpError


def _entries(tokens: _Tokens) -> dict[str, object]:
    entries: dict[str, object] = {}
    for token in tokens:
        if token[0] == "}" and not entries:
            return entries
        key = plain_key(token["key"] or "")
        if key in entries:
            raise GiveUpError
        entries[key] = _value(next(tokens, None), tokens)
        if _ends(tokens, "}"):
            return entries
    raise GiveUpError


def _ends(tokens: _Tokens, closing: str) -> bool:
    """Whether the collection is closed behind a value; False before a comma."""
    token = next(tokens, None)
    if token is None or token[0] not in (closing, ","):
        raise GiveUpError
    return token[0] == closing
