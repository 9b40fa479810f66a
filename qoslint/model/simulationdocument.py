"""What was played on a node, as one JSON document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from qoslint.kernel.eviction import NANOS, compared_request, exceeds_request
from qoslint.kernel.evictionmessage import eviction_message
from qoslint.kernel.pod import MEMORY, is_critical_pod
from qoslint.kernel.podstats import usage as measured_usage
from qoslint.kernel.quantity import Format, Quantity, new_quantity
from qoslint.kernel.ramps import Ramp, RunningPod, pod_stats
from qoslint.kernel.scenario import KernelKill, KubeletPass, Suspect
from qoslint.kernel.signals import MEMORY_SIGNALS, Signal, starved_resource
from qoslint.kernel.simulation import Reclaim, Victim, thresholds_met
from qoslint.model.assumed import assumptions
from qoslint.model.population import Member
from qoslint.model.rankdocument import population_document
from qoslint.model.simulate import Simulation

Document: TypeAlias = dict[str, object]
"""A JSON object of `schemas/simulation.schema.json`."""


def simulation_document(played: Simulation) -> Document:
    """The whole document; pods stand by namespace, kind and name, steps by second."""
    steps = list(_noted(played))
    return {
        "schemaVersion": 1,
        "cluster": played.cluster,
        "node": _node(played),
        "population": population_document(played.population),
        "scenario": played.scenario,
        "assumptions": list(assumptions(played)),
        "daemons": _ramp(played.node.daemons[0].memory),
        "pods": list(_pods(played)),
        "seconds": played.seconds,
        "steps": [_step(each, played) for each in steps],
        "outcome": _outcome(played),
    }


def _node(played: Simulation) -> Document:
    node, resources = played.kubelet.node, played.kubelet.resources
    allocatable = resources.allocatable
    limit = played.node.kubepods_limit
    return {
        "name": node.name,
        "version": str(node.version),
        "memory": _bytes(played.node.memory),
        "allocatable": (allocatable.allocatable if allocatable else node.capacity)[
            MEMORY
        ].canonical(),
        "kubepodsLimit": None if limit is None else _bytes(limit),
        "approximate": node.approximate.source if node.approximate else None,
        "thresholds": [
            {
                "signal": str(each.signal),
                "value": each.resolved(resources.capacities[each.signal]).canonical(),
                "gracePeriodSeconds": each.grace_period // NANOS,
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


def _noted(played: Simulation) -> Iterator[KubeletPass | KernelKill]:
    """The first pass, and those in which something else happens than in the one before."""
    yield from played.steps[:1]
    for before, step in pairwise(played.steps):
        if _differs(before, step, played):
            yield step


def _differs(
    before: KubeletPass | KernelKill, step: KubeletPass | KernelKill, played: Simulation
) -> bool:
    if isinstance(step, KernelKill) or isinstance(before, KernelKill):
        return True
    return bool(step.evicted) or _shown(before, played) != _shown(step, played)


def _shown(step: KubeletPass, played: Simulation) -> object:
    refused = [reclaim.refused for reclaim in step.done.reclaims if not reclaim.victims]
    met = thresholds_met(played.config.thresholds, step.observations)
    return step.done.conditions, met, refused


def _step(step: KubeletPass | KernelKill, played: Simulation) -> Document:
    if isinstance(step, KernelKill):
        return _kill(step, played)
    second = step.second
    daemons = played.node.daemons[0].memory.at(second)
    return {
        "second": second,
        "by": "kubelet",
        "daemons": _bytes(daemons),
        "available": _bytes(step.observations[Signal.MEMORY].available),
        "signals": list(_signals(step, played)),
        "conditions": [str(each) for each in step.done.conditions],
        "reclaims": str(step.done.reclaims[0].threshold.signal) if step.done.reclaims else None,
        "ranking": list(_ranking(step, played)),
        "refused": list(step.done.reclaims[0].refused) if step.done.reclaims else [],
        "evicted": [*_for_local_storage(step), *_evicted(step, played)],
    }


def _signals(step: KubeletPass, played: Simulation) -> Iterator[Document]:
    met = thresholds_met(played.config.thresholds, step.observations)
    for threshold in played.config.thresholds:
        seen = step.observations.get(threshold.signal)
        if seen is None:
            continue
        since = step.done.state.first_observed.get(threshold)
        yield {
            "signal": str(threshold.signal),
            "available": _bytes(seen.available),
            "threshold": threshold.resolved(seen.capacity).canonical(),
            "gracePeriodSeconds": threshold.grace_period // NANOS,
            "met": threshold in met,
            "since": None if since is None else since // NANOS,
        }


def _ranking(step: KubeletPass, played: Simulation) -> Iterator[Document]:
    """Whom the kubelet ranks for the first threshold that it deals with, and by which keys."""
    rank = 1
    for reclaim in step.done.reclaims[:1]:
        for group in reclaim.ranking:
            for index in group:
                usage, request = _keys(index, reclaim, step, played)
                pod = played.pods[index].pod
                yield {
                    "pod": index,
                    "rank": rank,
                    "tie": len(group) > 1,
                    "exceedsRequest": exceeds_request(
                        reclaim.threshold.signal, usage, request.nanos
                    ),
                    "priority": pod.priority or 0,
                    "overage": _nanos(usage * NANOS - request.nanos),
                    "usage": _bytes(usage),
                    "request": request.canonical(),
                    "critical": is_critical_pod(pod),
                }
            rank += len(group)


def _keys(
    index: int, reclaim: Reclaim, step: KubeletPass, played: Simulation
) -> tuple[int, Quantity]:
    running, signal = played.pods[index], reclaim.threshold.signal
    stats = pod_stats(running, step.second)
    used = measured_usage(running.pod, stats, signal, played.config.filesystems)
    return used, compared_request(running.pod, signal, played.config.features)


def _for_local_storage(step: KubeletPass) -> Iterator[Document]:
    for each in step.done.local_storage:
        yield _eviction(each.victim, each.message, ())


def _evicted(step: KubeletPass, played: Simulation) -> Iterator[Document]:
    for reclaim in step.done.reclaims[:1]:
        for victim in reclaim.victims[:1]:
            others = tuple(each.pod for each in reclaim.victims[1:])
            yield _eviction(victim, _message(victim, reclaim, step, played), others)


def _eviction(victim: Victim, message: str, others: Sequence[int]) -> Document:
    return {
        "pod": victim.pod,
        "gracePeriodSeconds": max(1, victim.grace_period_override),
        "message": message,
        "tiesWith": list(others),
    }


def _message(victim: Victim, reclaim: Reclaim, step: KubeletPass, played: Simulation) -> str:
    running = played.pods[victim.pod]
    seen = step.observations[reclaim.threshold.signal]
    return eviction_message(
        starved_resource(reclaim.threshold.signal),
        _pod_name(played.population.members[victim.pod]),
        running.pod,
        pod_stats(running, step.second),
        (
            reclaim.threshold.resolved(seen.capacity),
            new_quantity(seen.available, Format.BINARY_SI),
        ),
        played.config.features,
    )


def _pod_name(member: Member) -> str:
    """The name of the pod as far as it is known: controllers append to theirs."""
    thing = member.admitted.workload.object
    return thing.name if thing.kind == "Pod" else f"{thing.name}-*"


def _kill(kill: KernelKill, played: Simulation) -> Document:
    return {
        "second": kill.second,
        "by": "kernel",
        "daemons": _bytes(played.node.daemons[0].memory.at(kill.second)),
        "full": str(kill.full),
        "used": _bytes(kill.used),
        "limit": _bytes(kill.limit),
        "suspects": [_suspect(each, kill.second, played) for each in kill.suspects],
    }


def _suspect(suspect: Suspect, second: int, played: Simulation) -> Document:
    if suspect.pod is None:
        processes: Sequence[tuple[str, int, Ramp]] = [
            (each.name, each.oom_score_adj, each.memory) for each in played.node.daemons
        ]
    else:
        processes = [
            (each.name, each.oom_score_adj, each.memory)
            for each in played.pods[suspect.pod].containers
        ]
    found: Mapping[str, tuple[int, Ramp]] = {name: (adj, ramp) for name, adj, ramp in processes}
    adj, ramp = found[suspect.name]
    return {
        "pod": suspect.pod,
        "process": suspect.name,
        "oomScoreAdj": adj,
        "memory": _bytes(ramp.at(second)),
        "badness": suspect.badness,
    }


def _outcome(played: Simulation) -> Document:
    passes = [each for each in played.steps if isinstance(each, KubeletPass)]
    kills = [each for each in played.steps if isinstance(each, KernelKill)]
    evicted = [(victim.pod, each.second) for each in passes for victim in each.evicted]
    gone = {pod for pod, _ in evicted}
    ended = kills[0].second if kills else played.seconds
    left = [index for index in range(len(played.pods)) if index not in gone]
    used = sum(_used(played.pods[index], ended) for index in left)
    used += played.node.daemons[0].memory.at(ended)
    return {
        "second": ended,
        "by": "kernel" if kills else "kubelet" if evicted else None,
        "evicted": [{"pod": pod, "second": second} for pod, second in evicted],
        "notEvicted": left,
        "available": None if kills else _bytes(max(0, played.node.memory - used)),
    }


def _used(running: RunningPod, second: int) -> int:
    return sum(each.memory.at(second) for each in running.containers)


def _ramp(ramp: Ramp) -> Document:
    return {
        "from": _bytes(ramp.start),
        "to": _bytes(ramp.target),
        "perSecond": _bytes(ramp.per_second),
        "begins": ramp.begins,
    }


def _bytes(count: int) -> str:
    return new_quantity(count, Format.BINARY_SI).canonical()


def _nanos(nanos: int) -> str:
    return (
        Quantity(nanos, Format.BINARY_SI, scale=-9).canonical()
        if nanos % NANOS
        else _bytes(nanos // NANOS)
    )
