"""Usages that show a bound: the smallest that reach it.

The argument is that of `qoslint/model/bounds.py`. A list of usages for each pod of a node would
be quadratic, so a witness is worked out for the bound that is shown, in n log n.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from qoslint.kernel.signals import Signal
from qoslint.model.bounds import (
    Runner,
    attainable,
    budget,
    cheapest,
    mirrored,
    runners,
    start,
)
from qoslint.model.contenders import Contender, Limits, Scenario, scenario


class Bound(StrEnum):
    """A rank of a pod in the worst or the best case; among victims, critical pods do not count."""

    EARLIEST = "earliest"
    LATEST = "latest"
    VICTIM_EARLIEST = "victimEarliest"
    VICTIM_LATEST = "victimLatest"


def witness(
    contenders: Sequence[Contender], signal: Signal, index: int, bound: Bound, limits: Limits
) -> Scenario | None:
    """Usages within the limits that give the pod of that index the rank; None if there are none.

    Their sum is the smallest with which any can. With a tie the pod may also get another rank.
    """
    field = runners(contenders, signal)
    if not attainable(field, limits):
        return None
    victims = bound in (Bound.VICTIM_EARLIEST, Bound.VICTIM_LATEST)
    others = [
        other
        for other, each in enumerate(contenders)
        if other != index and not (victims and each.critical)
    ]
    early = bound in (Bound.EARLIEST, Bound.VICTIM_EARLIEST)
    usages = (_earliest if early else _latest)(field, index, others, limits)
    return scenario(bound, contenders, usages)


def _latest(
    field: Sequence[Runner], index: int, others: Sequence[int], limits: Limits
) -> list[int]:
    first = start(field, index, limits.least)
    if first > field[index].lo:
        usages = [runner.hi for runner in field]
        usages[index] = first
        return usages
    usages = [runner.lo for runner in field]
    most = [runner.hi for runner in field]
    most[index] = first
    key = field[index].key(first)
    for cost, other in cheapest(field, others, key, budget(field, limits)):
        usages[other] += cost
    return _raised(usages, most, limits.least)


def _earliest(
    field: Sequence[Runner], index: int, others: Sequence[int], limits: Limits
) -> list[int]:
    mirror = [runner.mirrored() for runner in field]
    turned = mirrored(limits)
    most = [runner.hi for runner in field]
    most[index] = -start(mirror, index, turned.least)
    usages = [runner.lo for runner in field]
    missing = 0 if limits.least is None else limits.least - sum(usages)
    if missing <= most[index] - usages[index]:
        # With all others at their least it is ahead of those that it is ahead of at its most.
        key = field[index].key(most[index])
        behind = [first for each in others if (first := field[each].key(field[each].lo)) >= key]
        rise = field[index].cost(min(behind)) if behind else 0
        usages[index] += max(rise or 0, missing)
        return usages
    usages[index] = most[index]
    key = mirror[index].key(-most[index])
    # Those that stay behind it may rise so far, the others as far as they can.
    for cost, other in cheapest(mirror, others, key, budget(mirror, turned)):
        most[other] -= cost
    return _raised(usages, most, limits.least)


def _raised(usages: list[int], most: Sequence[int], least: int | None) -> list[int]:
    """The usages raised up to `most` until their sum is the least, as few of them as possible."""
    missing = 0 if least is None else least - sum(usages)
    for room, index in sorted(
        ((most[index] - usage, index) for index, usage in enumerate(usages)), reverse=True
    ):
        if missing <= 0:
            break
        usages[index] += min(room, missing)
        missing -= room
    return usages
