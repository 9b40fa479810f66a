"""From wanted changes of a document's value to replacements in its text: exact, or none.

Each proposed replacement is made and the text read again: only if exactly the wanted change came
of it, and nothing else, is it one. Changes that touch different places are tried together, so a
document with thousands of them is read once more, not thousands of times.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from qoslint.finding import Replacement
from qoslint.source import jsontext, loading
from qoslint.source.change import NoEditError, Value, change, happened
from qoslint.source.cuts import cuts
from qoslint.source.document import Document, YamlError
from qoslint.source.locate import with_root
from qoslint.source.nodes import Node
from qoslint.source.removal import Cut
from qoslint.source.stream import pieces
from qoslint.span import Lines, Path, Position, Span

Edits = Sequence[tuple[Path, Value]]
"""What belongs together: a path in the document's value, and what shall be there."""

_REREAD_TIMES = 4
_REREAD_ALWAYS = 20_000
"""Characters of a small document that are read again without counting."""
# YAML 1.1 ends lines at these, editors do not: there, no span is sure.
_RARE_BREAKS = ("\x85", "\u2028", "\u2029")


class _Proposal(NamedTuple):
    number: int
    edits: Edits
    cuts: tuple[Cut, ...]


def replacements(document: Document, wanted: Sequence[Edits]) -> list[tuple[Replacement, ...]]:
    """For each of the wanted changes what makes it, whatever becomes of the others.

    Empty where nothing surely does.
    """
    sure: list[tuple[Replacement, ...]] = [() for _ in wanted]
    if not _is_editable(document):
        return sure
    paths = [path for edits in wanted for path, _ in edits]
    lines = Lines(document.text)
    proposals = with_root(document, paths, lambda root: _proposals(document, lines, root, wanted))
    for proposal in _verified(document, proposals):
        sure[proposal.number] = tuple(
            Replacement(document.source.path, _span(lines, cut, document.line - 1), cut.text)
            for cut in proposal.cuts
        )
    return sure


def apart(
    many: Iterable[Sequence[tuple[int, int]]], taken: Sequence[tuple[int, int]] = ()
) -> Iterator[int]:
    """The numbers of those whose stretches neither overlap nor touch those of an earlier one."""
    busy = sorted(taken)
    for number, stretches in enumerate(many):
        places = [bisect.bisect_left(busy, (start, -1)) for start, _ in stretches]
        free = all(
            (at == len(busy) or busy[at][0] > end) and (at == 0 or busy[at - 1][1] < start)
            for at, (start, end) in zip(places, stretches, strict=True)
        )
        if free:
            for stretch in stretches:
                bisect.insort(busy, stretch)
            yield number


def replaced(text: str, stretches: Iterable[Cut]) -> str:
    """The text with all the cuts made, which are apart from each other."""
    parts, done = [], 0
    for cut in sorted(stretches, key=lambda cut: (cut.start, cut.end)):
        parts += [text[done : cut.start], cut.text]
        done = cut.end
    return "".join([*parts, text[done:]])


def _is_editable(document: Document) -> bool:
    source = document.source
    # What was rendered has no text of its own to edit.
    if source.id != source.path or _has_rare_breaks(source.text):
        return False
    return not _is_flow(document.text) or jsontext.load(document.text) is not None


@lru_cache(maxsize=1)
def _has_rare_breaks(text: str) -> bool:
    return not text.isascii() and any(character in text for character in _RARE_BREAKS)


def _is_flow(text: str) -> bool:
    return text.lstrip()[:1] in ("{", "[")


def _proposals(
    document: Document, lines: Lines, root: Node, wanted: Sequence[Edits]
) -> list[_Proposal]:
    found = []
    for number, edits in enumerate(wanted):
        try:
            proposed = cuts(document.text, lines, root, document.data, change(edits))
        except NoEditError:
            continue
        if proposed:
            found.append(_Proposal(number, edits, proposed))
    return found


def _verified(document: Document, proposals: Sequence[_Proposal]) -> Iterator[_Proposal]:
    """Those that prove right, as far as the document may be read again."""
    left = _REREAD_TIMES * len(document.text) + _REREAD_ALWAYS
    batches = [list(proposals)]
    while batches and left > 0:
        batch, later = _tried_together(batches.pop())
        if later:
            batches.append(later)
        left -= len(document.text)
        if _proves(document, batch):
            yield from batch
        elif len(batch) > 1:
            batches += [batch[: len(batch) // 2], batch[len(batch) // 2 :]]


def _tried_together(batch: list[_Proposal]) -> tuple[list[_Proposal], list[_Proposal]]:
    stretches = [[(cut.start, cut.end) for cut in proposal.cuts] for proposal in batch]
    chosen = set(apart(stretches))
    return (
        [proposal for number, proposal in enumerate(batch) if number in chosen],
        [proposal for number, proposal in enumerate(batch) if number not in chosen],
    )


def _proves(document: Document, batch: Sequence[_Proposal]) -> bool:
    text = replaced(document.text, (cut for proposal in batch for cut in proposal.cuts))
    try:
        wanted = change(edit for proposal in batch for edit in proposal.edits)
        loaded = loading.load(text)
    except (NoEditError, YamlError):
        return False
    if _is_flow(text) and jsontext.load(text) is None:
        return False
    return (
        [piece.text for piece in pieces(text)] == [text]
        and len(loaded.complaints) == len(document.notices)
        and happened(wanted, document.data, loaded.value)
    )


def _span(lines: Lines, cut: Cut, shift: int) -> Span:
    start, end = lines.position(cut.start), lines.position(cut.end)
    return Span(Position(start.line + shift, start.column), Position(end.line + shift, end.column))
