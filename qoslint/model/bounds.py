"""The earliest and the latest that a pod can rank on a node, exactly.

**What is asked.** Each pod uses some whole number within its interval, independent of the others
except that their sum lies within the limits of the node. How many pods can at most rank before a
given pod p or tie with it (a tie is broken either way)? One more is the latest rank of p.

**Monotone keys.** The key of a pod (`qoslint/kernel/eviction.py`) never grows with its usage: the
more it uses, the earlier it goes. So without limits p at its least with all others at their most
is the worst case, and q can be at or before p iff q at its most is.

**Within limits.**
1. Let p use its least. This is never worse: lower p in any allowed case, and raise others by as
   much, so that the sum is kept; no pod that was at or before p falls behind it. Only if all others
   at their most leave too little, p has to use what is missing, and all others their most.
2. Each q then has a cost: how far it must rise above its least to be at or before p, if it can at
   all. All costs come out of one sum: the most of the node less the least of all pods. Pods are
   counted alike, so taking the cheapest first is optimal.
3. The least of the node never costs a pod: those that were taken, the others too, may rise
   further, one by one up to their most, and no one falls behind p by that.

**The earliest rank is the latest one in the mirror.** With every usage, request and priority
negated, the order is reversed and least and most swap their parts; pods that are at or before p
there are at or behind it here.

**In n log n.** p's own key is all that the costs depend on. In the order of these keys the cost
of q only falls, in steps that are sorted together with the keys: it is constant where q only has
to get above its request (or whatever puts pods ahead), falls by what p uses less where they have
priority and first key in common, and is zero from then on. Two Fenwick trees hold the costs of
both forms, from which the cheapest are taken by bisection: log squared n for each p.

Costs are whole numbers. Where a request has a fraction, a falling cost is known to less than one
unit in the trees; if that leaves the answer open, the costs are sorted for this p alone.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from qoslint.kernel.eviction import NANOS, Key
from qoslint.kernel.signals import Signal, StarvedResource, starved_resource
from qoslint.model.contenders import Contender, Limits
from qoslint.model.prefixsums import PrefixSums

_AHEAD, _BEHIND = range(2)
# Steps at one key, in this order.
_FALLS, _SETTLES, _ASKS = range(3)


class Runner(NamedTuple):
    """A pod in a ranking or in its mirror: its key as a line with a jump."""

    lo: int
    hi: int
    priority: int
    zero: int
    """The usage in billionths at which the third key is zero."""
    jump: int
    """The least usage that puts it ahead by the first key."""

    def key(self, usage: int) -> Key:
        """Orders as the kubelet does, or as its mirror."""
        first = _AHEAD if usage >= self.jump else _BEHIND
        return first, self.priority, self.zero - usage * NANOS

    def cost(self, key: Key) -> int | None:
        """How far above its least it is at or before the key; None if it cannot be."""
        first, priority, third = key
        if first == _AHEAD and self.priority > priority:
            return None
        needed = self.jump
        if self.priority == priority:
            level = -((third - self.zero) // NANOS)
            needed = max(needed, level) if first == _AHEAD else min(needed, level)
        elif first == _BEHIND and self.priority < priority:
            needed = self.lo
        needed = max(needed, self.lo)
        return needed - self.lo if needed <= self.hi else None

    def mirrored(self) -> Runner:
        """The pod where the order is reversed."""
        return Runner(-self.hi, -self.lo, -self.priority, -self.zero, 1 - self.jump)


def runners(contenders: Sequence[Contender], signal: Signal) -> list[Runner]:
    """The pods in a ranking for the signal: the order of `key_function`, in one form."""
    return [_runner(each, starved_resource(signal)) for each in contenders]


def _runner(contender: Contender, resource: StarvedResource) -> Runner:
    (lo, hi), request, priority, _ = contender
    match resource:
        case StarvedResource.PIDS:
            return Runner(lo, hi, priority, 0, 0)
        case StarvedResource.INODES:
            return Runner(lo, hi, priority, request.nanos, 1)
        case _:
            return Runner(lo, hi, priority, request.nanos, request.nanos // NANOS + 1)


def mirrored(limits: Limits) -> Limits:
    """The limits where usages are negated."""
    least, most = limits
    return Limits(None if most is None else -most, None if least is None else -least)


def attainable(field: Sequence[Runner], limits: Limits) -> bool:
    """Whether any usages of the runners lie within the limits."""
    least, most = limits
    return (
        (most is None or sum(runner.lo for runner in field) <= most)
        and (least is None or sum(runner.hi for runner in field) >= least)
        and (least is None or most is None or least <= most)
    )


def start(runner: Runner, all_hi: int, least: int) -> int:
    """The least that a runner uses if the others use their most and the sum is the least.

    `all_hi` is what all use together at their most.
    """
    return max(runner.lo, least - (all_hi - runner.hi))


def cheapest(
    field: Sequence[Runner], counted: Sequence[int], key: Key, budget: int | None
) -> Iterator[tuple[int, int]]:
    """The most runners that can be at or before the key, each with its cost, cheapest first."""
    costs = ((field[index].cost(key), index) for index in counted)
    for cost, index in sorted((cost, index) for cost, index in costs if cost is not None):
        if budget is not None:
            budget -= cost
            if budget < 0:
                return
        yield cost, index


def most_before(field: Sequence[Runner], counted: Sequence[int], limits: Limits) -> dict[int, int]:
    """For each counted runner, how many other counted ones can be at or before it at most.

    All runners share the limits, which some usages of theirs lie within.
    """
    result: dict[int, int] = {}
    asked: list[int] = []
    at_most = sorted(field[index].key(field[index].hi) for index in counted)
    all_hi = sum(runner.hi for runner in field)
    spare = None if limits.most is None else limits.most - sum(runner.lo for runner in field)
    for index in counted:
        runner = field[index]
        first = runner.lo if limits.least is None else start(runner, all_hi, limits.least)
        if first > runner.lo or spare is None:
            result[index] = bisect_right(at_most, runner.key(first)) - 1
        else:
            asked.append(index)
    if asked and spare is not None:
        result |= _within(field, counted, asked, spare)
    return result


def _within(
    field: Sequence[Runner], counted: Sequence[int], asked: Sequence[int], spare: int
) -> Iterator[tuple[int, int]]:
    """The answers for those that use their least, while all rise by no more than `spare`."""
    constant = PrefixSums([max(0, runner.jump - runner.lo) * NANOS for runner in field])
    # What to add to a level so as to get the cost of reaching it.
    falling = PrefixSums([runner.zero - runner.lo * NANOS for runner in field])
    whole = not any(field[index].zero % NANOS for index in counted)
    steps = [step for index in counted for step in _steps(field[index], index)]
    steps += [(field[index].key(field[index].lo), _ASKS, index) for index in asked]
    free = 0
    for key, step, index in sorted(steps):
        runner, ahead = field[index], key[0] == _AHEAD
        if step == _FALLS:
            if not ahead and runner.hi >= runner.jump:
                constant.remove(index)
            falling.add(index)
        elif step == _SETTLES:
            falling.remove(index)
            if ahead:
                constant.add(index)
            else:
                free += 1
        else:
            found = _affordable(constant, falling, key[2], spare * NANOS)
            if not whole and found != _affordable(constant, falling, key[2] - NANOS, spare * NANOS):
                found = sum(1 for _ in cheapest(field, counted, key, spare)) - free
            yield index, free + found - 1


def _steps(runner: Runner, index: int) -> Iterator[tuple[Key, int, int]]:
    """The keys at which the cost of being at or before them changes its form."""
    lo, hi, priority, zero, jump = runner
    if hi >= jump:
        yield (_AHEAD, priority, zero - hi * NANOS), _FALLS, index
        yield (_AHEAD, priority, zero - max(lo, jump) * NANOS), _SETTLES, index
    if lo < jump:
        yield (_BEHIND, priority, zero - min(hi, jump - 1) * NANOS), _FALLS, index
        yield (_BEHIND, priority, zero - lo * NANOS), _SETTLES, index


def _affordable(constant: PrefixSums, falling: PrefixSums, level: int, spare: int) -> int:
    """How many of both can be taken, cheapest first; falling costs are at that level."""

    def fits(_: int, spent: int, cost: int) -> bool:
        count, total = falling.below(cost + level)
        return spent + total - count * level <= spare

    taken, spent = constant.smallest(fits)
    more, _ = falling.smallest(lambda count, total, _: spent + total - count * level <= spare)
    return taken + more
