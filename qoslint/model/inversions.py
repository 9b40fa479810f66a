"""Pods that are evicted before others of lower priority, since only they can exceed their request.

The kubelet compares whether a pod uses more memory than it requests before it compares priorities
(`pkg/kubelet/eviction/helpers.go rankMemoryPressure`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import NamedTuple

from qoslint.kernel.pod import MEMORY, is_critical_pod
from qoslint.kernel.quantity import ZERO
from qoslint.kernel.scheduling import pod_requests
from qoslint.kernel.signals import Signal
from qoslint.model.contenders import Contender
from qoslint.model.effective import Admitted
from qoslint.model.expect.guests import Ground, Guests, guests
from qoslint.model.expect.intent import Outlives, Protected
from qoslint.model.expect.pairs import Example, example
from qoslint.model.expect.protected import can_exceed
from qoslint.model.judged import JudgedCluster
from qoslint.model.population import Member
from qoslint.model.priorities import default_priority

_SIGNAL = Signal.MEMORY

_SHOWN = 4

_TRIED = 32
"""Of how many pods of lower priority one must fit beside the pod: rather silent than slow."""


class Inversion(NamedTuple):
    """That a pod is evicted before others although its priority is higher."""

    higher: Member
    own: Contender
    lower: tuple[Member, ...]
    """The first few of them, lowest priority first."""
    number: int
    """How many there are that may run on such a node and cannot exceed their requests."""
    node: str
    shown: Example
    """Usages on one node at which the pod goes before one of them."""


class _Low(NamedTuple):
    """A pod that cannot use more memory than it requests."""

    priority: int
    member: Member
    contender: Contender


def inversions(judged: JudgedCluster) -> Iterator[Inversion]:
    """One for each pod whose PriorityClass lifts it above the default, in the order of workloads.

    Left out are pods that are never evicted, those that request no memory, since they exceed
    whatever they use, and those whose limits are all requested, of which a kubelet before v1.34
    overlooks what sidecars request. Without node profiles nobody knows which pods meet: none then.
    """
    lifted = {id(each) for each in judged.admitted if judged.kubelets and _is_lifted(each)}
    if not lifted:
        return
    field = guests(judged)

    @cache
    def low(index: int) -> list[_Low]:
        return _low(field, index)

    for key, member in field.known.items():
        if key in lifted:
            on = (index for index in range(len(judged.kubelets)) if key in field.on(index))
            shown = (_inversion(member, field, index, low(index)) for index in on)
            yield from islice(filter(None, shown), 1)


def _is_lifted(admitted: Admitted) -> bool:
    """Whether the pods name a class that gives them more than the default priority, and no more.

    Of those that somebody declares an order of evictions for, that is judged.
    """
    effective = admitted.effective
    if effective is None or not effective.authored.priority_class_name:
        return False
    pod = effective.pod
    lifted = (pod.priority or 0) > default_priority(effective.given)
    declared = any(isinstance(each.wish, Outlives | Protected) for each in admitted.intents)
    return lifted and not declared and not is_critical_pod(pod)


def _low(field: Guests, index: int) -> list[_Low]:
    """Those on a profile that can be evicted and not exceed, by priority; none without pressure."""
    ground = field.ground(index, _SIGNAL)
    if not ground.pressure.thresholds:
        return []
    rated = (
        (member, ground.contender(member.verdict.effective.pod))
        for member in field.on(index).values()
    )
    found = [
        _Low(own.priority, member, own)
        for member, own in rated
        if not own.critical and not can_exceed(own)
    ]
    return sorted(found, key=_priority)


def _priority(low: _Low) -> int:
    return low.priority


def _inversion(member: Member, field: Guests, index: int, others: list[_Low]) -> Inversion | None:
    """The inversion on the nodes of one profile, where those others may run."""
    ground = field.ground(index, _SIGNAL)
    own = ground.contender(member.verdict.effective.pod)
    count = bisect_left(others, own.priority, key=_priority)
    if not count or not _bursts(member, own, ground):
        return None
    for other in islice(others, min(count, _TRIED)):
        if field.may_share(index, member, other.member):
            shown = example(own, other.contender, _SIGNAL, ground.pressure.limits)
            if shown:
                few = tuple(each.member for each in others[: min(count, _SHOWN)])
                return Inversion(member, own, few, count, ground.kubelet.node.name, shown)
    return None


def _bursts(member: Member, own: Contender, ground: Ground) -> bool:
    """Whether the pod can use more than is requested for it, which is something."""
    requested = pod_requests(member.verdict.effective.pod, ground.kubelet.features)
    asked = requested.get(MEMORY, ZERO)
    return own.request.nanos > 0 and can_exceed(own) and can_exceed(own._replace(request=asked))
