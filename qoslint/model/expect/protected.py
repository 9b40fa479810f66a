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
from qoslint.kernel.pod import is_critical_pod
from qoslint.kernel.signals import Signal
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
from qoslint.model.expect.reserves import left_within_requests, reclaims_too_much
from qoslint.model.judged import JudgedCluster
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
        known = field.shared(index).known
        if can_exceed(own) and (why := _exceeding(own, ground)):
            return why
        for other, contender in unbounded(index):
            if field.may_share(index, member, other) and (
                why := _beside(own, other, contender, ground, known)
            ):
                return why
        return reclaims_too_much(ground.kubelet)

    def answer(member: Member, _: Protected) -> Answer:
        if critical := never_evicted(member):
            return Kept(critical)
        if not cluster.kubelets:
            return Doubt(NO_NODES)
        held: list[int] = []
        for index in range(len(cluster.kubelets)):
            evicts = field.ground(index, _SIGNAL).pressure.thresholds
            if evicts and id(member.admitted) in field.on(index):
                if why := broken(member, index):
                    return Broken(why)
                held.append(index)
        if not held:
            return Kept("no node that takes it has a threshold for memory")
        if others := unknown():
            return Doubt(f"what others are is not known ({some(others, len(others))})")
        return Kept(" ".join(argument(member, held)))

    def argument(member: Member, held: list[int]) -> Iterator[str]:
        first, *others = held
        kubelet = cluster.kubelets[first]
        request = field.ground(first, _SIGNAL).contender(member.verdict.effective.pod).request
        yield (
            f"on {kubelet.node.name} it cannot use more than the {request.canonical()} that it "
            "requests."
        )
        if any(is_critical_pod(each.verdict.effective.pod) for each in field.on(first).values()):
            yield "Nor can any critical pod there, which the kubelet never evicts."
        yield left_within_requests(field.shared(first), kubelet)
        yield (
            "So while daemons keep to that, some other pod is above its request whenever the "
            "kubelet evicts, and goes before it"
        )
        if others:
            names = [cluster.kubelets[index].node.name for index in others]
            yield f"(and so on {some(names, len(names))})"

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
        f"the {own.request.canonical()} that it requests{_beside_others(found)}: it then "
        "goes before every pod that stays within its request."
    )


def _beside(
    own: Contender, other: Member, exceeding: Contender, ground: Ground, known_to_share: bool
) -> str:
    """That a pod which is never evicted may exceed its request beside it; or empty, likewise."""
    requested = at_request(own, _SIGNAL)
    found = excess_example(exceeding, requested, ground.pressure.limits)
    if found is None:
        return ""
    shared = "" if known_to_share else "if the scheduler puts both on one such node, "
    return (
        f"On node {ground.kubelet.node.name}, {shared}{other.admitted.label} is never evicted and "
        "may use "
        f"{_bytes(found.first)}, more than the {exceeding.request.canonical()} that it requests"
        f"{_beside_others(found)}: {OBJECT} at {_bytes(requested)} may be evicted for that, "
        "although it stays within its request."
    )


def _beside_others(found: Example) -> str:
    if not found.others:
        return ""
    return (
        f", while all other pods that share it use {_bytes(found.others)}, the least with which a "
        "threshold is met"
    )


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
