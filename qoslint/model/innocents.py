"""Innocent victims: who is evicted, although within its request, because others grow."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from qoslint.kernel.eviction import exceeds_request, key_function
from qoslint.kernel.signals import Signal
from qoslint.model.contenders import Contest, Limits


class Growth(NamedTuple):
    """What may go before a pod while it is the only one that grows."""

    pod: int
    """Index of the pod among the contenders."""
    pressure: int | None
    """Its least usage at which the threshold is met; None if it cannot meet it alone."""
    before: int
    """How many of the first in the order may go before it; it may be one of those itself."""
    others: int
    """The same without itself."""
    place: int
    """Its own place in the order, from 0; beyond it for a pod that cannot be evicted."""


class Innocents(NamedTuple):
    """Who may be evicted while one pod alone grows, and while only something else does."""

    order: tuple[int, ...]
    """The pods that can be evicted, first to go first, while none grows.

    They go in this order if only what runs outside of pods grows."""
    above: int
    """How many of the first of these are above their requests without growing."""
    growths: tuple[Growth, ...]
    places: tuple[int, ...]
    """The rank of each of the order, 1 for the first; those that tie share the first of theirs."""
    always_above: tuple[int, ...]
    """The pods that are above their requests at the least that a running pod uses."""
    measured_above: tuple[int, ...]
    """The others that are above their requests at the least that was measured."""

    def victims(self, pod: int) -> Iterator[int]:
        """The pods that may be evicted before the pod of that index, first to go first."""
        before = islice(self.order, self.growths[pod].before)
        return (each for each in before if each != pod)

    def count(self, pod: int) -> int:
        """How many those are."""
        return self.growths[pod].others

    def innocents(self, pod: int) -> Iterator[int]:
        """Those of them that stay within their requests, first to go first."""
        before = islice(self.order, self.above, self.growths[pod].before)
        return (each for each in before if each != pod)

    def count_of_innocents(self, pod: int) -> int:
        """How many those are."""
        growth = self.growths[pod]
        itself = growth.before - growth.others if growth.place >= self.above else 0
        return max(0, growth.before - self.above - itself)


def innocent_victims(field: Contest, signal: Signal, limits: Limits) -> Innocents:
    """Who may go before each pod if it grows, up to its limit, and the others do not.

    Its key only moves ahead as it grows, and the others keep theirs: whoever may be evicted before
    it at any time goes before it, or ties, at the usage at which the threshold is first met. A pod
    that cannot be evicted itself leaves it to all others. Sorted once: n log n for all pods.
    """
    key, contenders, base = key_function(signal), field.contenders, field.rest
    keys = [
        key(usage, each.request.nanos, each.priority)
        for each, usage in zip(contenders, base, strict=True)
    ]
    evictable = (index for index, each in enumerate(contenders) if not each.critical)
    order = sorted(evictable, key=keys.__getitem__)
    places = {index: place for place, index in enumerate(order)}
    sorted_keys = [keys[index] for index in order]
    total = sum(base)

    def growths() -> Iterator[Growth]:
        for index, (each, usage) in enumerate(zip(contenders, base, strict=True)):
            missing = 0 if limits.least is None else max(0, limits.least - total)
            pressure, before = usage + missing, len(order)
            place = places.get(index, before)
            too_much = limits.most is not None and total + missing > limits.most
            if too_much or pressure > field.most[index]:
                yield Growth(index, None, 0, 0, place)
                continue
            if not each.critical:
                reached = key(pressure, each.request.nanos, each.priority)
                before = bisect_right(sorted_keys, reached)
            yield Growth(index, pressure, before, before - (place < before), place)

    def above(index: int, usage: int) -> bool:
        return exceeds_request(signal, usage, contenders[index].request.nanos)

    always = tuple(index for index, least in enumerate(field.least) if above(index, least))
    measured = {i for i in field.measured if above(i, contenders[i].usage.lo)}
    return Innocents(
        tuple(order),
        sum(above(index, base[index]) for index in order),
        tuple(growths()),
        tuple(bisect_left(sorted_keys, each) + 1 for each in sorted_keys),
        always,
        tuple(sorted(measured.difference(always))),
    )
