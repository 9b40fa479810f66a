"""Which authored scalar drives a built field: proven by changing it and building again."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from qoslint.render.kustomize import annotated
from qoslint.render.kustomize.identity import Identity
from qoslint.render.kustomize.leaves import Leaf, last_key, value_at
from qoslint.render.kustomize.probe import Sentinel, sentinel
from qoslint.source.document import YamlError, load
from qoslint.span import Path

MOST_BUILDS = 60
"""For one search; what is not found by then is told by its document."""

_MOST_SINGLE = 24
_SHORTEST_PART = 2
_SENTINEL = re.compile(r"zq\d{5}x|\b173\d{7}\b")


class Target(NamedTuple):
    """A field of a built document whose value is a scalar, or an empty collection."""

    document: int
    path: Path


Rebuild: TypeAlias = Callable[[Mapping[Leaf, Sentinel]], "Sequence[str] | None"]
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
                if not leaf.is_steering
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
            if isinstance(part, str) and _SHORTEST_PART <= len(part) < len(text) and part in text:
                yield leaf

    def _of_key(self, target: Target, value: object) -> Iterable[Leaf]:
        """Leaves under the same key."""
        return self._by_key[last_key(target.path)]

    def _one_by_one(self, wanted: Mapping[Target, object]) -> None:
        """Change what may change more than a value, and truth values, one in a build."""
        waiting = dict(wanted)
        chosen: dict[Leaf, None] = {}
        for target, value in wanted.items():
            ranked = [*self._alike(target, value), *self._equal(target, value)]
            if isinstance(value, bool):
                ranked += self._of_key(target, value)
            for leaf in ranked[:_MOST_SINGLE]:
                chosen[leaf] = None
        for leaf in chosen:
            waiting = {each: value for each, value in waiting.items() if each not in self.found}
            if not waiting:
                return
            self._try([leaf], waiting)

    def _try(self, chosen: Sequence[Leaf], waiting: Mapping[Target, object]) -> None:
        """Change all the leaves in one build; halve them where that does not build."""
        if not chosen or self._left <= 0:
            return
        self._left -= 1
        sentinels = {leaf: sentinel(number, leaf.value) for number, leaf in enumerate(chosen)}
        documents = self._rebuild(sentinels)
        if documents is None:
            if len(chosen) > 1:
                middle = len(chosen) // 2
                self._try(chosen[:middle], waiting)
                self._try(chosen[middle:], waiting)
            return
        self._read(documents, sentinels, waiting)

    def _read(
        self,
        documents: Sequence[str],
        sentinels: Mapping[Leaf, Sentinel],
        waiting: Mapping[Target, object],
    ) -> None:
        places = _places(self._identities, [annotated.identity(each) for each in documents])
        by_text = {str(each.value): leaf for leaf, each in sentinels.items()}
        single = next(iter(sentinels)) if len(sentinels) == 1 else None
        loaded: dict[int, object] = {}
        for target, before in waiting.items():
            number = places.get(target.document)
            if number is None or target in self.found:
                continue
            if number not in loaded:
                loaded[number] = _loaded(documents[number], single)
            after = value_at(loaded[number], target.path)
            if isinstance(before, bool):
                if single is not None and isinstance(after, bool) and after is not before:
                    self.found[target] = single
                continue
            names = _SENTINEL.findall(str(after)) if after is not None else []
            if names and names[-1] in by_text:
                self.found[target] = by_text[names[-1]]


def _loaded(document: str, single: Leaf | None) -> object:
    is_flip = single is not None and isinstance(single.value, bool)
    if not is_flip and _SENTINEL.search(document) is None:
        return None
    try:
        return load(document)
    except YamlError:
        return None


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
