"""The places in what was rendered: looked for together, and only what no run found yet."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from qoslint.cache import Cache
from qoslint.finding import Location
from qoslint.render.plain import kind_of
from qoslint.render.target import Outcome, Target
from qoslint.source.document import Broken, Document, Origin, Wanted, documents
from qoslint.span import START, Position, Span

ONCE = "once: "
"""Starts the keys of what is rendered anew each time."""

_How: TypeAlias = Literal["exact", "likely"]
_Complete: TypeAlias = Callable[[Mapping[str, Target]], Mapping[str, Outcome]]


class Held(NamedTuple):
    """What a text of this run is: the one of a name, in what a key stands for."""

    key: str
    target: Target
    name: str


class FoundPlaces:
    """The origin of all that a run renders."""

    def __init__(
        self, complete: _Complete, cache: Cache, found: dict[str, dict[str, Location]]
    ) -> None:
        """`complete` tells what was rendered for keys, wholly, each with an origin of its own.

        `found` are the places that are known, by key and there by field.
        """
        self._complete = complete
        self._cache = cache
        self._held: dict[str, Held] = {}
        self._found = found
        self._changed: set[str] = set()

    def hold(self, key: str, outcome: Outcome) -> None:
        """Take the texts of an outcome for what the key stands for."""
        start = len(outcome.target.id)
        for source in outcome.sources:
            self._held[source.id] = Held(key, outcome.target, source.id[start:])

    def held(self, document: Document | Broken) -> Held:
        """What the text of a document is."""
        return self._held[document.source.id]

    def locate(self, wanted: Sequence[Wanted]) -> Sequence[Location]:
        """The place of each field, or of what a person would edit to have it."""
        found = self._told(wanted, "exact")
        self.keep()
        return found

    def likely(self, wanted: Wanted) -> Location:
        """Where a field most likely stands."""
        [found] = self._told([wanted], "likely")
        return found

    def keep(self) -> None:
        """Keep for the next run what was found."""
        for key in sorted(self._changed):
            places = {field: _encoded(place) for field, place in self._found[key].items()}
            self._cache.put(f"{key} places", places)
        self._changed.clear()

    def _told(self, wanted: Sequence[Wanted], how: _How) -> list[Location]:
        missing = [each for each in wanted if self._field(each, how) not in self._known(each)]
        if missing:
            self._find(missing, how)
        return [self._known(each)[self._field(each, how)] for each in wanted]

    def _known(self, wanted: Wanted) -> dict[str, Location]:
        key = self.held(wanted.document).key
        if key not in self._found:
            kept = None if key.startswith(ONCE) else self._cache.get(f"{key} places")
            self._found[key] = dict(_decoded(kept))
        return self._found[key]

    def _field(self, wanted: Wanted, how: _How) -> str:
        name = self.held(wanted.document).name
        return json.dumps([how, name, wanted.document.number, wanted.path, wanted.part])

    def _find(self, missing: Sequence[Wanted], how: _How) -> None:
        held = [self.held(each.document) for each in missing]
        whole = self._complete({each.key: each.target for each in held})
        inner: defaultdict[Origin, list[tuple[Wanted, Wanted]]] = defaultdict(list)
        for wanted, (key, target, name) in zip(missing, held, strict=True):
            outcome = whole.get(key)
            same = outcome and _in_whole(wanted, name, outcome)
            if outcome is None or outcome.origin is None or same is None:
                # It does not render any more.
                place = Location(target.file, START, exact=False)
                self._known(wanted)[self._field(wanted, how)] = place
            else:
                inner[outcome.origin].append((wanted, same))
            if not key.startswith(ONCE):
                self._changed.add(key)
        for origin, pairs in inner.items():
            asked = [each for _, each in pairs]
            found = origin.locate(asked) if how == "exact" else map(origin.likely, asked)
            for (wanted, _), place in zip(pairs, found, strict=True):
                self._known(wanted)[self._field(wanted, how)] = place


def _in_whole(wanted: Wanted, name: str, outcome: Outcome) -> Wanted | None:
    """The same field in what was rendered wholly; None if it is not there."""
    document = wanted.document
    for source, reading in zip(outcome.sources, outcome.readings, strict=True):
        if source.id != f"{outcome.target.id}{name}":
            continue
        if (source.id, source.text) == (document.source.id, document.source.text):
            return wanted
        kind = document.kind if isinstance(document, Broken) else kind_of(document.data)
        for item in (*reading.broken, *documents(source, frozenset({kind or ""}))):
            if item.number == document.number and isinstance(item, Document | Broken):
                return wanted._replace(document=item)
    return None


def _encoded(place: Location) -> object:
    (start, end) = place.span
    return [place.file, *start, *end, place.exact]


def _decoded(kept: object) -> Iterator[tuple[str, Location]]:
    """The places by field, as far as they are any."""
    for field, place in kept.items() if isinstance(kept, dict) else ():
        match place:
            case [str(file), int(line), int(column), int(last), int(end), bool(exact)] if line > 0:
                span = Span(Position(line, column), Position(last, end))
                yield field, Location(file, span, exact)
