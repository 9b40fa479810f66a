"""Pods whose memory limits are beyond what any of their nodes can give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from qoslint.kernel.pod import MEMORY
from qoslint.kernel.quantity import Format, new_quantity
from qoslint.model.expect.known import why_unknown
from qoslint.model.judged import JudgedCluster
from qoslint.model.kubelet import Kubelet
from qoslint.model.limits import Bound, bounds
from qoslint.model.population import Member
from qoslint.model.room import takes
from qoslint.model.usage import most_memory
from qoslint.model.verdict import Verdict


class Overlimit(NamedTuple):
    """A pod with memory limits that no node which takes it can give."""

    member: Member
    kubelet: Kubelet
    """Of the nodes that take the pod, the one whose pods can use most."""
    alone: bool
    """Whether it is the only profile that takes the pod."""
    room: int
    """Bytes that all pods of this node can use before it is short of memory."""
    bounds: tuple[Bound, ...]
    """The limits that are each beyond it; else all of them, whose sum is."""
    total: int | None
    """The sum of all limits in bytes; None where one alone is beyond."""

    @property
    def has(self) -> str:
        """What pods can use, as Kubernetes prints it."""
        return new_quantity(self.room, Format.BINARY_SI).canonical()


def overlimits(cluster: JudgedCluster) -> Iterator[Overlimit]:
    """The workloads that have such limits, in the order of their pods."""
    rooms = {
        id(kubelet): room
        for kubelet in cluster.kubelets
        if (room := kubelet.most_memory_before_pressure) is not None
    }
    if len(rooms) < len(cluster.kubelets) or not rooms:
        return  # some node has no cgroups, and another meaning of a limit
    least = min(rooms.values())
    for verdict, sharing in cluster.verdicts:
        # Most pods are small enough for every node: of them nothing else is asked.
        if _most(verdict) <= least:
            continue
        for admitted in sharing:
            member = Member(admitted, verdict)
            hosts = [each for each in cluster.kubelets if takes(each, member)]
            if hosts and not why_unknown(admitted):
                yield from _overlimit(member, hosts, [rooms[id(each)] for each in hosts])


def _most(verdict: Verdict) -> int:
    """The most that a limit allows to one container, or the limits together to all."""
    together = most_memory(verdict.effective.pod, verdict.features) or 0
    return max([together, *(each.limit.value() for each in bounds(verdict, MEMORY) if each.limit)])


def _overlimit(
    member: Member, hosts: Sequence[Kubelet], rooms: Sequence[int]
) -> Iterator[Overlimit]:
    room = max(rooms)
    kubelet = hosts[rooms.index(room)]
    limited = [each for each in bounds(member.verdict, MEMORY) if each.limit]
    beyond = [each for each in limited if each.limit and each.limit.value() > room]
    together = most_memory(member.verdict.effective.pod, kubelet.features)
    if beyond:
        yield Overlimit(member, kubelet, len(hosts) == 1, room, tuple(beyond), None)
    elif limited and together is not None and together > room:
        yield Overlimit(member, kubelet, len(hosts) == 1, room, tuple(limited), together)
