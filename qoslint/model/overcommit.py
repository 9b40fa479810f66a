"""How far the memory limits of pods that share a node exceed what it has for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from qoslint.kernel.features import Features
from qoslint.kernel.pod import MEMORY
from qoslint.kernel.quantity import ZERO, Format, Quantity, from_nanos
from qoslint.kernel.scheduling import pod_limits
from qoslint.model.expect.known import why_unknown
from qoslint.model.judged import JudgedCluster
from qoslint.model.kubelet import Kubelet
from qoslint.model.limits import Bound, bounds
from qoslint.model.population import Member, population
from qoslint.model.room import exceeds, requests
from qoslint.model.usage import most_memory

_HUNDRED = 100


class Overcommit(NamedTuple):
    """Pods of which it is known that they share a node of a profile, or that they can."""

    kubelet: Kubelet
    declared: bool
    """Whether it is known that they do; else the scheduler may put all of them on one node."""
    members: tuple[Member, ...]
    limits: Quantity
    """The sum of their memory limits."""
    allocatable: Quantity
    unlimited: int
    """How many of them have a container without a memory limit."""

    @property
    def percent(self) -> int:
        """The limits as a share of what is allocatable, as `kubectl describe node` prints it."""
        return self.limits.nanos * _HUNDRED // self.allocatable.nanos

    def exceeds(self, ratio: Quantity) -> bool:
        """Whether the limits are more than so many times what is allocatable."""
        return self.limits.nanos * 10**9 > self.allocatable.nanos * ratio.nanos

    @property
    def widest(self) -> tuple[Member, Bound] | None:
        """The limit that is furthest above its request, and whose it is."""
        limited = (
            (member, bound)
            for member in self.members
            for bound in bounds(member.verdict, MEMORY)
            if bound.limit is not None
        )
        return max(limited, key=lambda each: _beyond(each[1]), default=None)


def overcommits(cluster: JudgedCluster) -> Iterator[Overcommit]:
    """What each profile of the cluster promises of its memory.

    Limits are added up as `kubectl describe node` does
    (`staging/src/k8s.io/kubectl/pkg/describe/describe.go getPodsTotalRequestsAndLimits`). Where it
    is not known which pods share a node, it is one of each workload that may run there: all of
    them, or as many as there is room for, those first that promise most for what they request.
    """
    features = cluster.cluster.features
    for kubelet in cluster.kubelets:
        found = population(cluster, kubelet)
        declared = found.known
        members = [each for each in found.members if not why_unknown(each.admitted)]
        if not declared:
            # What only stands in one repository, such as examples, never meets.
            meeting = members if cluster.cluster.environment else []
            members = list(_together(meeting, kubelet, features))
        limits = sum(_limit(each, features) for each in members)
        allocatable = kubelet.most_allocatable.get(MEMORY, ZERO)
        if limits and allocatable.nanos:
            yield Overcommit(
                kubelet,
                declared,
                tuple(members),
                from_nanos(limits, Format.BINARY_SI),
                allocatable,
                sum(most_memory(each.verdict.effective.pod, features) is None for each in members),
            )


def _together(members: Sequence[Member], kubelet: Kubelet, features: Features) -> Iterator[Member]:
    """Those that the scheduler may put on one node, the smallest of the profile included."""
    allocatable = kubelet.resources.allocatable
    if allocatable is None:
        return
    asking = [(each, requests(each.verdict.effective.pod, features)) for each in members]
    asking.sort(key=lambda pair: _promise(pair[0], pair[1], features), reverse=True)
    total: dict[str, int] = {}
    for member, own in asking:
        more = {**total, **{name: total.get(name, 0) + nanos for name, nanos in own.items()}}
        if not exceeds(more, allocatable.allocatable):
            total = more
            yield member


def _promise(member: Member, own: Mapping[str, int], features: Features) -> int:
    """Billionths of a limit for each billionth of request, to sort by."""
    return _limit(member, features) * 10**9 // max(own.get(MEMORY, 0), 1)


def _limit(member: Member, features: Features) -> int:
    limits = pod_limits(member.verdict.effective.pod, features)
    return limits[MEMORY].nanos if MEMORY in limits else 0


def _beyond(bound: Bound) -> int:
    return (bound.limit or ZERO).nanos - (bound.request or ZERO).nanos
