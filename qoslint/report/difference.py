"""A unified diff of a file that a fix changes, as `git apply` and `patch -p1` take it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from qoslint.report.visible import visible

_CONTEXT = 3
_FARTHEST = 200
_NO_LINE_END = "\\ No newline at end of file"


class _Change(NamedTuple):
    """Lines from `old` to `old_end` that become those from `new` to `new_end`."""

    old: int
    old_end: int
    new: int
    new_end: int


def unified(file: str, before: str, after: str) -> Iterator[str]:
    """The lines of the diff, empty if nothing changes.

    Hidden characters are shown: a file that holds some is then no longer the diff's.
    """
    old, new = _lines(before), _lines(after)
    name = visible(file)
    hunks = _hunks(list(_changes(old, new)))
    for number, hunk in enumerate(hunks):
        if number == 0:
            yield f"--- a/{name}"
            yield f"+++ b/{name}"
        yield from _hunk(hunk, old, new)


def _lines(text: str) -> list[str]:
    """The lines with their ends, as Git splits them."""
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop().removesuffix("\n")
    return [*lines, last] if last else lines


def _changes(old: Sequence[str], new: Sequence[str]) -> Iterator[_Change]:
    """The first and the next equal lines, looked for close by: a fix changes few at a place.

    A general search is quadratic where lines repeat, as those of manifests do.
    """
    at, there = 0, 0
    while at < len(old) or there < len(new):
        if old[at : at + 1] == new[there : there + 1]:
            at, there = at + 1, there + 1
            continue
        end, there_end = _next_equal(old, new, at, there)
        yield _Change(at, end, there, there_end)
        at, there = end, there_end


def _next_equal(old: Sequence[str], new: Sequence[str], at: int, there: int) -> tuple[int, int]:
    for distance in range(1, _FARTHEST):
        for skipped in range(distance + 1):
            end, there_end = at + skipped, there + distance - skipped
            if end < len(old) and there_end < len(new) and old[end] == new[there_end]:
                return end, there_end
    return len(old), len(new)


def _hunks(changes: Sequence[_Change]) -> Iterator[Sequence[_Change]]:
    """The changes in groups whose contexts do not meet."""
    group: list[_Change] = []
    for change in changes:
        if group and change.old - group[-1].old_end > 2 * _CONTEXT:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _hunk(changes: Sequence[_Change], old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    start = max(changes[0].old - _CONTEXT, 0)
    end = min(changes[-1].old_end + _CONTEXT, len(old))
    there = changes[0].new - (changes[0].old - start)
    there_end = changes[-1].new_end + (end - changes[-1].old_end)
    yield f"@@ -{_range(start, end)} +{_range(there, there_end)} @@"
    at = start
    for change in changes:
        yield from _marked(" ", old[at : change.old])
        yield from _marked("-", old[change.old : change.old_end])
        yield from _marked("+", new[change.new : change.new_end])
        at = change.old_end
    yield from _marked(" ", old[at:end])


def _range(start: int, end: int) -> str:
    return f"{start + 1 if end > start else start},{end - start}"


def _marked(mark: str, lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        text = line.removesuffix("\n")
        ending = "\r" if text.endswith("\r") else ""
        shown = "\t".join(map(visible, text.removesuffix("\r").split("\t")))
        yield f"{mark}{shown}{ending}"
        if text == line:
            yield _NO_LINE_END
