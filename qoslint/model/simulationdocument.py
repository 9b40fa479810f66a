"""What was played on a node, as one JSON document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from qoslint.kernel.eviction import NANOS
from qoslint.kernel.pod import MEMORY, is_critical_pod
from qoslint.kernel.ramps import Ramp
from qoslint.kernel.scenario import (
    KernelKill,
    KubeletPass,
    in_time,
    longest_grace,
    worst_wait,
)
from qoslint.kernel.signals import MEMORY_SIGNALS
from qoslint.model.assumed import assumptions
from qoslint.model.rankdocument import population_document
from qoslint.model.running import pod_memory
from qoslint.model.simulate import Simulation
from qoslint.model.simulationsteps import in_bytes, steps

Document: TypeAlias = dict[str, object]
"""A JSON object of `schemas/simulation.schema.json`."""


def simulation_document(played: Simulation) -> Document:
    """The whole document; pods stand by namespace, kind and name, steps by second."""
    return {
        "schemaVersion": 1,
        "cluster": played.cluster,
        "node": _node(played),
        "population": population_document(played.population),
        "scenario": played.scenario,
        "assumptions": list(assumptions(played)),
        "daemons": _ramp(played.node.daemons[0].memory),
        "daemonsFit": in_bytes(max(0, played.node.memory - _pods_memory(played))),
        "pods": list(_pods(played)),
        "seconds": played.seconds,
        "steps": list(steps(played)),
        "outcome": _outcome(played),
    }


def _node(played: Simulation) -> Document:
    node, resources = played.kubelet.node, played.kubelet.resources
    allocatable = resources.allocatable
    limit, grace = played.node.kubepods_limit, longest_grace(played.config)
    return {
        "name": node.name,
        "version": str(node.version),
        "memory": in_bytes(played.node.memory),
        "allocatable": (allocatable.allocatable if allocatable else node.capacity)[
            MEMORY
        ].canonical(),
        "kubepodsLimit": None if limit is None else in_bytes(limit),
        "approximate": node.approximate.source if node.approximate else None,
        "thresholds": [
            {
                "signal": str(each.signal),
                "value": each.resolved(resources.capacities[each.signal]).canonical(),
                "gracePeriodSeconds": each.grace_period // NANOS,
                "inTime": in_bytes(in_time(each, resources.capacities[each.signal], grace)),
                "worstWaitSeconds": worst_wait(each),
                "worstGraceSeconds": grace,
                "minReclaim": None
                if each.min_reclaim is None
                else each._replace(value=each.min_reclaim)
                .resolved(resources.capacities[each.signal])
                .canonical(),
            }
            for each in played.config.thresholds
            if each.signal in MEMORY_SIGNALS and each.signal in resources.capacities
        ],
    }


def _pods(played: Simulation) -> Iterator[Document]:
    members = zip(played.names, played.population.members, played.pods, strict=True)
    for index, (name, member, running) in enumerate(members):
        yield {
            "pod": name,
            "qosClass": str(member.verdict.qos),
            "priority": running.pod.priority or 0,
            "critical": is_critical_pod(running.pod),
            "measured": index in played.measured,
            "containers": [
                {
                    "name": each.name,
                    "oomScoreAdj": each.oom_score_adj,
                    "memory": _ramp(each.memory),
                }
                for each in running.containers
            ],
        }


def _pods_memory(played: Simulation) -> int:
    """What the pods use together at the start."""
    return sum(pod_memory(each, 0) for each in played.pods)


def _outcome(played: Simulation) -> Document:
    passes = [each for each in played.steps if isinstance(each, KubeletPass)]
    kills = [each for each in played.steps if isinstance(each, KernelKill)]
    evicted = [(victim.pod, each.second) for each in passes for victim in each.evicted]
    gone = {pod for pod, _ in evicted}
    graces = ((each.second, victim) for each in passes for victim in each.evicted)
    ended = kills[0].second if kills else played.seconds
    left = [index for index in range(len(played.pods)) if index not in gone]
    ending = {pod.pod for at, pod in graces if ended < at + max(1, pod.grace_period_override)}
    used = sum(pod_memory(played.pods[index], ended) for index in {*left, *ending})
    used += played.node.daemons[0].memory.at(ended)
    return {
        "second": ended,
        "by": "kernel" if kills else "kubelet" if evicted else None,
        "evicted": [{"pod": pod, "second": second} for pod, second in evicted],
        "notEvicted": left,
        "available": None if kills else in_bytes(max(0, played.node.memory - used)),
    }


def _ramp(ramp: Ramp) -> Document:
    return {
        "from": in_bytes(ramp.start),
        "to": in_bytes(ramp.target),
        "perSecond": in_bytes(ramp.per_second),
        "begins": ramp.begins,
    }
