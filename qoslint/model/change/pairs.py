"""Which workload of one revision is which of the other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from qoslint.model.change.record import Fate
from qoslint.model.effective import Admitted
from qoslint.model.judged import JudgedCluster


class Pair(NamedTuple):
    """A workload at both revisions, or at one alone."""

    before: Admitted | None
    after: Admitted | None
    fate: Fate = Fate.KEPT


class ClusterPair(NamedTuple):
    """A cluster at both revisions, or at one alone."""

    before: JudgedCluster | None
    after: JudgedCluster | None

    @property
    def either(self) -> JudgedCluster:
        """The cluster of the newer revision; of the older one if it is gone."""
        found = self.after or self.before
        assert found is not None, "it is at one of the revisions"
        return found


def cluster_pairs(
    base: Sequence[JudgedCluster], head: Sequence[JudgedCluster]
) -> Iterator[ClusterPair]:
    """The clusters by name; two that are alone on their sides are one that was renamed."""
    before = {each.cluster.name: each for each in base}
    after = {each.cluster.name: each for each in head}
    gone = [name for name in before if name not in after]
    new = [name for name in after if name not in before]
    renamed = dict(zip(new, gone, strict=True)) if len(new) == len(gone) == 1 else {}
    for name, cluster in after.items():
        yield ClusterPair(before.get(renamed.get(name, name)), cluster)
    for name in gone:
        if name not in renamed.values():
            yield ClusterPair(before[name], None)


def pairs(clusters: ClusterPair) -> Iterator[Pair]:
    """The workloads of a cluster: by kind, namespace and name; then what moved or was renamed.

    What is left on both sides moved if only the namespace is another. It was renamed if it is of
    the same kind and in the same namespace, and has a pod like no other one, or stands in the same
    file as no other one.
    """
    gone = list(clusters.before.admitted) if clusters.before else []
    new = list(clusters.after.admitted) if clusters.after else []
    for fate, key in _KEYS:
        found = _matches(gone, new, key, several=fate is Fate.KEPT)
        yield from (Pair(before, after, fate) for before, after in found)
        done = {id(each) for match in found for each in match}
        gone = [each for each in gone if id(each) not in done]
        new = [each for each in new if id(each) not in done]
    yield from (Pair(each, None, Fate.REMOVED) for each in gone)
    yield from (Pair(None, each, Fate.ADDED) for each in new)


_Key = Callable[[Admitted], Hashable]


def _matches(
    gone: Iterable[Admitted], new: Iterable[Admitted], key: _Key, *, several: bool
) -> list[tuple[Admitted, Admitted]]:
    """Those that a key tells apart from all others of their side; or the first with the first."""
    before, after = _grouped(gone, key), _grouped(new, key)
    return [
        match
        for each, items in before.items()
        if several or len(items) == len(after.get(each, ())) == 1
        for match in zip(items, after.get(each, ()), strict=False)
    ]


def _grouped(items: Iterable[Admitted], key: _Key) -> dict[Hashable, list[Admitted]]:
    found: defaultdict[Hashable, list[Admitted]] = defaultdict(list)
    for item in items:
        if (value := key(item)) is not None:
            found[value].append(item)
    return found


def _named(item: Admitted) -> Hashable:
    thing = item.workload.object
    return thing.group, thing.kind, item.namespace, thing.name, item.workload.template


def _named_anywhere(item: Admitted) -> Hashable:
    thing = item.workload.object
    return thing.group, thing.kind, thing.name, item.workload.template


def _made_like(item: Admitted) -> Hashable:
    thing = item.workload.object
    made = item.effective.authored if item.effective else None
    return made and (thing.group, thing.kind, item.namespace, item.workload.template, made)


def _written_in(item: Admitted) -> Hashable:
    thing = item.workload.object
    return thing.group, thing.kind, item.namespace, item.workload.template, thing.file


_KEYS: tuple[tuple[Fate, _Key], ...] = (
    (Fate.KEPT, _named),
    (Fate.MOVED, _named_anywhere),
    (Fate.RENAMED, _made_like),
    (Fate.RENAMED, _written_in),
)
