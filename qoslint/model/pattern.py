"""Patterns of names: a star stands for any characters, and nothing else is special."""

from __future__ import annotations

from collections.abc import Iterable


def fits_any(name: str, patterns: Iterable[str]) -> bool:
    """Whether one of the patterns fits the whole name."""
    return any(fits(name, pattern) for pattern in patterns)


def fits(name: str, pattern: str) -> bool:
    """Whether the pattern fits the whole name, in a time that many stars do not multiply."""
    # The first place of each piece is as good as any later one: no need to go back.
    first, *pieces = pattern.split("*")
    if not pieces:
        return name == first
    *inner, last = pieces
    if not name.startswith(first):
        return False
    position = len(first)
    for piece in inner:
        found = name.find(piece, position)
        if found < 0:
            return False
        position = found + len(piece)
    return len(name) - position >= len(last) and name.endswith(last)
