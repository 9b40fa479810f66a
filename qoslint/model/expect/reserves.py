"""What pods and daemons of a node leave of its memory while they keep to what is theirs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from qoslint.finding import OBJECT
from qoslint.kernel.eviction import NANOS
from qoslint.kernel.pod import MEMORY
from qoslint.kernel.quantity import ZERO, Format, new_quantity
from qoslint.kernel.signals import MEMORY_SIGNALS, Signal
from qoslint.kernel.thresholds import threshold_quantity
from qoslint.model.kubelet import Kubelet
from qoslint.model.population import Population, PopulationKind, allocatable, requested


class _Reserve(NamedTuple):
    """Memory that a threshold watches and how it is shared out, in billionths of a byte."""

    signal: Signal
    capacity: int
    pods: int
    """What is allocatable: the most that pods use within their requests."""
    daemons: int
    """The most that daemons use while they keep to what is reserved for them."""
    wanted: int
    """What must be available for the kubelet to stop evicting, its minimum reclaim included."""

    @property
    def left(self) -> int:
        """What is available if all keep to what is theirs."""
        return self.capacity - self.pods - self.daemons


def reclaims_too_much(kubelet: Kubelet) -> str:
    """That a threshold asks for more than pods within their requests leave, as a sentence.

    Empty if all of them leave enough, while daemons keep to what is reserved for them.
    """
    for each in _reserves(kubelet):
        if each.wanted > each.left:
            return (
                f"On node {kubelet.node.name}, the kubelet evicts until {_bytes(each.wanted)} of "
                f"{each.signal} are left, its minimum reclaim included, and pods within their "
                f"requests and daemons within their reservation leave {_bytes(each.left)}: "
                f"{OBJECT} may be evicted although it stays within its request."
            )
    return ""


def left_within_requests(found: Population, kubelet: Kubelet) -> str:
    """That pods within their requests leave what thresholds ask for, as a sentence."""
    node = next(each for each in _reserves(kubelet) if each.signal is Signal.MEMORY)
    pods, requests = node.pods, f"at most {_bytes(node.pods)} together, which is allocatable"
    if found.kind is PopulationKind.ALL:
        index = [*allocatable(kubelet)].index(MEMORY)
        total = sum(requested(each, kubelet)[index] for each in found.members)
        if total <= node.pods:
            pods, requests = total, f"{_bytes(total)} together"
    return (
        f"If all pods stay within their requests ({requests}) and daemons use no more than "
        f"{_bytes(node.daemons)}, at least {_bytes(node.capacity - pods - node.daemons)} of "
        f"{_bytes(node.capacity)} is left, and the kubelet evicts nobody while "
        f"{_bytes(node.wanted)} is."
    )


def _reserves(kubelet: Kubelet) -> Iterator[_Reserve]:
    resources, daemons = kubelet.resources, _daemons(kubelet)
    for threshold in resources.thresholds or ():
        capacity = resources.capacities.get(threshold.signal)
        if threshold.signal not in MEMORY_SIGNALS or capacity is None:
            continue
        wanted = threshold.resolved(capacity).nanos
        if threshold.min_reclaim is not None:
            wanted += threshold_quantity(threshold.min_reclaim, capacity).nanos
        yield _Reserve(
            threshold.signal,
            capacity * NANOS,
            allocatable(kubelet).get(MEMORY, ZERO).nanos,
            0 if threshold.signal is Signal.ALLOCATABLE_MEMORY else daemons,
            wanted,
        )


def _daemons(kubelet: Kubelet) -> int:
    found = kubelet.resources.allocatable
    if found is None:
        return 0
    parts = (found.kube_reserved, found.system_reserved)
    reserved = sum(part.get(MEMORY, ZERO).nanos for part in parts)
    stated = kubelet.node.daemons.get(MEMORY)
    return reserved if stated is None else min(reserved, stated.nanos)


def _bytes(nanos: int) -> str:
    return str(new_quantity(max(0, nanos) // NANOS, Format.BINARY_SI))
