"""When the pods of a node are ranked for a signal, and what they can use together by then."""

from __future__ import annotations

from typing import NamedTuple

from qoslint.kernel.amount import MAX_INT64
from qoslint.kernel.signals import MEMORY_SIGNALS, Signal
from qoslint.kernel.thresholds import Threshold
from qoslint.model.contenders import UNLIMITED, Limits, limits
from qoslint.model.disks import size_name
from qoslint.model.kubelet import Kubelet
from qoslint.model.usage import Room, Usage

_NEVER = Limits(1, 0)
"""No usages lie within these."""


class Pressure(NamedTuple):
    """A signal of a node: its thresholds, and the usages of pods at which one of them is met."""

    thresholds: tuple[Threshold, ...]
    """Those that evict for the signal, soft ones too; without any the kubelet never does."""
    capacity: int | None
    """Bytes, inodes or processes; None if the profile does not say."""
    room: Room
    limits: Limits
    daemons: int | None
    """What is used outside of pods; None if the profile does not say: it may be anything."""

    @property
    def unmet(self) -> int | None:
        """The most that pods and all else may use before a threshold of the node is met.

        None without a threshold, and where the capacity is not known.
        """
        if not self.thresholds or self.capacity is None:
            return None
        return max(0, self.capacity - _level(self.thresholds, self.capacity))


def pressure(kubelet: Kubelet, signal: Signal) -> Pressure:
    """The pressure that a signal of the node can show.

    Memory also runs out in the cgroup of all pods, which has a threshold of its own while the
    kubelet enforces its limit (`helpers.go addAllocatableThresholds`). That cgroup has a limit of
    processes too, with their threads (pids.max). No pod can use more than that, whatever the node
    has (`pkg/kubelet/cm/node_container_manager_linux.go createNodeAllocatableCgroups`).
    """
    configuration = kubelet.configuration
    thresholds = _thresholds(kubelet, signal)
    capacity = kubelet.resources.capacities.get(signal)
    room = Room(
        _most_of_pods(kubelet, signal, MAX_INT64 if capacity is None else capacity),
        kubelet.node.filesystems,
        configuration.pod_pids_limit,
        configuration.local_storage_capacity_isolation,
    )
    daemons = _daemons(kubelet, signal)
    if not thresholds:
        return Pressure(thresholds, capacity, room, _NEVER, daemons)
    if capacity is None:
        return Pressure(thresholds, capacity, room, UNLIMITED, daemons)
    outside = Usage(0, capacity) if daemons is None else Usage(daemons, daemons)
    found = _beside(outside, thresholds, capacity, kubelet)
    return Pressure(thresholds, capacity, room, found, daemons)


def beside_daemons(kubelet: Kubelet, found: Pressure, daemons: int) -> Limits:
    """What pods use together when they are ranked while so much is used outside of pods.

    The pressure is one of that node, whose thresholds and capacity are known.
    """
    assert found.thresholds
    assert found.capacity is not None
    return _beside(Usage(daemons, daemons), found.thresholds, found.capacity, kubelet)


def _beside(
    daemons: Usage, thresholds: tuple[Threshold, ...], capacity: int, kubelet: Kubelet
) -> Limits:
    of_node = limits(capacity, _level(thresholds, capacity), daemons)
    return _with_cgroup(of_node, kubelet, thresholds[0].signal)


def _thresholds(kubelet: Kubelet, signal: Signal) -> tuple[Threshold, ...]:
    return tuple(each for each in kubelet.resources.thresholds or () if each.signal is signal)


def _level(thresholds: tuple[Threshold, ...], capacity: int) -> int:
    """The most of the thresholds, rounded up: what is available is a whole number."""
    return max(-(-each.resolved(capacity).nanos // 10**9) for each in thresholds)


def _most_of_pods(kubelet: Kubelet, signal: Signal, capacity: int) -> int:
    """What one pod may use of the node; the limit of the cgroup of all pods where it is enforced.

    A limit of zero is none: nothing is written then.
    """
    kubepods = kubelet.resources.kubepods
    if kubepods is None:
        return capacity
    limit = kubepods.pids_max if signal is Signal.PID else None
    if signal in MEMORY_SIGNALS:
        limit = kubepods.memory_max
    return min(capacity, limit) if limit else capacity


def _daemons(kubelet: Kubelet, signal: Signal) -> int | None:
    stated = kubelet.node.daemons.get(size_name(signal, kubelet.node.filesystems))
    return None if stated is None else stated.value()


def _with_cgroup(of_node: Limits, kubelet: Kubelet, signal: Signal) -> Limits:
    if kubelet.resources.kubepods is None or signal not in (*MEMORY_SIGNALS, Signal.PID):
        return of_node
    if signal is Signal.PID:
        return _with_threads(of_node, kubelet.resources.kubepods.pids_max)
    most = kubelet.resources.kubepods.memory_max
    if of_node.most is None or of_node.least is None or not most:
        return of_node
    least = of_node.least
    if own := _thresholds(kubelet, Signal.ALLOCATABLE_MEMORY):
        level = _level(own, most)
        least = min(least, max(0, most - level + 1)) if level else least
    return Limits(least, min(of_node.most, most))


def _with_threads(of_node: Limits, pids_max: int | None) -> Limits:
    """Pods are ranked by processes, while the signal counts threads too: few may do to meet it.

    `pkg/kubelet/stats/pidlimit/pidlimit_linux.go Stats` counts the tasks of the node, cAdvisor's
    processStatsFromProcs the lines of cgroup.procs.
    """
    least, most = of_node
    if least is None or most is None or least > most:
        return of_node
    return Limits(0, most if pids_max is None else min(most, pids_max))
