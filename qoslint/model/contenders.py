"""The pods of one node as the kubelet ranks them for one signal, and what they use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import NamedTuple

from qoslint.kernel.eviction import NANOS, Candidate, compared_request
from qoslint.kernel.features import Features
from qoslint.kernel.pod import Pod, is_critical_pod
from qoslint.kernel.quantity import Quantity
from qoslint.kernel.signals import Signal, StarvedResource, starved_resource
from qoslint.model.usage import Usage


class Contender(NamedTuple):
    """A pod with what it may use. `critical` pods are ranked, then refused."""

    usage: Usage
    request: Quantity
    """What its usage is compared with; for inodes a number of bytes all the same."""
    priority: int
    critical: bool

    def at(self, usage: int) -> Candidate:
        """The pod as it is ranked when it uses that much."""
        return Candidate(usage, self.request, self.priority, self.critical)


def contender(pod: Pod, usage: Usage, signal: Signal, features: Features) -> Contender:
    """The pod in a ranking for the signal; the features are the kubelet's."""
    request = compared_request(pod, signal, features)
    return Contender(usage, request, pod.priority or 0, is_critical_pod(pod))


class Contest(NamedTuple):
    """The pods of a node, what they may use, and what they use as long as they do not grow."""

    contenders: tuple[Contender, ...]
    rest: tuple[int, ...]
    """The most that was measured of each, else its request, as far as it can use that."""
    least: tuple[int, ...]
    """The least that each uses while it runs, whatever was measured."""
    most: tuple[int, ...]
    """The most that its limits and the node allow each, likewise."""
    measured: frozenset[int]
    """The indexes of those of which the usage was measured."""


class Limits(NamedTuple):
    """What all pods of a node use together when the kubelet ranks them: least and most.

    In bytes, inodes or processes, both included; None for no limit.
    """

    least: int | None
    most: int | None

    def allow(self, total: int) -> bool:
        """Whether all pods together can use that much when they are ranked."""
        least, most = self.least, self.most
        return (least is None or least <= total) and (most is None or total <= most)


UNLIMITED = Limits(None, None)
"""Any usages, also those that no node could show."""


def limits(capacity: int, threshold: int, daemons: Usage) -> Limits:
    """The limits of a node whose capacity is shared by its pods and daemons.

    The threshold is met when less than it is available. One of zero is never met: then no sum
    lies within the limits.
    """
    if threshold <= 0:
        return Limits(capacity + 1, capacity)
    return Limits(max(0, capacity - threshold + 1 - daemons.hi), capacity - daemons.lo)


class Rest(Enum):
    """What the pods use that a scenario does not name: their least or their most."""

    LO = auto()
    HI = auto()


class Scenario(NamedTuple):
    """What each pod of a node uses: those in `set`, by index, as it says; the rest alike."""

    name: str
    rest: Rest
    set: Mapping[int, int]

    def usages(self, contenders: Sequence[Contender]) -> list[int]:
        """The usage of each of the contenders."""
        lo = self.rest is Rest.LO
        rest = [each.usage.lo if lo else each.usage.hi for each in contenders]
        return [self.set.get(index, usage) for index, usage in enumerate(rest)]


def scenario(name: str, contenders: Sequence[Contender], usages: Sequence[int]) -> Scenario:
    """The scenario in which the contenders use that much, in the shorter of both ways."""
    pairs = list(enumerate(zip(contenders, usages, strict=True)))
    above = {index: usage for index, (each, usage) in pairs if usage != each.usage.lo}
    below = {index: usage for index, (each, usage) in pairs if usage != each.usage.hi}
    if len(above) <= len(below):
        return Scenario(name, Rest.LO, above)
    return Scenario(name, Rest.HI, below)


def peak() -> Scenario:
    """Every pod uses all that it may."""
    return Scenario("peak", Rest.HI, {})


def requests(contenders: Sequence[Contender], signal: Signal) -> Scenario:
    """Every pod uses its request, as far as it can; where none is compared, its least."""
    return scenario("requests", contenders, usages_at_requests(contenders, signal))


def leak(name: str, index: int, contest: Contest) -> Scenario:
    """The pod of that index uses all that it may, the others what they do without growing."""
    contenders = contest.contenders
    usages = [*contest.rest]
    usages[index] = contenders[index].usage.hi
    return scenario(name, contenders, usages)


def usages_at_requests(contenders: Sequence[Contender], signal: Signal) -> list[int]:
    """The largest usage of each that does not exceed its request, in its interval."""
    if starved_resource(signal) in (StarvedResource.PIDS, StarvedResource.INODES):
        return [each.usage.lo for each in contenders]
    return [
        max(each.usage.lo, min(each.usage.hi, each.request.nanos // NANOS)) for each in contenders
    ]
