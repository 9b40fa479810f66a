"""Labels: the segments of folders that tell variants apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from qoslint.model.inventory import Item

Labels: TypeAlias = frozenset[str]


class Labelled(NamedTuple):
    """The items of all folders that have the same labels in their path."""

    labels: Labels
    order: tuple[str, ...]
    """The labels in the order of the path."""
    items: tuple[Item, ...]


NO_LABELS = Labelled(frozenset(), (), ())


class LabelIndex:
    """The groups of a repository, found by labels without looking at each."""

    def __init__(self, groups: Iterable[Labelled]) -> None:
        """File each group under one of its labels."""
        self.groups = tuple(groups)
        self._by_label: dict[str, list[Labelled]] = {}
        for group in self.groups:
            self._by_label.setdefault(min(group.labels, default=""), []).append(group)

    def within(self, wanted: Labels) -> Iterator[Labelled]:
        """The groups that have no other labels than the wanted ones."""
        for label in ("", *sorted(wanted)):
            for group in self._by_label.get(label, ()):
                if group.labels <= wanted:
                    yield group


def labels(conflicts: Iterable[list[Item]]) -> Labels:
    """The first segments in which the folders of different definitions of one object differ."""
    found: set[str] = set()
    for items in conflicts:
        folders = sorted((item.folder.split("/"), item.content()) for item in items)
        for (one, content), (other, other_content) in pairwise(folders):
            if content != other_content:
                found.update(_first_difference(one, other))
    return frozenset(found - {""})


def labelled(items: Iterable[Item], known: Labels) -> Iterator[Labelled]:
    """The items grouped by the labels of their folders, the groups in order of their first item."""
    orders: dict[str, tuple[str, ...]] = {}
    grouped: dict[Labels, list[Item]] = {}
    for item in items:
        if item.folder not in orders:
            segments = item.folder.split("/")
            orders[item.folder] = tuple(dict.fromkeys(s for s in segments if s in known))
        grouped.setdefault(frozenset(orders[item.folder]), []).append(item)
    for found, group in grouped.items():
        yield Labelled(found, orders[group[0].folder], tuple(group))


def _first_difference(one: list[str], other: list[str]) -> list[str]:
    """The segment of each path behind what both start with; none where a path ends there."""
    shared = sum(1 for _ in _common(one, other))
    return [*one[shared : shared + 1], *other[shared : shared + 1]]


def _common(one: list[str], other: list[str]) -> Iterator[str]:
    for a, b in zip(one, other, strict=False):
        if a != b:
            return
        yield a
