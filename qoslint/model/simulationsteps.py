"""What happened in each moment of a play, as parts of its JSON document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from qoslint.kernel.eviction import NANOS, compared_request, exceeds_request, usage_quantity
from qoslint.kernel.evictionmessage import eviction_message
from qoslint.kernel.pod import is_critical_pod
from qoslint.kernel.podstats import usage as measured_usage
from qoslint.kernel.quantity import Format, Quantity, from_nanos, new_quantity
from qoslint.kernel.ramps import pod_stats
from qoslint.kernel.scenario import KernelKill, KubeletPass, Suspect
from qoslint.kernel.signals import Signal, starved_resource
from qoslint.kernel.simulation import Reclaim, Victim, thresholds_met
from qoslint.model.noderanking import pod_name
from qoslint.model.running import pod_memory
from qoslint.model.simulate import Simulation

Document: TypeAlias = dict[str, object]


def steps(played: Simulation) -> Iterator[Document]:
    """What happened, second by second."""
    for each in _noted(played):
        yield _kill(each, played) if isinstance(each, KernelKill) else _pass(each, played)


def in_bytes(count: int) -> str:
    """So many bytes as a quantity."""
    return usage_quantity(Signal.MEMORY, count).canonical()


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


def _pass(step: KubeletPass, played: Simulation) -> Document:
    second = step.second
    daemons = played.node.daemons[0].memory.at(second)
    return {
        "second": second,
        "by": "kubelet",
        "daemons": in_bytes(daemons),
        "available": in_bytes(step.observations[Signal.MEMORY].available),
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
            "available": in_bytes(seen.available),
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
                overage = from_nanos(usage * NANOS - request.nanos, Format.BINARY_SI)
                pod = played.pods[index].pod
                yield {
                    "pod": index,
                    "rank": rank,
                    "tie": len(group) > 1,
                    "exceedsRequest": exceeds_request(
                        reclaim.threshold.signal, usage, request.nanos
                    ),
                    "priority": pod.priority or 0,
                    "overage": overage.canonical(),
                    "usage": in_bytes(usage),
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
        pod_name(played.population.members[victim.pod].admitted),
        running.pod,
        pod_stats(running, step.second),
        (
            reclaim.threshold.resolved(seen.capacity),
            new_quantity(seen.available, Format.BINARY_SI),
        ),
        played.config.features,
    )


def _kill(kill: KernelKill, played: Simulation) -> Document:
    return {
        "second": kill.second,
        "by": "kernel",
        "daemons": in_bytes(played.node.daemons[0].memory.at(kill.second)),
        "full": str(kill.full),
        "used": in_bytes(kill.used),
        "limit": in_bytes(kill.limit),
        "suspects": [_suspect(each, kill.second, played) for each in kill.suspects],
        "killed": len(kill.killed),
        "available": in_bytes(kill.left),
    }


def _suspect(suspect: Suspect, second: int, played: Simulation) -> Document:
    if suspect.pod is None:
        processes = [(each.name, each.oom_score_adj) for each in played.node.daemons]
    else:
        containers = played.pods[suspect.pod].containers
        processes = [(each.name, each.oom_score_adj) for each in containers]
    return {
        "pod": suspect.pod,
        "process": suspect.name,
        "oomScoreAdj": dict(processes)[suspect.name],
        "memory": in_bytes(suspect.memory),
        "badness": suspect.badness,
        **_of_pod(suspect, second, played),
    }


def _of_pod(suspect: Suspect, second: int, played: Simulation) -> Document:
    """What the kubelet would compare of the pod that a process is of, and the kernel does not."""
    if suspect.pod is None:
        return {"exceedsRequest": None, "request": None}
    running = played.pods[suspect.pod]
    request = compared_request(running.pod, Signal.MEMORY, played.config.features)
    used = pod_memory(running, second)
    return {
        "exceedsRequest": exceeds_request(Signal.MEMORY, used, request.nanos),
        "request": request.canonical(),
    }
