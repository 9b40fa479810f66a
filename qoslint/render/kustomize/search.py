"""Which authored scalar drives a built field: proven by changing it and building again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from qoslint.finding import Json
from qoslint.render.kustomize import annotated
from qoslint.render.kustomize.identity import Identity
from qoslint.render.kustomize.leaves import Leaf, last_key
from qoslint.render.kustomize.probe import may_hold, number_in, sentinel
from qoslint.source.document import YamlError, load
from qoslint.span import Path, value_at

MOST_BUILDS = 40
"""For one search; what is not found by then is told by its document."""

_MOST_TURNS = 12
_PARTS = frozenset({"newTag", "newName", "digest", "namePrefix", "nameSuffix"})


class Target(NamedTuple):
    """A field of a built document whose value is a scalar, or an empty collection."""

    document: int
    path: Path


class _Look(NamedTuple):
    """What is looked for: a value under a key. Fields with the same have the same candidates.

    An empty collection stands as its text.
    """

    key: str
    value: str | int | float | bool
    comparable: Hashable


def _look(target: Target, value: object) -> _Look:
    shown = value if isinstance(value, str | int | float | bool) else str(value)
    return _Look(last_key(target.path), shown, _comparable(value))


Rebuild: TypeAlias = Callable[[Mapping[Leaf, Json]], "Sequence[str] | None"]
"""The documents that are built with changed leaves, None if that does not build."""


class Search:
    """One search for several fields of a build."""

    def __init__(self, leaves: Sequence[Leaf], documents: Sequence[str], rebuild: Rebuild) -> None:
        """`documents` are those of the build without changes."""
        self._identities = [annotated.identity(each) for each in documents]
        self._rebuild = rebuild
        self._left = MOST_BUILDS
        self._by_value: defaultdict[Hashable, list[Leaf]] = defaultdict(list)
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
            waiting = self._waiting(wanted)
            if not waiting:
                return
            looks = {_look(target, value) for target, value in waiting.items()}
            chosen = {
                leaf: None
                for look in sorted(looks, key=repr)
                if not isinstance(look.value, bool)
                for leaf in tier(look)
                if not (leaf.is_steering or _comparable(leaf.value) in self._tested)
            }
            self._try(list(chosen), waiting)
        self._in_turn(self._waiting(wanted))

    def _waiting(self, wanted: Mapping[Target, object]) -> dict[Target, object]:
        return {each: value for each, value in wanted.items() if each not in self.found}

    def _alike(self, look: _Look) -> list[Leaf]:
        """Leaves of the same value under the same key."""
        return [leaf for leaf in self._by_value[look.comparable] if leaf.key == look.key]

    def _equal(self, look: _Look) -> list[Leaf]:
        """Leaves of the same value, or of a part of it."""
        found = self._by_value[look.comparable]
        if not isinstance(look.value, str):
            return [*found, *self._by_value[str(look.value)]]
        longest = len(look.value)
        # A single letter is in many texts, but a tag of an image may be one digit.
        parts = (
            leaf
            for value, leaves in self._by_value.items()
            if isinstance(value, str) and len(value) < longest and value in look.value
            for leaf in leaves
            if len(value) > 1 or leaf.key in _PARTS
        )
        return [*found, *parts]

    def _of_key(self, look: _Look) -> list[Leaf]:
        """Leaves under the same key."""
        return self._by_key[look.key]

    def _in_turn(self, wanted: Mapping[Target, object]) -> None:
        """Change what may change more than a value: in each build one candidate of each field.

        What alone has the value under the key needs no proof. Truth values have no value that
        nothing else has, so of them one is changed at a time.
        """
        queues: dict[_Look, list[Leaf]] = {}
        for target, value in wanted.items():
            look = _look(target, value)
            if look not in queues:
                queues[look] = self._ranked(look)
            alike = [leaf for leaf in queues[look] if leaf.key == look.key][:2]
            if len(alike) == 1 and _comparable(alike[0].value) == look.comparable:
                self.found[target] = alike[0]
        for rank in range(_MOST_TURNS):
            looks = dict.fromkeys(_look(*each) for each in self._waiting(wanted).items())
            chosen = dict.fromkeys(queues[look][rank] for look in looks if rank < len(queues[look]))
            self._try([leaf for leaf in chosen if not isinstance(leaf.value, bool)], wanted)
            for leaf in chosen:
                if isinstance(leaf.value, bool):
                    self._try([leaf], wanted)

    def _ranked(self, look: _Look) -> list[Leaf]:
        """Leaves from the likeliest on, under the same key before others."""
        found = [*self._alike(look), *self._equal(look)]
        if isinstance(look.value, bool):
            found += self._of_key(look)
        return sorted(dict.fromkeys(found), key=lambda leaf: leaf.key != look.key)

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


def _comparable(value: object) -> Hashable:
    """Equal for what is the same value in YAML; 1 and true are not."""
    if isinstance(value, bool | dict | list):
        return type(value), bool(value)
    return value
