"""The pods that may run on the nodes of a cluster, as expectations look at them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from operator import add, le
from typing import NamedTuple, TypeVar

from qoslint.kernel.pod import Pod, is_critical_pod
from qoslint.kernel.signals import Signal
from qoslint.model.contenders import Contender, contender
from qoslint.model.expect.answer import Answer, Doubt, Judgement
from qoslint.model.expect.intent import Wish
from qoslint.model.expect.known import why_unknown
from qoslint.model.judged import JudgedCluster
from qoslint.model.kubelet import Kubelet
from qoslint.model.node import NO_PROFILE
from qoslint.model.podselector import PodSelector
from qoslint.model.population import (
    Member,
    Population,
    allocatable,
    kept_off,
    population,
    requested,
)
from qoslint.model.pressure import Pressure, pressure
from qoslint.model.usage import usage_interval

NO_NODES = f"no node profile is known, and without one nobody can say who goes first: {NO_PROFILE}"
"""Why nothing can be said of eviction, as a clause."""

_W = TypeVar("_W", bound=Wish)

_CRITICAL = "it is never evicted: its priority or its kind makes it critical"


class Ground(NamedTuple):
    """The nodes of a profile under one pressure."""

    kubelet: Kubelet
    signal: Signal
    pressure: Pressure

    def contender(self, pod: Pod) -> Contender:
        """The pod with what it may use of what runs out."""
        features = self.kubelet.features
        usage = usage_interval(pod, self.signal, self.pressure.room, features)
        return contender(pod, usage, self.signal, features)


class Selected(NamedTuple):
    """The pods of a cluster that a selector selects; those that are refused are left out."""

    members: tuple[Member, ...]
    unknown: tuple[str, ...]
    """Workloads of which it is not known what their pods are, each with why."""


class Guests(NamedTuple):
    """The pods of a cluster that are known, and those on each profile."""

    known: Mapping[int, Member]
    """By the identity of what was admitted, in its order."""
    on: Callable[[int], Mapping[int, Member]]
    """Those that the nodes of the profile of that index take and have room for, likewise."""
    ground: Callable[[int, Signal], Ground]
    shared: Callable[[int], Population]
    """The pods that share a node of that profile, or one of each that may."""
    may_share: Callable[[int, Member, Member], bool]
    """Whether the scheduler may put both on one node of that profile, which takes each of them."""
    selected: Callable[[PodSelector], Selected]


def guests(cluster: JudgedCluster) -> Guests:
    """The known pods of a cluster, in the order of its workloads."""
    verdicts = {
        id(admitted): verdict for verdict, sharing in cluster.verdicts for admitted in sharing
    }
    known = {
        id(admitted): Member(admitted, verdicts[id(admitted)])
        for admitted in cluster.admitted
        if id(admitted) in verdicts and not why_unknown(admitted)
    }

    @cache
    def on(index: int) -> Mapping[int, Member]:
        kubelet, most = cluster.kubelets[index], capacity(index)
        return {
            key: each
            for key, each in known.items()
            if not kept_off(kubelet, *each) and all(map(le, requests(index, key), most))
        }

    @cache
    def ground(index: int, signal: Signal) -> Ground:
        kubelet = cluster.kubelets[index]
        return Ground(kubelet, signal, pressure(kubelet, signal))

    @cache
    def requests(index: int, key: int) -> tuple[int, ...]:
        return requested(known[key], cluster.kubelets[index])

    @cache
    def capacity(index: int) -> tuple[int, ...]:
        return tuple(each.nanos for each in allocatable(cluster.kubelets[index]).values())

    @cache
    def shared(index: int) -> Population:
        return population(cluster, cluster.kubelets[index])

    def may_share(index: int, one: Member, other: Member) -> bool:
        both = requests(index, id(one.admitted)), requests(index, id(other.admitted))
        return all(map(le, map(add, *both), capacity(index)))

    @cache
    def selected(pods: PodSelector) -> Selected:
        chosen = [
            each
            for each in cluster.admitted
            if each.admitted is not False
            and pods.selects(
                each.namespace,
                each.workload.object.kind,
                each.workload.object.name,
                each.workload.pod_labels,
            )
        ]
        return Selected(
            tuple(known[id(each)] for each in chosen if id(each) in known),
            tuple(f"{each.label}: {why_unknown(each)}" for each in chosen if id(each) not in known),
        )

    return Guests(known, on, ground, shared, may_share, selected)


def judgements(
    cluster: JudgedCluster,
    guests: Guests,
    kind: type[_W],
    answer: Callable[[Member, _W], Answer],
) -> Iterator[Judgement]:
    """The judgement on each wish of a kind, in the order of workloads.

    Pods that are refused are left out: how they would rank is no answer to anybody.
    """
    for admitted in cluster.admitted:
        for intent in admitted.intents if admitted.admitted is not False else ():
            if isinstance(intent.wish, kind):
                member = guests.known.get(id(admitted))
                doubt = Doubt(why_unknown(admitted))
                yield Judgement(admitted, intent, answer(member, intent.wish) if member else doubt)


def never_evicted(member: Member) -> str:
    """Why the kubelet never evicts the pod, as a clause; empty if it may."""
    return _CRITICAL if is_critical_pod(member.verdict.effective.pod) else ""
