"""Who goes first on a node: each pod's rank in a scenario, and its earliest and latest rank."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import NamedTuple

from qoslint.kernel.eviction import NANOS, exceeds_request, rank
from qoslint.kernel.signals import Signal
from qoslint.model.bounds import attainable, mirrored, most_before, runners
from qoslint.model.contenders import UNLIMITED, Contender, Limits, Scenario
from qoslint.model.witness import Bound, Race, Witness, earliest, latest, race


class DecidingKey(StrEnum):
    """The first key in which two pods differ; the kubelet compares them in this order."""

    ABOVE_REQUEST = "aboveRequest"
    PRIORITY = "priority"
    OVERAGE = "overage"


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

    witnesses: tuple[Witness, ...]
    """Of each bound, and of the feasible one if that differs and there is one."""
    decided_by: DecidingKey | None = None
    """What puts it before the next that it does not tie with; None if there is none."""


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
    field = runners(contenders, signal)
    pods = race(field, range(len(contenders)))
    extents = dict(_extents(pods, limits))
    victims, victim_extents = pods, extents
    if any(each.critical for each in contenders):
        evictable = [index for index, each in enumerate(contenders) if not each.critical]
        victims = race(field, evictable)
        victim_extents = dict(_extents(victims, limits))
    usages = scenario.usages(contenders)
    candidates = [each.at(usage) for each, usage in zip(contenders, usages, strict=True)]
    rows: list[Row] = []
    for group in rank(candidates, signal):
        position = len(rows) + 1
        for index in group:
            usage, request, _, _ = candidates[index]
            extent, victim = extents[index], victim_extents.get(index)
            shown = _witnesses(pods, index, extent, (Bound.EARLIEST, Bound.LATEST), limits)
            if victim:
                bounds = Bound.VICTIM_EARLIEST, Bound.VICTIM_LATEST
                shown = chain(shown, _witnesses(victims, index, victim, bounds, limits))
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
                    tuple(shown),
                )
            )
    decided = tuple(reversed(tuple(_decided(rows, contenders))))
    return Ranking(signal, contenders, limits, scenario, decided)


def deciding_key(contenders: Sequence[Contender], one: Row, other: Row) -> DecidingKey | None:
    """Which key puts one of two pods before the other; None if they tie.

    `pkg/kubelet/eviction/helpers.go` exceedMemoryRequests or exceedDiskRequests, priority, and
    memory, disk or process; for PIDs the first is missing.
    """
    if one.position == other.position:
        return None
    if one.exceeds_request is not other.exceeds_request:
        return DecidingKey.ABOVE_REQUEST
    if contenders[one.pod].priority != contenders[other.pod].priority:
        return DecidingKey.PRIORITY
    return DecidingKey.OVERAGE


def _decided(rows: Sequence[Row], contenders: Sequence[Contender]) -> Iterator[Row]:
    """The rows, last first, each with what puts it before the next that it does not tie with."""
    last: Row | None = None
    behind: Row | None = None
    for row in reversed(rows):
        if last and last.position != row.position:
            behind = last
        last = row
        yield row._replace(decided_by=behind and deciding_key(contenders, row, behind))


def _extents(pods: Race, limits: Limits) -> Iterator[tuple[int, _Extent]]:
    """The extents of those that count among each other, while the others use something too."""
    field, counted = pods.field, pods.counted
    first = {index: field[index].key(field[index].hi) for index in counted}
    last = {index: field[index].key(field[index].lo) for index in counted}
    all_first, all_last = sorted(first.values()), sorted(last.values())
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


def _witnesses(
    pods: Race, index: int, extent: _Extent, bounds: tuple[Bound, Bound], limits: Limits
) -> Iterator[Witness]:
    for bound, found, rule in zip(bounds, extent, (earliest, latest), strict=True):
        if not found.shown:
            shown = rule(pods, index, found.value, UNLIMITED)
            yield Witness(index, bound, found.value, False, shown)
        if found.feasible is not None:
            shown = rule(pods, index, found.feasible, limits)
            yield Witness(index, bound, found.feasible, True, shown)
