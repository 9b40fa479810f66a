"""Pods of a node as they run: each container with its oom_score_adj and its memory over time."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from qoslint.errors import UsageError, nearest
from qoslint.kernel.cgroup import container_limit
from qoslint.kernel.pod import MEMORY
from qoslint.kernel.quantity import ZERO
from qoslint.kernel.ramps import Ramp, RunningContainer, RunningPod, steady
from qoslint.model.growth import Growth
from qoslint.model.kubelet import Kubelet
from qoslint.model.measured.join import Joined
from qoslint.model.measured.podnames import pod_owner
from qoslint.model.measured.record import Resource
from qoslint.model.population import Member
from qoslint.model.verdict import RunningScore


class _Part(NamedTuple):
    """A container and its part of what its pod uses."""

    score: RunningScore
    weight: int
    limit: int | None
    """Bytes at which the kernel kills in the container's own cgroup."""


def running_pod(
    member: Member,
    kubelet: Kubelet,
    measured: Joined,
    used: int,
    growing: Growth | None,
) -> RunningPod:
    """The pod on the node: it uses so many bytes, or what grows does as it is said to.

    What several containers use together is shared out among them as they were measured, else in
    proportion to their requests, within their limits. Where the pod as a whole grows, all that is
    added is added to its first container, as a leak is one of a process. Nothing grows beyond the
    limit of its container. Raises UsageError.
    """
    parts = _parts(member, kubelet, measured)
    if growing is None:
        memory = [steady(part) for part in _shares(used, parts)]
    elif growing.container is None:
        memory = _pod_growth(growing, parts)
    else:
        memory = [steady(part) for part in _shares(used, parts)]
        index = _index(growing.container, growing, parts)
        memory[index] = growing.ramp
    containers = tuple(
        RunningContainer(part.score.container.name, part.score.score, _bounded(ramp, part.limit))
        for part, ramp in zip(parts, memory, strict=True)
    )
    return RunningPod(member.verdict.effective.pod, containers)


def pod_memory(running: RunningPod, second: int) -> int:
    """The bytes that the pod uses in a second."""
    return sum(each.memory.at(second) for each in running.containers)


def _pod_growth(growing: Growth, parts: Sequence[_Part]) -> list[Ramp]:
    start, target, per_second, begins = growing.ramp
    memory = [steady(part) for part in _shares(start, parts)]
    if not memory:
        return memory
    first = memory[0].start
    if first + target - start < 0:
        raise UsageError(
            f"{growing.workload!r} shrinks by more than its first container uses: name the "
            f"container, {growing.workload}:{parts[0].score.container.name}=..."
        )
    memory[0] = Ramp(first, first + target - start, per_second, begins)
    return memory


def _index(container: str, growing: Growth, parts: Sequence[_Part]) -> int:
    names = [part.score.container.name for part in parts]
    if container not in names:
        raise UsageError(
            f"no running container of {growing.workload!r} is named {container!r}"
            f"{nearest(container, names)}"
        )
    return names.index(container)


def _bounded(ramp: Ramp, limit: int | None) -> Ramp:
    if limit is None:
        return ramp
    return ramp._replace(start=min(ramp.start, limit), target=min(ramp.target, limit))


def _parts(member: Member, kubelet: Kubelet, measured: Joined) -> list[_Part]:
    pod, owner = member.verdict.effective.pod, pod_owner(member.admitted)
    scores = [each for each in member.verdict.running_scores() if each.kubelet is kubelet]
    found = [
        measured.containers.get((owner, each.container.name, Resource.MEMORY)) for each in scores
    ]
    weights = [0 if each is None else max(each.lo, each.hi or 0) for each in found]
    if None in found:
        requests = (each.container.resources.requests.get(MEMORY, ZERO) for each in scores)
        weights = [request.value() for request in requests]
    limits = [container_limit(pod, each.container, MEMORY, kubelet.features) for each in scores]
    return [
        _Part(score, max(1, weight), limit.value() or None)
        for score, weight, limit in zip(scores, weights, limits, strict=True)
    ]


def _shares(total: int, parts: Sequence[_Part]) -> list[int]:
    """The total shared out by weight; none gets more than its limit while others have room."""

    def room(index: int) -> tuple[bool, Fraction]:
        limit = parts[index].limit
        return limit is None, Fraction(limit or 0, parts[index].weight)

    shares = [0] * len(parts)
    left, weight = total, sum(part.weight for part in parts)
    order = sorted(range(len(parts)), key=room)
    for index in order:
        share = left * parts[index].weight // weight
        limit = parts[index].limit
        shares[index] = share if limit is None else min(share, limit)
        left -= shares[index]
        weight -= parts[index].weight
    if order:
        shares[order[-1]] += left  # of the sandbox, for which overhead is
    return shares
