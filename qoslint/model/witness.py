"""Usages that show a bound, as a rule: the smallest that reach it.

The argument is that of `qoslint/model/bounds.py`. The usages of all pods in a witness for each pod
of a node would be quadratic. But every one of them follows one rule, of which four numbers differ:
the others start alike, at their least or at their most; some of them move just past the pod, those
first that need to move least; and if the threshold is still not met, or no longer, the others go
on until it is. How many pods move is the bound itself, so that the rules of all pods together take
n log n, and so does working out the usages of all pods by one of them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from enum import StrEnum
from itertools import islice
from typing import NamedTuple

from qoslint.kernel.eviction import Key
from qoslint.kernel.signals import Signal
from qoslint.model.bounds import Runner, cheapest, runners, start
from qoslint.model.contenders import Contender, Limits, Rest, Scenario, scenario


class Bound(StrEnum):
    """A rank of a pod in the worst or the best case; among victims, critical pods do not count."""

    EARLIEST = "earliest"
    LATEST = "latest"
    VICTIM_EARLIEST = "victimEarliest"
    VICTIM_LATEST = "victimLatest"

    @property
    def among_victims(self) -> bool:
        """Whether critical pods do not count."""
        return self in (Bound.VICTIM_EARLIEST, Bound.VICTIM_LATEST)


class UsageRule(NamedTuple):
    """What every pod of a node uses, in a few words. Usages are bytes, inodes or processes."""

    usage: int
    """Of the pod that the rule is about, whatever the others do."""
    rest: Rest
    """What all others use at first."""
    moved: int
    """How many of the others that count rise until they are at or before the pod, or fall from
    their most until they are at or behind it: those that need to move least; of equals any."""
    total: int | None
    """What all pods use together: others rise, or fall, until it is at least, or at most, that
    much. They may go as far as they can, in any order. None if it does not matter."""


class Witness(NamedTuple):
    """Usages with which a pod gets a rank, first or last of those it ties with."""

    pod: int
    """Index of the pod among the contenders."""
    bound: Bound
    rank: int
    feasible: bool
    """Whether the usages and the daemons fit the node and meet the threshold."""
    rule: UsageRule

    def scenario(self, contenders: Sequence[Contender], signal: Signal) -> Scenario:
        """What each of the contenders uses by the rule, in n log n.

        Their sum is the smallest with which the pod can get the rank. Of equals the first move;
        after that those go on first that can go furthest.
        """
        used = _usages(self, contenders, runners(contenders, signal))
        return scenario(self.bound, contenders, used)


class Race(NamedTuple):
    """Pods as runners, and what the witnesses of all that count share."""

    field: Sequence[Runner]
    lo: int
    """What all use together at their least."""
    hi: int
    counted: Sequence[int]
    at_least: Sequence[tuple[Key, int]]
    """Those that count, as they rank at their least."""


def race(field: Sequence[Runner], counted: Sequence[int]) -> Race:
    """The runners, some of which count."""
    return Race(
        field,
        sum(runner.lo for runner in field),
        sum(runner.hi for runner in field),
        counted,
        sorted((field[index].key(field[index].lo), index) for index in counted),
    )


def latest(race: Race, index: int, rank: int, limits: Limits) -> UsageRule:
    """How the runner gets the latest rank that it can within the limits, which is `rank`."""
    runner, least = race.field[index], limits.least
    first = runner.lo if least is None else start(runner, race.hi, least)
    if first > runner.lo:
        return UsageRule(first, Rest.HI, 0, None)
    enough = least is None or least <= race.lo
    return UsageRule(first, Rest.LO, rank - 1, None if enough else least)


def earliest(race: Race, index: int, rank: int, limits: Limits) -> UsageRule:
    """How the runner gets the earliest rank that it can within the limits, which is `rank`."""
    runner = race.field[index]
    most = runner.hi
    if limits.most is not None:
        most = min(most, limits.most - (race.lo - runner.lo))
    missing = 0 if limits.least is None else limits.least - race.lo
    if missing > most - runner.lo:
        return UsageRule(most, Rest.HI, len(race.counted) - rank, limits.least)
    # With all others at their least it is ahead of those that it is ahead of at its most.
    place = bisect_left(race.at_least, (runner.key(most),))
    behind = islice(race.at_least, place, place + 2)
    rise = next((runner.cost(key) for key, other in behind if other != index), 0)
    return UsageRule(runner.lo + max(rise or 0, missing), Rest.LO, 0, None)


def _usages(
    witness: Witness, contenders: Sequence[Contender], field: Sequence[Runner]
) -> list[int]:
    """By the rule; where pods fall from their most, they rise in the mirror."""
    rule, index = witness.rule, witness.pod
    sign = 1 if rule.rest is Rest.LO else -1
    turned = field if rule.rest is Rest.LO else [runner.mirrored() for runner in field]
    used = [runner.lo for runner in turned]
    used[index] = sign * rule.usage
    others = [other for other in range(len(turned)) if other != index]
    victims = witness.bound.among_victims
    counted = [other for other in others if not (victims and contenders[other].critical)]
    first = cheapest(turned, counted, turned[index].key(used[index]), None)
    for cost, other in islice(first, rule.moved):
        used[other] += cost
    missing = 0 if rule.total is None else sign * rule.total - sum(used)
    rooms = sorted(((turned[other].hi - used[other], other) for other in others), reverse=True)
    for room, other in rooms:
        if missing <= 0:
            break
        used[other] += min(room, missing)
        missing -= room
    return [sign * usage for usage in used]
