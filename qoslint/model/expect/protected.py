"""Whether the kubelet never evicts pods for memory while daemons keep to what is reserved.

**The argument.** If the pods of a node stay within their requests, and its daemons within what is
reserved for them, then at least what hard thresholds reserve is available: no threshold of at most
that much is met. So whenever one is met, some pod uses more than it requests. If no pod that
cannot be evicted can do so, one that can be does; the kubelet ranks it before all that stay within
their requests (`pkg/kubelet/eviction/helpers.go rankMemoryPressure`). After such evictions the
kubelet goes on until the threshold with its minimum reclaim is available: the same holds as long
as that fits in what is left. So a pod that cannot exceed its request is never the victim.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from qoslint.finding import OBJECT
from qoslint.kernel.eviction import NANOS
from qoslint.kernel.pod import MEMORY, is_critical_pod
from qoslint.kernel.quantity import ZERO, Format, new_quantity
from qoslint.kernel.signals import MEMORY_SIGNALS, Signal
from qoslint.kernel.thresholds import threshold_quantity
from qoslint.model.contenders import Contender, Limits
from qoslint.model.expect.answer import Answer, Broken, Doubt, Judgement, Kept
from qoslint.model.expect.guests import (
    NO_NODES,
    Ground,
    guests,
    judgements,
    never_evicted,
)
from qoslint.model.expect.intent import Protected
from qoslint.model.expect.known import why_unknown
from qoslint.model.expect.pairs import Example, amount, at_request, rounded_up, within
from qoslint.model.judged import JudgedCluster
from qoslint.model.kubelet import Kubelet
from qoslint.model.population import Member
from qoslint.model.wording import some

_SIGNAL = Signal.MEMORY


def protected(cluster: JudgedCluster) -> Iterator[Judgement]:
    """The judgement on each wish of that kind, in the order of workloads."""
    field = guests(cluster)

    @cache
    def unbounded(index: int) -> tuple[tuple[Member, Contender], ...]:
        """The pods on a profile that cannot be evicted and can exceed their requests."""
        ground = field.ground(index, _SIGNAL)
        critical = (
            (member, ground.contender(member.verdict.effective.pod))
            for member in field.on(index).values()
            if is_critical_pod(member.verdict.effective.pod)
        )
        return tuple(each for each in critical if can_exceed(each[1]))

    @cache
    def unknown() -> list[str]:
        return [
            f"{each.label}: {why_unknown(each)}"
            for each in cluster.admitted
            if each.admitted is not False and id(each) not in field.known
        ]

    def broken(member: Member, index: int) -> str:
        ground = field.ground(index, _SIGNAL)
        own = ground.contender(member.verdict.effective.pod)
        if can_exceed(own) and (why := _exceeding(own, ground)):
            return why
        for other, contender in unbounded(index):
            if field.may_share(index, member, other) and (
                why := _beside(own, other, contender, ground)
            ):
                return why
        return reclaims_too_much(ground.kubelet)

    def answer(member: Member, _: Protected) -> Answer:
        if critical := never_evicted(member):
            return Kept(critical)
        if not cluster.kubelets:
            return Doubt(NO_NODES)
        names = []
        for index, kubelet in enumerate(cluster.kubelets):
            evicts = field.ground(index, _SIGNAL).pressure.thresholds
            if evicts and id(member.admitted) in field.on(index):
                if why := broken(member, index):
                    return Broken(why)
                names.append(kubelet.node.name)
        if not names:
            return Kept("no node that takes it has a threshold for memory")
        if others := unknown():
            return Doubt(f"what others are is not known ({some(others, len(others))})")
        return Kept(
            f"on {some(names, len(names))} it cannot use more than it requests, nor can any pod "
            "that is never evicted, and what the kubelet reclaims fits in what is reserved: so, "
            "while daemons keep to their reservation, every eviction finds a pod above its "
            "request, which goes before it"
        )

    yield from judgements(cluster, field, Protected, answer)


def can_exceed(contender: Contender) -> bool:
    """Whether the pod may use more memory than the request that the kubelet compares."""
    return contender.usage.hi * NANOS > contender.request.nanos


def _exceeding(own: Contender, ground: Ground) -> str:
    """That the pod itself may exceed its request, as a sentence; empty if no usages show it."""
    found = excess_example(own, 0, ground.pressure.limits)
    if found is None:
        return ""
    return (
        f"On node {ground.kubelet.node.name}, {OBJECT} may use {_bytes(found.first)}, more than "
        f"the {own.request.canonical()} that it requests{_beside_others(found)}: it is "
        "then evicted before every pod that stays within its request."
    )


def _beside(own: Contender, other: Member, exceeding: Contender, ground: Ground) -> str:
    """That a pod which is never evicted may exceed its request beside it; or empty, likewise."""
    requested = at_request(own, _SIGNAL)
    found = excess_example(exceeding, requested, ground.pressure.limits)
    if found is None:
        return ""
    return (
        f"On node {ground.kubelet.node.name}, {other.admitted.label} is never evicted and may use "
        f"{_bytes(found.first)}, more than the {exceeding.request.canonical()} that it requests"
        f"{_beside_others(found)}: {OBJECT} at {_bytes(requested)} may be evicted for that, "
        "although it stays within its request."
    )


def _beside_others(found: Example) -> str:
    return f", while all other pods use {_bytes(found.others)}" if found.others else ""


def _bytes(usage: int) -> str:
    return amount(usage, _SIGNAL)


def excess_example(exceeding: Contender, other: int, limits: Limits) -> Example | None:
    """Usages within the limits at which a pod exceeds its request beside that much of another."""
    lo, hi = exceeding.usage
    least = max(lo, exceeding.request.nanos // NANOS + 1)
    for usage in (hi, rounded_up(least), least):
        if least <= usage <= hi:
            found = within(usage, other, limits)
            if found:
                return found
    return None


def reclaims_too_much(kubelet: Kubelet) -> str:
    """That a threshold asks for more than pods within their requests leave, as a sentence.

    Empty if all of them leave enough, while daemons keep to what is reserved for them.
    """
    resources = kubelet.resources
    allocatable = resources.allocatable
    for threshold in resources.thresholds or ():
        capacity = resources.capacities.get(threshold.signal)
        if threshold.signal not in MEMORY_SIGNALS or capacity is None or allocatable is None:
            continue
        daemons = 0 if threshold.signal is Signal.ALLOCATABLE_MEMORY else _daemons(kubelet)
        pods = allocatable.allocatable.get(MEMORY, ZERO).nanos
        left = capacity * NANOS - pods - daemons
        wanted = threshold.resolved(capacity).nanos
        if threshold.min_reclaim is not None:
            wanted += threshold_quantity(threshold.min_reclaim, capacity).nanos
        if wanted > left:
            return (
                f"On node {kubelet.node.name}, the kubelet evicts until {_nanos(wanted)} of "
                f"{threshold.signal} are left, its minimum reclaim included, and pods within their "
                f"requests and daemons within their reservation leave {_nanos(left)}: {OBJECT} may "
                "be evicted although it stays within its request."
            )
    return ""


def _daemons(kubelet: Kubelet) -> int:
    """The most that daemons use while they keep to what is reserved for them, in billionths."""
    allocatable = kubelet.resources.allocatable
    if allocatable is None:
        return 0
    parts = (allocatable.kube_reserved, allocatable.system_reserved)
    reserved = sum(part.get(MEMORY, ZERO).nanos for part in parts)
    stated = kubelet.node.daemons.get(MEMORY)
    return reserved if stated is None else min(reserved, stated.nanos)


def _nanos(nanos: int) -> str:
    return str(new_quantity(max(0, nanos) // NANOS, Format.BINARY_SI))
