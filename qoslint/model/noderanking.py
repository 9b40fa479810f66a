"""Who is evicted first on each node profile of a cluster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from qoslint.errors import UsageError, nearest
from qoslint.kernel.podstats import measures_partly
from qoslint.kernel.signals import Signal, StarvedResource, starved_resource
from qoslint.model.contenders import (
    Contender,
    Scenario,
    contender,
    leak,
    peak,
    scenario,
    usages_at_requests,
)
from qoslint.model.effective import Admitted
from qoslint.model.innocents import Innocents, innocent_victims
from qoslint.model.judged import JudgedCluster
from qoslint.model.kubelet import Kubelet
from qoslint.model.measured.join import NOT_MEASURED, Joined
from qoslint.model.measured.podnames import pod_owner
from qoslint.model.measured.record import Resource
from qoslint.model.node import NO_PROFILE
from qoslint.model.objects import shortened
from qoslint.model.population import Population, population
from qoslint.model.pressure import Pressure, pressure
from qoslint.model.ranking import Ranking, ranking
from qoslint.model.usage import Usage, usage_interval
from qoslint.model.wording import listing

_RESOURCES = {
    StarvedResource.MEMORY: Resource.MEMORY,
    StarvedResource.EPHEMERAL_STORAGE: Resource.EPHEMERAL_STORAGE,
    StarvedResource.INODES: Resource.INODES,
    StarvedResource.PIDS: Resource.PROCESSES,
}


class Question(NamedTuple):
    """What is asked of a ranking."""

    signal: Signal
    scenario: str
    """`peak`, `requests`, `usage`, or `leak:` with the name of the pods that leak."""
    leaking: tuple[Admitted, ...] = ()
    nodes: tuple[str, ...] = ()
    """Names of profiles; empty for all."""
    measured: Mapping[str, Joined] = MappingProxyType({})
    """What was measured, by the name of the cluster."""


class NodeRanking(NamedTuple):
    """The pods of a node, ranked for a signal."""

    cluster: JudgedCluster
    kubelet: Kubelet
    population: Population
    names: tuple[str, ...]
    """Of the members, replicas told apart."""
    pressure: Pressure
    ranking: Ranking
    innocents: Innocents


def node_rankings(clusters: Sequence[JudgedCluster], question: Question) -> Iterator[NodeRanking]:
    """A ranking for each profile of the clusters that is asked for.

    Raises UsageError for a profile that is nowhere, where there is none at all, and if the pods
    that leak run on none.
    """
    profiles = [(cluster, kubelet) for cluster in clusters for kubelet in cluster.kubelets]
    known = list(dict.fromkeys(kubelet.node.name for _, kubelet in profiles))
    if not known:
        raise UsageError(
            f"no node profile is known, and without one nobody can say who goes first: {NO_PROFILE}"
        )
    for wanted in question.nodes:
        if wanted not in known:
            raise UsageError(f"there is no node profile {wanted!r}{nearest(wanted, known)}")
    found = [
        made
        for cluster, kubelet in profiles
        if not question.nodes or kubelet.node.name in question.nodes
        if (made := ranked(cluster, kubelet, question))
    ]
    if not found:
        raise UsageError(
            f"the pods of {question.leaking[0].label} run on none of these nodes: "
            f"{listing(question.nodes or known)}"
        )
    yield from found


def ranked(cluster: JudgedCluster, kubelet: Kubelet, question: Question) -> NodeRanking | None:
    """The ranking on a node; None if the pods that leak are not on it."""
    found, force = population(cluster, kubelet), pressure(kubelet, question.signal)
    measured = question.measured.get(cluster.cluster.name, NOT_MEASURED)
    contenders, seen = contenders_of(found, kubelet, question.signal, measured)
    leaking = [i for i, each in enumerate(found.members) if each.admitted in question.leaking]
    if question.leaking and not leaking:
        return None
    played = named_scenario(question.scenario, question.signal, contenders, leaking[:1], seen)
    return NodeRanking(
        cluster,
        kubelet,
        found,
        tuple(member_names(found)),
        force,
        ranking(contenders, question.signal, force.limits, played),
        innocent_victims(contenders, question.signal, force.limits),
    )


def contenders_of(
    found: Population, kubelet: Kubelet, signal: Signal, measured: Joined
) -> tuple[tuple[Contender, ...], frozenset[int]]:
    """The members with what they may use, and the indexes of those of which that was measured.

    Disk usage is measured as a whole: of a part of it, it is only the most.
    """
    partly = measures_partly(signal, kubelet.node.filesystems)
    room, resource = pressure(kubelet, signal).room, _RESOURCES[starved_resource(signal)]
    contenders: list[Contender] = []
    seen: set[int] = set()
    for index, member in enumerate(found.members):
        pod = member.verdict.effective.pod
        usage = usage_interval(pod, signal, room, kubelet.features)
        if measured.pods and (known := measured.pods.get((pod_owner(member.admitted), resource))):
            if partly:
                known = known._replace(lo=0)
            else:
                seen.add(index)
            usage = Usage(*known.narrowed(*usage))
        contenders.append(contender(pod, usage, signal, kubelet.features))
    return tuple(contenders), frozenset(seen)


def member_names(found: Population) -> Iterator[str]:
    """The members by the names of their workloads; several pods of one are numbered."""
    plain = [qualified_name(member.admitted) for member in found.members]
    several, numbers = Counter(plain), Counter[str]()
    for name in plain:
        numbers[name] += 1
        yield name if several[name] == 1 else f"{name} #{numbers[name]}"


def qualified_name(admitted: Admitted) -> str:
    """The workload as tables of pods name it: `shop/Deployment/api`."""
    thing = admitted.workload.object
    return shortened(f"{admitted.namespace}/{thing.kind}/{thing.name}")


def pod_name(admitted: Admitted) -> str:
    """The name of its pods as far as it is known: controllers append to theirs."""
    thing = admitted.workload.object
    return thing.name if thing.kind == "Pod" else f"{thing.name}-*"


def named_scenario(
    name: str,
    signal: Signal,
    contenders: Sequence[Contender],
    leaking: Collection[int],
    measured: Collection[int],
) -> Scenario:
    """The scenario `peak`, `requests` or `usage`, or of the first that leaks, if any does."""
    for index in leaking:
        return leak(name, index, contenders, signal)
    if name == "peak":
        return peak()
    usages = usages_at_requests(contenders, signal)
    for index in measured if name == "usage" else ():
        usages[index] = contenders[index].usage.hi
    return scenario(name, contenders, usages)
