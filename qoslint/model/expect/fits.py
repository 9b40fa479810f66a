"""Whether a node of a profile has room for one of the pods, beside the DaemonSets on it."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.errors import nearest
from qoslint.finding import OBJECT
from qoslint.kernel.allocatable import PODS
from qoslint.kernel.quantity import ZERO, Quantity
from qoslint.kernel.scheduling import pod_requests
from qoslint.model.expect.answer import Answer, Broken, Doubt, Judgement, Kept
from qoslint.model.expect.guests import NO_NODES, guests, judgements
from qoslint.model.expect.intent import Fits
from qoslint.model.judged import JudgedCluster
from qoslint.model.placement import DAEMON_SET
from qoslint.model.population import Excess, Member, excesses, kept_off
from qoslint.model.wording import counted, listing, some


def fits(cluster: JudgedCluster) -> Iterator[Judgement]:
    """The judgement on each wish of that kind, in the order of workloads."""
    field = guests(cluster)
    profiles = {kubelet.node.name: index for index, kubelet in enumerate(cluster.kubelets)}

    def daemons(index: int, beside: Member) -> tuple[Member, ...]:
        return tuple(
            each
            for each in field.on(index).values()
            if each is not beside and each.admitted.workload.object.kind == DAEMON_SET
        )

    def broken(member: Member, index: int) -> str:
        kubelet = cluster.kubelets[index]
        name = kubelet.node.name
        if why := kept_off(kubelet, *member):
            return f"{OBJECT} shall fit on node {name}, which does not take it: {why}."
        beside = daemons(index, member)
        own = pod_requests(member.verdict.effective.pod, kubelet.features)
        for excess in excesses((member, *beside), kubelet):
            asked = own.get(excess.resource, ZERO)
            # Of what it does not ask for no pod can have too little.
            if asked.nanos or excess.resource == PODS:
                return _sentence(excess, asked, len(beside), name)
        return ""

    def answer(member: Member, wish: Fits) -> Answer:
        if not profiles:
            return Doubt(NO_NODES)
        for name in wish.nodes:
            if name in profiles and (why := broken(member, profiles[name])):
                return Broken(why)
        missing = [name for name in wish.nodes if name not in profiles]
        if missing:
            hint = nearest(missing[0], profiles)
            where = f"cluster {cluster.cluster.name} has no node profile {missing[0]!r}"
            return Doubt(f"{where}{hint or f', but {some(profiles, len(profiles))}'}")
        one = len(wish.nodes) == 1
        has = "has room for it beside its" if one else "have room for it beside their"
        return Kept(f"{listing(wish.nodes)} {has} DaemonSets")

    yield from judgements(cluster, field, Fits, answer)


def _sentence(excess: Excess, own: Quantity, daemon_sets: int, node: str) -> str:
    resource = excess.resource
    asked = f"requests {own.canonical()} of {resource}" if own.nanos else "is one pod"
    beside = f" beside {counted(daemon_sets, 'DaemonSet')}" if daemon_sets else ""
    return (
        f"{OBJECT} {asked}, and does not fit on node {node}{beside}: together that is "
        f"{excess.wants} of {excess.has} that is allocatable, and the pods stay Pending there."
    )
