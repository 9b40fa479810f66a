"""Where pods stand in the order of eviction, among those that are there at both revisions."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from qoslint.kernel.eviction import Key
from qoslint.kernel.signals import Signal
from qoslint.model.bounds import runners
from qoslint.model.change.pairs import ClusterPair, Pair
from qoslint.model.change.record import RankChange, Ranks
from qoslint.model.contenders import Contender
from qoslint.model.judged import JudgedCluster
from qoslint.model.kubelet import Kubelet
from qoslint.model.measured.join import NOT_MEASURED
from qoslint.model.noderanking import contest_of
from qoslint.model.population import population

_NAMED = 5
_EXPLAINED = 200


def rank_changes(
    clusters: ClusterPair, pairs: Sequence[Pair]
) -> Mapping[int, tuple[RankChange, ...]]:
    """The changes of each pair by its index, for memory, on the profiles of both revisions.

    Only pods that are on the node at both revisions are ranked: one that comes or goes changes the
    place of many, and their chances of none.
    """
    if clusters.before is None or clusters.after is None:
        return {}
    found: defaultdict[int, list[RankChange]] = defaultdict(list)
    earlier = {each.node.name: each for each in clusters.before.kubelets}
    for kubelet in clusters.after.kubelets:
        old = earlier.get(kubelet.node.name)
        if old is not None:
            for index, change in _on_node(clusters.before, old, clusters.after, kubelet, pairs):
                found[index].append(change)
    return {index: tuple(changes) for index, changes in found.items()}


def _on_node(
    before: JudgedCluster,
    old: Kubelet,
    after: JudgedCluster,
    new: Kubelet,
    pairs: Sequence[Pair],
) -> Iterator[tuple[int, RankChange]]:
    ours, theirs = _contenders(before, old), _contenders(after, new)
    common = [
        (index, id(pair.before), id(pair.after))
        for index, pair in enumerate(pairs)
        if id(pair.before) in ours and id(pair.after) in theirs
    ]
    was = _order([ours[key] for _, key, _ in common])
    now = _order([theirs[key] for _, _, key in common])
    explained = 0
    for place, (index, _, _) in enumerate(common):
        one, other = was.ranks(place), now.ranks(place)
        if one == other:
            continue
        names: tuple[str, ...] = ()
        if other.earliest < one.earliest and explained < _EXPLAINED:
            explained += 1
            lost = islice(_no_longer_before(place, was, now), _NAMED)
            names = tuple(_label(pairs[common[each][0]]) for each in lost)
        yield index, RankChange(new.node.name, len(common), one, other, names)


def _label(pair: Pair) -> str:
    assert pair.after is not None, "it is at both revisions"
    return pair.after.label


def _contenders(cluster: JudgedCluster, kubelet: Kubelet) -> Mapping[int, Contender]:
    """One pod of each workload on the node, by the identity of the admitted workload."""
    found = population(cluster, kubelet)
    contest = contest_of(found, kubelet, Signal.MEMORY, NOT_MEASURED, ())
    members = (id(member.admitted) for member in found.members)
    return dict(zip(members, contest.contenders, strict=True))


class _Order(NamedTuple):
    """The keys of pods at their most and at their least, as they stand and sorted."""

    first: Sequence[Key]
    last: Sequence[Key]
    all_first: Sequence[Key]
    all_last: Sequence[Key]
    by_last: Sequence[int]

    def ranks(self, index: int) -> Ranks:
        """The bounds of the rank of a pod, whatever all of them use."""
        earliest = bisect_left(self.all_last, self.first[index]) + 1
        return Ranks(earliest, bisect_right(self.all_first, self.last[index]))


def _order(contenders: Sequence[Contender]) -> _Order:
    field = runners(contenders, Signal.MEMORY)
    first = [each.key(each.hi) for each in field]
    last = [each.key(each.lo) for each in field]
    by_last = sorted(range(len(field)), key=last.__getitem__)
    return _Order(first, last, sorted(first), sorted(last), by_last)


def _no_longer_before(place: int, was: _Order, now: _Order) -> Iterator[int]:
    """Those that surely went before a pod, and no longer do."""
    for other in was.by_last:
        if was.last[other] >= was.first[place]:
            return
        if now.last[other] >= now.first[place]:
            yield other
