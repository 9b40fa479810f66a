"""A node played with its own pods: who is evicted or killed, when, and by which rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from qoslint.errors import UsageError, nearest
from qoslint.kernel.kubeletconfig import KubeletConfiguration
from qoslint.kernel.pod import MEMORY
from qoslint.kernel.quantity import ZERO
from qoslint.kernel.ramps import Daemon, Node, Ramp, RunningPod, steady
from qoslint.kernel.scenario import KernelKill, KubeletPass, play
from qoslint.kernel.signals import Signal
from qoslint.kernel.simulation import EvictionConfig
from qoslint.model.growth import Growth, last_second
from qoslint.model.judged import JudgedCluster
from qoslint.model.kubelet import Kubelet
from qoslint.model.measured.join import Joined
from qoslint.model.named import named
from qoslint.model.node import NO_PROFILE
from qoslint.model.noderanking import contest_of, member_names, named_scenario
from qoslint.model.population import Population, population
from qoslint.model.running import running_pod
from qoslint.model.wording import some

_MOST_BY_DEFAULT = 3600
_AFTERWARDS = 60
_NANOS = 10**9
_LEAK = "leak:"


class NodeName(NamedTuple):
    """A node profile as a command line names it; None where there is only one."""

    node: str | None = None
    cluster: str | None = None


class Plan(NamedTuple):
    """What is to be played on a node."""

    scenario: str
    """`requests`, `peak`, `usage` or `leak:WORKLOAD`: what pods use that do not grow."""
    growths: tuple[Growth, ...] = ()
    daemons: Ramp | None = None
    """What runs outside of pods uses; None for what the profile states."""
    seconds: int | None = None
    """None for until nothing grows any more and the kubelet has answered."""


@dataclass(frozen=True, slots=True, eq=False)
class Simulation:
    """What was played, and what came of it. Pods are told by their index in the population."""

    cluster: str
    kubelet: Kubelet
    population: Population
    names: tuple[str, ...]
    """Of the pods, replicas told apart."""
    scenario: str
    measured: frozenset[int]
    """The pods whose usage was measured."""
    growing: tuple[Growth | None, ...]
    pods: tuple[RunningPod, ...]
    node: Node
    daemons_stated: bool
    config: EvictionConfig
    seconds: int
    steps: tuple[KubeletPass | KernelKill, ...]


def chosen_node(
    wanted: NodeName, clusters: Sequence[JudgedCluster]
) -> tuple[JudgedCluster, Kubelet]:
    """The node profile of that name, or the only one; raises UsageError."""
    if wanted.cluster is not None:
        names = [each.cluster.name for each in clusters]
        clusters = [each for each in clusters if each.cluster.name == wanted.cluster]
        if not clusters:
            near = nearest(wanted.cluster, names)
            raise UsageError(f"there is no cluster {wanted.cluster!r}{near}")
    every = [(each, kubelet) for each in clusters for kubelet in each.kubelets]
    if not every:
        raise UsageError(f"no node profile is known, and a node is never guessed: {NO_PROFILE}")
    found = [pair for pair in every if wanted.node in (None, pair[1].node.name)]
    labels = [f"{kubelet.node.name} (cluster {each.cluster.name})" for each, kubelet in every]
    listed = some(labels, len(labels))
    if not found:
        near = nearest(str(wanted.node), [kubelet.node.name for _, kubelet in every])
        raise UsageError(f"there is no node profile {wanted.node!r}{near}; there are {listed}")
    if len(found) > 1:
        option = "--node NAME" if wanted.node is None else "--cluster NAME"
        raise UsageError(f"choose one of {len(found)} nodes with {option}: {listed}")
    return found[0]


def simulate(cluster: JudgedCluster, kubelet: Kubelet, plan: Plan, measured: Joined) -> Simulation:
    """The plan played on the node with the pods that share it; raises UsageError."""
    node = kubelet.node
    if node.os != "linux":
        raise UsageError(f"node {node.name} runs {node.os}: only Linux nodes are played")
    shared = population(cluster, kubelet)
    if not shared.members:
        raise UsageError(f"no pod is known that runs on node {node.name}{_why_none(shared)}")
    leaking = plan.scenario.removeprefix(_LEAK) if plan.scenario.startswith(_LEAK) else ""
    indexes = _members(leaking, cluster, shared)[:1] if leaking else []
    field = contest_of(shared, kubelet, Signal.MEMORY, measured, indexes)
    chosen = named_scenario(plan.scenario, Signal.MEMORY, field, indexes)
    growing = tuple(_growing(plan.growths, cluster, shared))
    pods = tuple(
        running_pod(member, kubelet, measured, used, grows)
        for member, used, grows in zip(
            shared.members, chosen.usages(field.contenders), growing, strict=True
        )
    )
    config = eviction_config(kubelet)
    daemons = plan.daemons or steady(node.daemons.get(MEMORY, ZERO).value())
    kubepods = kubelet.resources.kubepods
    machine = Node(
        memory=node.memory_bytes,
        kubepods_limit=None if kubepods is None else kubepods.memory_max,
        daemons=(Daemon("daemons", daemons),),
    )
    seconds = plan.seconds
    if seconds is None:
        ramps = (each.memory for pod in pods for each in pod.containers)
        seconds = _long_enough((daemons, *ramps), config)
    return Simulation(
        cluster=cluster.cluster.name,
        kubelet=kubelet,
        population=shared,
        names=tuple(member_names(shared)),
        scenario=chosen.name,
        measured=field.measured,
        growing=growing,
        pods=pods,
        node=machine,
        daemons_stated=plan.daemons is not None or MEMORY in node.daemons,
        config=config,
        seconds=seconds,
        steps=tuple(play(machine, pods, config, seconds)),
    )


def eviction_config(kubelet: Kubelet) -> EvictionConfig:
    """How the kubelet of a profile evicts."""
    configuration: KubeletConfiguration = kubelet.configuration
    thresholds = kubelet.resources.thresholds
    assert thresholds is not None, "a kubelet that does not start is no node"
    return EvictionConfig(
        thresholds,
        kubelet.features,
        kubelet.node.filesystems,
        configuration.eviction_max_pod_grace_period,
        configuration.eviction_pressure_transition_period,
        configuration.local_storage_capacity_isolation,
    )


def _long_enough(ramps: Iterable[Ramp], config: EvictionConfig) -> int:
    grace = max((each.grace_period for each in config.thresholds), default=0) // _NANOS
    after = grace + config.max_pod_grace_period_seconds + _AFTERWARDS
    return min(max(map(last_second, ramps)) + after, _MOST_BY_DEFAULT)


def _growing(
    growths: Iterable[Growth], cluster: JudgedCluster, shared: Population
) -> Iterator[Growth | None]:
    found: dict[int, Growth] = {}
    for each in growths:
        for index in _members(each.workload, cluster, shared):
            if index in found:
                raise UsageError(f"{each.workload!r} is given two ramps: one pod has one")
            found[index] = each
    return (found.get(index) for index in range(len(shared.members)))


def _members(name: str, cluster: JudgedCluster, shared: Population) -> list[int]:
    """The pods on the node of the workload of that name."""
    meant = {id(admitted) for admitted, _ in named(name, (cluster,))}
    indexes = [i for i, each in enumerate(shared.members) if id(each.admitted) in meant]
    if not indexes:
        why: Mapping[int, str] = {id(each.admitted): each.why for each in shared.left_out}
        reason = next(why[each] for each in meant if each in why)
        raise UsageError(f"{name!r} has no pod on the node: {reason}")
    return indexes


def _why_none(shared: Population) -> str:
    if not shared.left_out:
        return ""
    first = shared.left_out[0]
    return f": of {first.admitted.label}, {first.why}"
