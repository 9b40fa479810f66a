"""Whether one of two pods that share a node can be evicted first, and usages that show it.

**Monotone keys.** The more a pod uses, the earlier it goes (`qoslint/kernel/eviction.py`), and
pods use what they do independent of each other. So without limits p may go before q iff p at its
most is not behind q at its least. The limits of the node cut off what both cannot use together:
then the smallest usages that put p first decide: q at its least, and p as far above its own as it
must be (`qoslint/model/bounds.py`).

**Two pods are enough.** What else runs on the node changes nothing in the order of the two; it
only uses what is missing for the threshold to be met.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from qoslint.kernel.eviction import Key, exceeds_request, key_function
from qoslint.kernel.signals import Signal, StarvedResource, starved_resource
from qoslint.model.bounds import runners
from qoslint.model.contenders import Contender, Limits, usages_at_requests
from qoslint.model.wording import exact_bytes

_WHOLE = 2**20
"""Bytes of usages that people can read."""


class Example(NamedTuple):
    """Usages of two pods of a node with which the first is evicted, and not the second before."""

    first: int
    second: int
    others: int
    """What all other pods of the node use together."""


def may_precede(first: Contender, second: Contender, signal: Signal) -> bool:
    """Whether some usages of two pods, possible or not on one node, evict the first before."""
    if first.critical:
        return False
    return second.critical or key_at(first, first.usage.hi, signal) <= key_at(
        second, second.usage.lo, signal
    )


def key_at(contender: Contender, usage: int, signal: Signal) -> Key:
    """How a pod is ranked for a signal when it uses that much."""
    return key_function(signal)(usage, contender.request.nanos, contender.priority)


def example(first: Contender, second: Contender, signal: Signal, limits: Limits) -> Example | None:
    """Usages within the limits with which the first is evicted first, or may since they tie.

    Rather round ones, at which the second does not exceed its request; None if there are none.
    """
    if not may_precede(first, second, signal):
        return None
    for one, other in _tried(first, second, signal, limits):
        found = within(one, other, limits)
        if found and (
            second.critical or key_at(first, one, signal) < key_at(second, other, signal)
        ):
            return found
    return _smallest(first, second, signal, limits)


def _tried(
    first: Contender, second: Contender, signal: Signal, limits: Limits
) -> Iterator[tuple[int, int]]:
    yield from product(_plausible(first, signal), _moderate(second, signal))
    if limits.most is not None:
        for other in _moderate(second, signal):
            left = limits.most - other
            if first.usage.lo <= left <= first.usage.hi:
                yield left, other


def _smallest(
    first: Contender, second: Contender, signal: Signal, limits: Limits
) -> Example | None:
    one, other = runners((first, second), signal)
    rise = one.cost(other.key(other.lo))
    return None if rise is None else within(one.lo + rise, other.lo, limits)


def within(one: int, other: int, limits: Limits) -> Example | None:
    """The example with what is missing for the threshold; None if all of it cannot be."""
    others = max(0, (limits.least or 0) - one - other)
    return Example(one, other, others) if limits.allow(one + other + others) else None


def _plausible(contender: Contender, signal: Signal) -> Iterator[int]:
    """Usages that put a pod ahead: all that it may use, little above its request, its request."""
    (lo, hi), requested = contender.usage, at_request(contender, signal)
    yield hi
    if starved_resource(signal) in (StarvedResource.MEMORY, StarvedResource.EPHEMERAL_STORAGE):
        above = rounded_up(requested + 1)
        if lo <= above <= hi:
            yield above
    yield requested
    yield lo


def rounded_up(usage: int) -> int:
    """The next usage that people can read."""
    return -(-usage // _WHOLE) * _WHOLE


def _moderate(contender: Contender, signal: Signal) -> Iterator[int]:
    yield at_request(contender, signal)
    yield contender.usage.lo


def at_request(contender: Contender, signal: Signal) -> int:
    """The most that the pod can use without exceeding its request, or its least."""
    (usage,) = usages_at_requests((contender,), signal)
    return usage


def amount(usage: int, signal: Signal) -> str:
    """A usage as people read it: `900Mi`, `900Mi + 1 byte`, `12 processes`."""
    match starved_resource(signal):
        case StarvedResource.PIDS:
            return f"{usage} process" if usage == 1 else f"{usage} processes"
        case StarvedResource.INODES:
            return f"{usage} inode" if usage == 1 else f"{usage} inodes"
        case _:
            return exact_bytes(usage)


def ties(first: Contender, second: Contender, found: Example, signal: Signal) -> bool:
    """Whether the kubelet may evict either first in an example."""
    keys = key_at(first, found.first, signal), key_at(second, found.second, signal)
    return not second.critical and keys[0] == keys[1]


def deciding(first: Contender, second: Contender, found: Example, signal: Signal) -> str:
    """What puts the first before the second in an example: a clause about `it` and `the other`."""
    if second.critical:
        return "the other is never evicted, as its priority or its kind makes it critical"
    ahead = exceeds_request(signal, found.first, first.request.nanos)
    if ahead and not exceeds_request(signal, found.second, second.request.nanos):
        return "it uses more than it requests, and the other does not"
    if first.priority != second.priority:
        return f"its priority {first.priority} is below the other's {second.priority}"
    if ties(first, second, found, signal):
        return "both rank alike, and either may go first"
    if starved_resource(signal) is StarvedResource.PIDS:
        return "of equal priority, it has more processes"
    return "of equal priority, its usage less its request is the larger"
