"""Who goes first on a node: each pod's rank in a scenario, and its earliest and latest rank."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from qoslint.kernel.eviction import NANOS, Key, exceeds_request, key_function, rank
from qoslint.kernel.signals import Signal
from qoslint.model.bounds import attainable, mirrored, most_before, runners
from qoslint.model.contenders import UNLIMITED, Contender, Limits, Scenario
from qoslint.model.witness import Bound, witness


class Rank(NamedTuple):
    """The earliest or latest rank of a pod, 1 for the first to go.

    `value` is exact over the intervals of all pods; `feasible` over those usages in them that also
    lie within the node's limits, None if none do.
    """

    value: int
    feasible: int | None

    @property
    def shown(self) -> bool:
        """Whether the node can show `value`; else only `feasible` is proven."""
        return self.value == self.feasible


class Row(NamedTuple):
    """A pod in a ranking; the rows stand in the order of the scenario."""

    pod: int
    """Index of the pod among the contenders."""
    position: int
    """In the scenario, 1 for the first to go; those that tie share the first of their places."""
    tie: bool
    usage: int
    exceeds_request: bool
    overage_nanos: int
    """Usage less request, in billionths."""
    earliest: Rank
    latest: Rank
    victim_earliest: Rank | None
    """Among those that can be evicted; None if the pod is critical and cannot."""
    victim_latest: Rank | None

    def bound(self, bound: Bound) -> Rank | None:
        """The rank of that name."""
        match bound:
            case Bound.EARLIEST:
                return self.earliest
            case Bound.LATEST:
                return self.latest
            case Bound.VICTIM_EARLIEST:
                return self.victim_earliest
            case Bound.VICTIM_LATEST:
                return self.victim_latest


class Witness(NamedTuple):
    """A scenario in which a pod gets a rank, first or last of those it ties with."""

    pod: int
    bound: Bound
    rank: int
    feasible: bool
    """Whether the usages and the daemons fit the node and meet the threshold."""
    scenario: Scenario


@dataclass(frozen=True, slots=True)
class Ranking:
    """The pods of a node, ranked for a signal in a scenario."""

    signal: Signal
    contenders: tuple[Contender, ...]
    limits: Limits
    scenario: Scenario
    rows: tuple[Row, ...]


class _Extent(NamedTuple):
    """The earliest and the latest rank of a pod."""

    earliest: Rank
    latest: Rank


def ranking(
    contenders: tuple[Contender, ...], signal: Signal, limits: Limits, scenario: Scenario
) -> Ranking:
    """Rank the pods; the bounds are over their intervals, whatever the scenario."""
    everyone = range(len(contenders))
    evictable = [index for index in everyone if not contenders[index].critical]
    extents = dict(_extents(contenders, signal, everyone, limits))
    # Without critical pods, victims are all pods.
    victims = extents
    if len(evictable) < len(contenders):
        victims = dict(_extents(contenders, signal, evictable, limits))
    usages = scenario.usages(contenders)
    candidates = [each.at(usage) for each, usage in zip(contenders, usages, strict=True)]
    rows: list[Row] = []
    for group in rank(candidates, signal):
        position = len(rows) + 1
        for index in group:
            usage, request, _, critical = candidates[index]
            extent, victim = extents[index], None if critical else victims[index]
            rows.append(
                Row(
                    index,
                    position,
                    len(group) > 1,
                    usages[index],
                    exceeds_request(signal, usage, request.nanos),
                    usages[index] * NANOS - request.nanos,
                    extent.earliest,
                    extent.latest,
                    victim and victim.earliest,
                    victim and victim.latest,
                )
            )
    return Ranking(signal, contenders, limits, scenario, tuple(rows))


def witnesses(ranking: Ranking, index: int) -> Iterator[Witness]:
    """A witness of each bound of the pod of that index, and of the feasible one if that differs."""
    row = next(row for row in ranking.rows if row.pod == index)
    for bound in Bound:
        found = row.bound(bound)
        if found is None:
            continue
        tried = [(found.feasible, ranking.limits)]
        if not found.shown:
            tried.insert(0, (found.value, UNLIMITED))
        for value, limits in tried:
            shown = witness(ranking.contenders, ranking.signal, index, bound, limits)
            if shown is not None and value is not None:
                yield Witness(index, bound, value, limits is ranking.limits, shown)


def _extents(
    contenders: Sequence[Contender], signal: Signal, counted: Sequence[int], limits: Limits
) -> Iterator[tuple[int, _Extent]]:
    """The extents of the counted pods among each other, while the others use something too."""
    first = {
        index: _key(contenders[index], signal, contenders[index].usage.hi) for index in counted
    }
    last = {index: _key(contenders[index], signal, contenders[index].usage.lo) for index in counted}
    all_first, all_last = sorted(first.values()), sorted(last.values())
    field = runners(contenders, signal)
    before = behind = None
    if attainable(field, limits):
        before = most_before(field, counted, limits)
        mirror = [runner.mirrored() for runner in field]
        behind = most_before(mirror, counted, mirrored(limits))
    for index in counted:
        yield (
            index,
            _Extent(
                Rank(
                    bisect_left(all_last, first[index]) + 1,
                    None if behind is None else len(counted) - behind[index],
                ),
                Rank(
                    bisect_right(all_first, last[index]),
                    None if before is None else before[index] + 1,
                ),
            ),
        )


def _key(contender: Contender, signal: Signal, usage: int) -> Key:
    return key_function(signal)(usage, contender.request.nanos, contender.priority)
