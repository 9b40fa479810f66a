"""Which lines of a text a change touched, told from both texts."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from qoslint.span import split_lines

_MOST = 200
"""Lines between two anchors that are compared in all ways; more are taken to differ."""


def changed_lines(before: str, after: str) -> frozenset[int]:
    """The lines of the newer text, from 1, that the older has not at their place.

    Where lines were only taken out, the ones around the gap count: something of them is missing.
    """
    old, new = split_lines(before), split_lines(after)
    return frozenset(_changed(old, new))


def _changed(old: Sequence[str], new: Sequence[str]) -> Iterator[int]:
    at = there = 0
    for end, there_end, size in (*_equal(old, new), (len(old), len(new), 0)):
        yield from range(there + 1, there_end + 1)
        if end > at and there_end == there:
            yield from (line for line in (there, there + 1) if 0 < line <= len(new))
        at, there = end + size, there_end + size


def _equal(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Blocks of equal lines, in order: patience diff, which is n log n whatever the texts are."""
    start, most = 0, min(len(old), len(new))
    while start < most and old[start] == new[start]:
        start += 1
    end = 0
    while end < most - start and old[-1 - end] == new[-1 - end]:
        end += 1
    if start:
        yield 0, 0, start
    yield from _between(old, new, start, len(old) - end, start, len(new) - end)
    if end:
        yield len(old) - end, len(new) - end, end


def _between(
    old: Sequence[str], new: Sequence[str], lo: int, hi: int, new_lo: int, new_hi: int
) -> Iterator[tuple[int, int, int]]:
    at, there = lo, new_lo
    for one, other in (*_anchors(old[lo:hi], new[new_lo:new_hi]), (hi - lo, new_hi - new_lo)):
        one, other = one + lo, other + new_lo
        yield from _small(old, new, at, one, there, other)
        if one < hi:
            yield one, other, 1
        at, there = one + 1, other + 1


def _small(
    old: Sequence[str], new: Sequence[str], lo: int, hi: int, new_lo: int, new_hi: int
) -> Iterator[tuple[int, int, int]]:
    if not (0 < hi - lo <= _MOST and 0 < new_hi - new_lo <= _MOST):
        return
    matcher = SequenceMatcher(None, old[lo:hi], new[new_lo:new_hi], autojunk=False)
    for one, other, size in matcher.get_matching_blocks():
        if size:
            yield one + lo, other + new_lo, size


def _anchors(old: Sequence[str], new: Sequence[str]) -> Sequence[tuple[int, int]]:
    """Lines that are in each text once, as many of them as keep their order."""
    ours, theirs = Counter(old), Counter(new)
    places = {line: index for index, line in enumerate(new) if theirs[line] == 1}
    pairs = [
        (index, places[line])
        for index, line in enumerate(old)
        if ours[line] == 1 and line in places
    ]
    return _increasing(pairs)


def _increasing(pairs: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """The longest part of the pairs in which the second grows too."""
    ends: list[int] = []
    last: list[int] = []
    previous: list[int | None] = []
    for index, (_, there) in enumerate(pairs):
        length = bisect_left(ends, there)
        previous.append(last[length - 1] if length else None)
        if length < len(ends):
            ends[length], last[length] = there, index
        else:
            ends.append(there)
            last.append(index)
    found: list[tuple[int, int]] = []
    current = last[-1] if last else None
    while current is not None:
        found.append(pairs[current])
        current = previous[current]
    return found[::-1]
