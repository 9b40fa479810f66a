"""Which authored scalar drives a built field: proven by changing it and building again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from qoslint.finding import Json
from qoslint.render.kustomize import annotated
from qoslint.render.kustomize.identity import Identity
from qoslint.render.kustomize.leaves import Leaf, last_key, value_at
from qoslint.render.kustomize.probe import may_hold, number_in, sentinel
from qoslint.source.document import YamlError, load
from qoslint.span import Path

MOST_BUILDS = 60
"""For one search; what is not found by then is told by its document."""

_MOST_SINGLE = 12
_PARTS = frozenset({"newTag", "newName", "digest", "namePrefix", "nameSuffix"})


class Target(NamedTuple):
    """A field of a built document whose value is a scalar, or an empty collection."""

    document: int
    path: Path


Rebuild: TypeAlias = Callable[[Mapping[Leaf, Json]], "Sequence[str] | None"]
"""The documents that are built with changed leaves, None if that does not build."""


class Search:
    """One search for several fields of a build."""

    def __init__(self, leaves: Sequence[Leaf], documents: Sequence[str], rebuild: Rebuild) -> None:
        """`documents` are those of the build without changes."""
        self._leaves = leaves
        self._identities = [annotated.identity(each) for each in documents]
        self._rebuild = rebuild
        self._left = MOST_BUILDS
        self._by_value: defaultdict[object, list[Leaf]] = defaultdict(list)
        self._by_key: defaultdict[str, list[Leaf]] = defaultdict(list)
        for leaf in leaves:
            self._by_value[_comparable(leaf.value)].append(leaf)
            self._by_key[leaf.key].append(leaf)
        self._tested = frozenset(_tested(leaves))
        self.found: dict[Target, Leaf] = {}

    def search(self, wanted: Mapping[Target, object]) -> None:
        """Find what drives each of the fields, which come with their values."""
        self.found = {}
        for tier in (self._alike, self._equal, self._of_key):
            waiting = {each: value for each, value in wanted.items() if each not in self.found}
            if not waiting:
                return
            chosen = {
                leaf: None
                for target, value in waiting.items()
                if not isinstance(value, bool)
                for leaf in tier(target, value)
                if not (leaf.is_steering or _comparable(leaf.value) in self._tested)
            }
            self._try(list(chosen), waiting)
        self._one_by_one({each: value for each, value in wanted.items() if each not in self.found})

    def _alike(self, target: Target, value: object) -> Iterator[Leaf]:
        """Leaves of the same value under the same key."""
        key = last_key(target.path)
        return (leaf for leaf in self._by_value[_comparable(value)] if leaf.key == key)

    def _equal(self, target: Target, value: object) -> Iterator[Leaf]:
        """Leaves of the same value, or of a part of it."""
        yield from self._by_value[_comparable(value)]
        text = str(value)
        if not isinstance(value, str):
            yield from self._by_value[_comparable(text)]
            return
        for leaf in self._leaves:
            part = leaf.value
            # A single letter is in many texts, but a tag of an image may be one digit.
            shortest = 1 if leaf.key in _PARTS else 2
            if isinstance(part, str) and shortest <= len(part) < len(text) and part in text:
                yield leaf

    def _of_key(self, target: Target, value: object) -> Iterable[Leaf]:
        """Leaves under the same key."""
        return self._by_key[last_key(target.path)]

    def _one_by_one(self, wanted: Mapping[Target, object]) -> None:
        """Change what may change more than a value, and truth values, one in a build.

        The likeliest of each field comes first: it may be that of other fields too.
        """
        queues = {target: self._ranked(target, value) for target, value in wanted.items()}
        tried: set[Leaf] = set()
        for rank in range(_MOST_SINGLE):
            for target, queue in queues.items():
                if target in self.found or rank >= len(queue) or queue[rank] in tried:
                    continue
                tried.add(queue[rank])
                self._try([queue[rank]], wanted)

    def _ranked(self, target: Target, value: object) -> list[Leaf]:
        """Leaves from the likeliest on, under the same key before others."""
        alike = [*self._alike(target, value), *self._equal(target, value)]
        if isinstance(value, bool):
            alike += self._of_key(target, value)
        key = last_key(target.path)
        return sorted(dict.fromkeys(alike), key=lambda leaf: leaf.key != key)

    def _try(self, chosen: Sequence[Leaf], wanted: Mapping[Target, object]) -> None:
        """Change all the leaves in one build; halve them where that does not build."""
        if not chosen or self._left <= 0:
            return
        self._left -= 1
        sentinels = {leaf: sentinel(number, leaf) for number, leaf in enumerate(chosen)}
        documents = self._rebuild(sentinels)
        if documents is not None:
            self._read(documents, chosen, wanted)
        elif len(chosen) > 1:
            middle = len(chosen) // 2
            self._try(chosen[:middle], wanted)
            self._try(chosen[middle:], wanted)

    def _read(
        self, documents: Sequence[str], chosen: Sequence[Leaf], wanted: Mapping[Target, object]
    ) -> None:
        places = _places(self._identities, [annotated.identity(each) for each in documents])
        is_flip = len(chosen) == 1 and isinstance(chosen[0].value, bool)
        loaded: dict[int, object] = {}
        for target, before in wanted.items():
            place = places.get(target.document)
            if place is None or target in self.found:
                continue
            if place not in loaded:
                loaded[place] = (
                    _loaded(documents[place]) if is_flip or may_hold(documents[place]) else None
                )
            after = value_at(loaded[place], target.path)
            if is_flip:
                if isinstance(before, bool) and isinstance(after, bool) and after is not before:
                    self.found[target] = chosen[0]
                continue
            number = number_in(after)
            if number is not None and number < len(chosen):
                self.found[target] = chosen[number]


def _loaded(document: str) -> object:
    try:
        return load(document)
    except YamlError:
        return None


def _tested(leaves: Iterable[Leaf]) -> Iterator[object]:
    """The values that JSON patches insist on."""
    for leaf in leaves:
        if leaf.path[-1:] == ("value",):
            operation = value_at(leaf.text.document.data, leaf.path[:-1])
            if isinstance(operation, dict) and operation.get("op") == "test":
                yield _comparable(leaf.value)


def _places(before: Sequence[Identity], after: Sequence[Identity]) -> dict[int, int]:
    """For each document of a build its number in another one, where it is there."""
    if before == after:
        return {number: number for number in range(len(before))}
    numbers = {each: number for number, each in enumerate(after)}
    return {
        number: numbers[each] for number, each in enumerate(before) if each in numbers
    } | _by_order(before, after)


def _by_order(before: Sequence[Identity], after: Sequence[Identity]) -> dict[int, int]:
    """Those whose names changed, such as by a hash, where all kinds kept their places."""
    if [each.kind for each in before] != [each.kind for each in after]:
        return {}
    return {
        number: number
        for number, (one, other) in enumerate(zip(before, after, strict=True))
        if one == other or one not in after
    }


def _comparable(value: object) -> object:
    """Equal for what is the same value in YAML; 1 and true are not."""
    if isinstance(value, bool | dict | list):
        return type(value), bool(value)
    return value
