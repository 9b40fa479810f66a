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
    Contest,
    Scenario,
    contender,
    leak,
    peak,
    requests,
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
    measured: frozenset[int]
    """The indexes of the members of which the usage was measured."""
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
    leaking = [i for i, each in enumerate(found.members) if each.admitted in question.leaking][:1]
    if question.leaking and not leaking:
        return None
    field = contest_of(found, kubelet, question.signal, measured, leaking)
    played = named_scenario(question.scenario, question.signal, field, leaking)
    return NodeRanking(
        cluster,
        kubelet,
        found,
        tuple(member_names(found)),
        force,
        field.measured,
        ranking(field.contenders, question.signal, force.limits, played),
        innocent_victims(field, question.signal, force.limits),
    )


def contest_of(
    found: Population,
    kubelet: Kubelet,
    signal: Signal,
    measured: Joined,
    leaking: Collection[int],
) -> Contest:
    """The members with what they may use.

    What was measured of a pod bounds it, unless it leaks: then it may use up to its limit. Disk
    usage is measured as a whole: of a part of it, it is only the most.
    """
    partly = measures_partly(signal, kubelet.node.filesystems)
    room, resource = pressure(kubelet, signal).room, _RESOURCES[starved_resource(signal)]
    free: list[Contender] = []
    seen: dict[int, Usage] = {}
    bounded: dict[int, Usage] = {}
    for index, member in enumerate(found.members):
        pod = member.verdict.effective.pod
        usage = usage_interval(pod, signal, room, kubelet.features)
        free.append(contender(pod, usage, signal, kubelet.features))
        if known := measured.pods.get((pod_owner(member.admitted), resource)):
            if partly:
                bounded[index] = Usage(*known._replace(lo=0).narrowed(*usage))
            else:
                bounded[index] = seen[index] = Usage(*known.narrowed(*usage))
    narrow = [
        each._replace(usage=bounded.get(index, each.usage)) for index, each in enumerate(free)
    ]
    rest = usages_at_requests(narrow, signal)
    for index, usage in seen.items():
        rest[index] = usage.hi
    for index in leaking:
        narrow[index] = free[index]._replace(
            usage=Usage(narrow[index].usage.lo, free[index].usage.hi)
        )
    return Contest(
        tuple(narrow),
        tuple(rest),
        tuple(each.usage.lo for each in free),
        tuple(each.usage.hi for each in free),
        frozenset(seen),
    )


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


def named_scenario(name: str, signal: Signal, field: Contest, leaking: Collection[int]) -> Scenario:
    """The scenario `peak`, `requests` or `usage`, or of the first that leaks, if any does."""
    for index in leaking:
        return leak(name, index, field)
    if name == "peak":
        return peak()
    if name == "requests":
        return requests(field.contenders, signal)
    return scenario(name, field.contenders, field.rest)
