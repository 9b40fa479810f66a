"""Documents written as JSON: read by JSON's own rules, which allow what YAML's parser refuses.

JSON has escaped surrogates (`"\\ud83d\\ude00"`) and keys of any length. What is unusual here is
left to the YAML reader: JSON is YAML but for those.
"""

from __future__ import annotations

import json
import math
import re
from typing import NamedTuple

_MIN_INT64 = -(2**63)
_MAX_UINT64 = 2**64 - 1
_SURROGATE = re.compile(r"\\[uU][dD][89a-fA-F]")
# Escapes are read from left to right, so that an escaped backslash never starts another escape.
_ESCAPE = re.compile(
    r"(?P<pair>\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|(?P<lone>\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\."
)


class JsonValue(NamedTuple):
    """A JSON value, and whether one of its objects has a key twice (the last counts)."""

    value: object
    duplicates: bool


def load(text: str) -> JsonValue | None:
    """The value of a text that is one JSON object or array; None for anything else."""
    if text.lstrip(" \t\r\n")[:1] not in ("{", "["):
        return None
    duplicates = False

    def mapping(pairs: list[tuple[str, object]]) -> dict[str, object]:
        nonlocal duplicates
        found = dict(pairs)
        duplicates = duplicates or len(found) != len(pairs)
        return found

    try:
        value = json.loads(
            _without_lone_surrogates(text), object_pairs_hook=mapping, parse_constant=_refuse
        )
    except (ValueError, RecursionError):
        return None
    return JsonValue(value, duplicates)


def string(text: str) -> str | None:
    """The value of a text that is one JSON string; None for anything else."""
    try:
        value = json.loads(_without_lone_surrogates(text))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, str) else None


def is_bounded(value: object, max_depth: int, max_nodes: int) -> bool:
    """Whether the value is within the bounds, and its numbers within those of Go."""
    level, nodes, depth = [value], 0, -1
    while level:
        nodes += len(level)
        depth += 1
        if depth > max_depth or nodes > max_nodes or not all(map(_in_range, level)):
            return False
        level = [
            child
            for parent in level
            if isinstance(parent, dict | list)
            for child in (parent.values() if isinstance(parent, dict) else parent)
        ]
    return True


def without_surrogates(text: str) -> str:
    """The text with each escaped surrogate replaced by an escape of the same length.

    YAML's parser then reads it, and every position stays.
    """
    if _SURROGATE.search(text) is None:
        return text
    return _ESCAPE.sub(_replaced, text)


def _without_lone_surrogates(text: str) -> str:
    """As Go reads them: half a pair is U+FFFD."""
    if _SURROGATE.search(text) is None:
        return text
    return _ESCAPE.sub(lambda found: "\\ufffd" if found["lone"] else found[0], text)


def _replaced(escape: re.Match[str]) -> str:
    if escape["pair"]:
        return "\\ufffd\\ufffd"
    return "\\ufffd" if escape["lone"] else escape[0]


def _in_range(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, int):
        return _MIN_INT64 <= value <= _MAX_UINT64
    return True


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is not JSON")
