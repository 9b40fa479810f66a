"""Which keys of a release's values drive which fields, found by trying them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path as FilePath
from typing import NamedTuple

from qoslint.finding import Part
from qoslint.render.helm import sentinels, values
from qoslint.render.helm.arrivals import Arrivals, arrived, misplaced
from qoslint.render.helm.prepare import Prepared
from qoslint.render.helm.records import Rendered
from qoslint.render.helm.rerender import Budget, Texts, Trial, Trying, rerender
from qoslint.render.helm.sentinels import Candidate, Leaf
from qoslint.source.document import Document
from qoslint.span import Path, value_at


class Wanted(NamedTuple):
    """A field of a document that one template rendered to; `template` is its `Template.name`."""

    template: str
    document: Document
    path: Path
    part: Part = Part.ENTRY


class Driven(NamedTuple):
    """What was found."""

    leaves: tuple[tuple[Leaf, ...], ...]
    """For each wanted field those that drive it, best first."""
    misplaced: tuple[tuple[Candidate, str, int], ...]
    """Keys of resources whose values arrive beside `resources`: the template and line there."""
    guessed: frozenset[int] = frozenset()
    """The wanted fields whose key could not be tried, and is the only one with their value."""


class Attempt:
    """The trials for the wanted fields of one render; `folder` is a copy of the chart."""

    def __init__(
        self,
        prepared: Prepared,
        rendered: Rendered,
        wanted: Sequence[Wanted],
        folder: FilePath,
        budget: Budget,
    ) -> None:
        """Choose the keys to try."""
        self.budget = budget
        self._prepared = prepared
        self._folder = folder
        self._wanted = wanted
        self._names = {template.name for template in rendered.templates}
        self._merged = values.merged(prepared.tree, prepared.values)
        self._now = [value_at(each.document.data, each.path) for each in wanted]
        fields = list(zip((each.path for each in wanted), self._now, strict=True))
        self._stated = sentinels.candidates(prepared, self._merged, fields)
        self._unset = sentinels.unset(prepared, self._merged, self._stated)
        # Of all that holds more than resources, no one key is the origin.
        self._open = [
            "resources" in each.path or not isinstance(now, dict | list)
            for each, now in zip(wanted, self._now, strict=True)
        ]
        self._hits: list[list[tuple[Candidate, tuple[Leaf, ...]]]] = [[] for _ in wanted]
        self._misplaced: list[tuple[Candidate, str, int]] = []

    def together(self) -> list[Trial]:
        """The trials that tell which keys are worth a trial of their own: all at once."""
        return [self._trial(self._stated), self._trial(self._unset)]

    def drive(self, answers: Sequence[Texts]) -> Trying[Driven]:
        """Try what the answers to `together` make likely; then the rest if a field needs it."""
        first = self._arriving(Arrivals(answers[0], _tokens(self._stated)))
        likely = [each for each in self._stated if self._may_drive(each, first)]
        second = self._arriving(Arrivals(answers[1], _tokens(self._unset)))
        likely += [each for each in self._unset if _tokens([each]) & second]
        yield from self._try(likely)
        tried = {each.key for each in likely}
        if any(self._unexplained()):
            yield from self._try([each for each in self._stated if each.key not in tried])
        if any(self._unexplained()) and not answers[1]:
            yield from self._try(self._unset)
        guessed = frozenset(self._guess() if self.budget.is_spent else ())
        ordered = (
            sorted(hits, key=partial(_rank, now))
            for hits, now in zip(self._hits, self._now, strict=True)
        )
        return Driven(
            tuple(tuple(leaf for _, leaves in hits for leaf in leaves) for hits in ordered),
            tuple(self._misplaced),
            guessed,
        )

    def _trial(self, chosen: Iterable[Candidate]) -> Trial:
        leaves = (leaf for each in chosen for leaf in each.leaves)
        return Trial(self._folder, sentinels.put(self._prepared.values, self._merged, leaves))

    def _arriving(self, texts: Arrivals) -> set[str]:
        """The tokens that arrive at any wanted field."""
        found = (
            arrived(texts, each.template, each.document, each.path)
            for each, is_open in zip(self._wanted, self._open, strict=True)
            if is_open
        )
        return set().union(*found)

    def _may_drive(self, candidate: Candidate, arriving: set[str]) -> bool:
        """Whether it arrived or fell short of it, or states what a wanted field says."""
        shown = [value for value in self._now if not isinstance(value, dict | list)]
        return any(
            leaf.token in arriving or (leaf.before is not None and leaf.before in shown)
            for leaf in candidate.leaves
        )

    def _try(self, chosen: Sequence[Candidate]) -> Trying[None]:
        """Note where each candidate arrives in the render that it is alone in."""
        trials = [self._trial([each]) for each in chosen]
        answers = yield from rerender(self.budget, self._prepared, trials)
        for candidate, answer in zip(chosen, answers, strict=True):
            texts = Arrivals(answer, _tokens([candidate]))
            for hits, each, is_open in zip(self._hits, self._wanted, self._open, strict=True):
                if not is_open:
                    continue
                found = arrived(texts, each.template, each.document, each.path)
                leaves = tuple(leaf for leaf in candidate.leaves if leaf.token in found)
                if leaves:
                    hits.append((candidate, leaves))
            place = misplaced(texts) if len(candidate.leaves) > 1 else None
            if candidate.exists and place is not None and place[0] in self._names:
                self._misplaced.append((candidate, *place))

    def _guess(self) -> Iterator[int]:
        """For fields without a key the one key that has their value, when no render is left."""
        for number, now in enumerate(self._now):
            same: list[tuple[Candidate, tuple[Leaf, ...]]] = [
                (each, (leaf,))
                for each in self._stated
                for leaf in each.leaves
                if now is not None and leaf.before == now
            ]
            if len(same) == 1 and not self._hits[number]:
                self._hits[number] = same
                yield number

    def _unexplained(self) -> Iterator[Wanted]:
        """The fields of resources that no key drives yet."""
        for each, hits in zip(self._wanted, self._hits, strict=True):
            if "resources" in each.path and not hits:
                yield each


def _tokens(chosen: Iterable[Candidate]) -> set[str]:
    return {leaf.token for each in chosen for leaf in each.leaves}


def _rank(now: object, hit: tuple[Candidate, tuple[Leaf, ...]]) -> tuple[bool, bool, int]:
    """What sorts first: a key that says what the field says, that exists, that is short."""
    candidate, leaves = hit
    same = any(leaf.before is not None and leaf.before == now for leaf in leaves)
    return (not same, not candidate.exists, len(candidate.key))
