"""Innocent victims: who is evicted before the one pod that grows."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from qoslint.kernel.eviction import key_function
from qoslint.kernel.signals import Signal
from qoslint.model.contenders import Contender, Limits, usages_at_requests


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


class Innocents(NamedTuple):
    """For each pod, those that may be evicted before it while it alone grows."""

    order: tuple[int, ...]
    """The pods that can be evicted, first to go first, while none grows."""
    growths: tuple[Growth, ...]

    def victims(self, pod: int) -> Iterator[int]:
        """The pods that may be evicted before the pod of that index, first to go first."""
        before = islice(self.order, self.growths[pod].before)
        return (each for each in before if each != pod)

    def count(self, pod: int) -> int:
        """How many those are."""
        return self.growths[pod].others


def innocent_victims(contenders: Sequence[Contender], signal: Signal, limits: Limits) -> Innocents:
    """Who may go before each pod if it grows from its request and the others stay at theirs.

    Its key only moves ahead as it grows, and the others keep theirs: whoever may be evicted before
    it at any time goes before it, or ties, at the usage at which the threshold is first met. A pod
    that cannot be evicted itself leaves it to all others. Sorted once: n log n for all pods.
    """
    key, base = key_function(signal), usages_at_requests(contenders, signal)
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
            too_much = limits.most is not None and total + missing > limits.most
            if too_much or pressure > each.usage.hi:
                yield Growth(index, None, 0, 0)
                continue
            if not each.critical:
                reached = key(pressure, each.request.nanos, each.priority)
                before = bisect_right(sorted_keys, reached)
            others = before - (places.get(index, before) < before)
            yield Growth(index, pressure, before, others)

    return Innocents(tuple(order), tuple(growths()))
