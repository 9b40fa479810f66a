"""The renders of a run: each input once, and not at all where an earlier run kept its outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from qoslint.cache import Cache
from qoslint.render.bench import Bench
from qoslint.render.foundplaces import ONCE, FoundPlaces
from qoslint.render.identity import identity
from qoslint.render.kept import Kept, decoded, encoded, kept, named
from qoslint.render.shared import Shared
from qoslint.render.target import Outcome, Target, Text
from qoslint.render.text import held_by
from qoslint.source.document import Document, Origin

_MakeBench: TypeAlias = Callable[[Origin], Bench]
Render: TypeAlias = Callable[[Sequence[Target], Bench], Iterable[Outcome]]


class Renders:
    """What the targets of a run render to. The places in it are found when they are asked for."""

    def __init__(self, bench: _MakeBench, render: Render, cache: Cache, shared: Shared) -> None:
        """`render` renders targets of which nothing is known."""
        self._places = FoundPlaces(self._completed, cache, shared.places)
        self.bench = bench(self._places)
        self._render = render
        self._cache = cache
        self._whole = shared.whole
        self._known = shared.kept
        self._numbers = shared.numbers

    def rendered(self, targets: Sequence[Target]) -> list[Outcome]:
        """What becomes of each target."""
        return self._outcomes([(self._key(each), each) for each in targets], self._kept)

    def whole(self, targets: Sequence[Target]) -> list[Outcome]:
        """The same, with the data that is not kept."""
        return self._outcomes([(self._key(each), each) for each in targets], lambda _: None)

    def keep_places(self) -> None:
        """Keep what was found of places so far."""
        self._places.keep()

    def _completed(self, wanted: Mapping[str, Target]) -> Mapping[str, Outcome]:
        """What was rendered for these keys, in this run or now."""
        missing = [(key, target) for key, target in wanted.items() if key not in self._whole]
        self._outcomes(missing, lambda _: None)
        return self._whole

    def _key(self, target: Target) -> str:
        found = identity(target, self.bench, self._identify)
        return found or f"{ONCE}{next(self._numbers)}"

    def _identify(self, document: Document) -> str:
        key, _, name = self._places.held(document)
        if key.startswith(ONCE):
            return f"{document.source.id} {document.source.text}"
        return f"{key} {name} {document.number}"

    def _kept(self, key: str) -> Kept | None:
        if key.startswith(ONCE):
            return None
        if key not in self._known:
            self._known[key] = decoded(self._cache.get(key))
        return self._known[key]

    def _outcomes(
        self, asked: Sequence[tuple[str, Target]], known: Callable[[str], Kept | None]
    ) -> list[Outcome]:
        found = {key: known(key) for key in dict(asked) if key not in self._whole}
        missing = {key: target for key, target in asked if key in found and found[key] is None}
        fresh = self._rendered(missing.values())
        for key, target in missing.items():
            found[key] = self._taken(key, fresh[id(target)])
        outcomes = {
            id(target): fresh.get(id(target)) or self._again(key, target, found.get(key))
            for key, target in asked
        }
        # What may fail otherwise the next time is tried for each.
        failed = self._rendered(each for _, each in asked if outcomes[id(each)] is None)
        told = [outcomes[id(each)] or failed[id(each)] for _, each in asked]
        for (key, _), outcome in zip(asked, told, strict=True):
            self._places.hold(key, outcome)
        return told

    def _rendered(self, targets: Iterable[Target]) -> Mapping[int, Outcome]:
        """What becomes of targets of which nothing is known, by their identities."""
        wanted = list(targets)
        if not wanted:
            return {}
        return {id(each.target): each for each in self._render(wanted, self.bench)}

    def _taken(self, key: str, outcome: Outcome) -> Kept | None:
        """What of the outcome is kept."""
        if not outcome.errors:
            self._whole[key] = outcome
        # What was copied may be newer than what the key tells of.
        if key.startswith(ONCE) or self.bench.checkout.is_changed:
            return None
        value = kept(outcome)
        if value is not None:
            self._cache.put(key, encoded(value))
            if outcome.errors:  # else the whole outcome is known
                self._known[key] = value
        return value

    def _again(self, key: str, target: Target, found: Kept | None) -> Outcome | None:
        """The outcome of a target by what is known of its key; None if that is of no use."""
        whole = self._whole.get(key)
        if whole is not None:
            found = Kept(whole.inputs, named(whole), emptied=whole.emptied)
        if found is None:
            return None
        if found.refused:
            return self.bench.failed(target, *(each.error() for each in found.refused))
        texts = [Text(f"{target.id}{name}", text) for name, text in found.texts]
        guessed = found.emptied.holders if found.emptied else frozenset()
        outcome = held_by(target, found.inputs, texts, self.bench, guessed)
        return outcome._replace(withheld=found.withheld, emptied=found.emptied)
