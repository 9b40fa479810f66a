"""Where a workload's pods stand on a node, as a part of the document of `qoslint explain`."""

from __future__ import annotations

from typing import TypeAlias

from qoslint.kernel.cgroup import container_limit
from qoslint.kernel.eviction import NANOS, usage_quantity
from qoslint.kernel.evictionmessage import eviction_message
from qoslint.kernel.features import Features
from qoslint.kernel.pod import EPHEMERAL_STORAGE, MEMORY, Pod
from qoslint.kernel.podstats import PodStats
from qoslint.kernel.quantity import Format, new_quantity
from qoslint.kernel.ramps import pod_stats
from qoslint.kernel.scheduling import pod_limits
from qoslint.kernel.signals import StarvedResource, starved_resource
from qoslint.model.effective import Admitted
from qoslint.model.judged import JudgedCluster
from qoslint.model.later import Move, later_by_priority, later_by_request
from qoslint.model.noderanking import Question, pod_name
from qoslint.model.population import allocatable, largest_request, population
from qoslint.model.rankdocument import (
    MOST_NAMED,
    limits_document,
    population_document,
    row_document,
    threshold_documents,
)
from qoslint.model.ranking import Row, deciding_key
from qoslint.model.running import running_pod
from qoslint.model.standing import (
    Standing,
    kubelet_named,
    standings,
    why_not_there,
)

Document: TypeAlias = dict[str, object]

_REQUESTED = {
    StarvedResource.MEMORY: MEMORY,
    StarvedResource.EPHEMERAL_STORAGE: EPHEMERAL_STORAGE,
}

NOT_KNOWN = "<less than that>"
"""Stands in a message for what is available: the threshold is met when less than it is."""


def standing_document(
    admitted: Admitted, cluster: JudgedCluster, node: str, question: Question
) -> Document:
    """The pods of a workload in the rankings of the node of that name; UsageError."""
    kubelet = kubelet_named(node, cluster)
    return {
        "node": node,
        "scenario": question.scenario,
        "notThere": why_not_there(admitted, cluster, kubelet),
        "population": population_document(population(cluster, kubelet)),
        "signals": [_signal(each) for each in standings(admitted, cluster, kubelet, question)],
    }


def _signal(standing: Standing) -> Document:
    found = standing.found
    total = sum(row.usage for row in found.ranking.rows)
    return {
        "signal": str(found.ranking.signal),
        "thresholds": threshold_documents(found),
        "total": usage_quantity(found.ranking.signal, total).canonical(),
        "feasible": found.pressure.limits.allow(total),
        "limits": limits_document(found.pressure, found.ranking.signal),
        "count": len(found.ranking.rows),
        "measured": len(found.measured),
        "row": row_document(standing.first, found),
        "further": [row.position for row in standing.rows[1:]],
        "ahead": _neighbour(standing.ahead, standing),
        "behind": _neighbour(standing.behind, standing),
        "tiesWith": {
            "count": len(standing.ties),
            "pods": [found.names[row.pod] for row in standing.ties[:MOST_NAMED]],
        },
        "later": _later(standing),
        "message": _message(standing),
    }


def _neighbour(row: Row | None, standing: Standing) -> Document | None:
    if row is None:
        return None
    return {
        "decidedBy": deciding_key(standing.found.ranking.contenders, standing.first, row),
        "row": row_document(row, standing.found),
    }


def _later(standing: Standing) -> Document | None:
    """What gives the first of the pods a later rank; null for a pod that cannot be evicted."""
    ranking = standing.found.ranking
    if ranking.contenders[standing.first.pod].critical:
        return None
    own = {row.pod for row in standing.rows}
    beside, alone = _fitting(standing)
    known = [each for each in (beside, alone) if each is not None]
    by_request = later_by_request(ranking, own, min(known) if known else None)
    by_priority = later_by_priority(ranking, own)
    return {
        "request": by_request and [_request(move, standing) for move in by_request],
        "fitsBesideOthers": None if beside is None else _in_bytes(max(0, beside)),
        "fitsAlone": None if alone is None else _in_bytes(alone),
        "priority": by_priority and [_move(move.value, move) for move in by_priority],
    }


def _fitting(standing: Standing) -> tuple[int | None, int | None]:
    """The largest request in bytes that fits beside the other pods of the node, and alone.

    None where no request counts, beside others where it is not known who shares the node.
    """
    found, index = standing.found, standing.first.pod
    resource = _REQUESTED.get(starved_resource(found.ranking.signal))
    if resource is None or resource not in allocatable(found.kubelet):
        return None, None
    members = found.population.members
    alone = largest_request(members[index : index + 1], 0, found.kubelet)[resource]
    if not found.population.known:
        return None, alone.nanos // NANOS
    beside = largest_request(members, index, found.kubelet)[resource]
    return beside.nanos // NANOS, alone.nanos // NANOS


def _request(move: Move, standing: Standing) -> Document:
    found = standing.found
    pod = found.population.members[standing.first.pod].verdict.effective.pod
    signal, limit = found.ranking.signal, None
    if starved_resource(signal) is StarvedResource.MEMORY:
        limit = _memory_limit(pod, found.kubelet.features)
    return {
        **_move(usage_quantity(signal, move.value).canonical(), move),
        "aboveLimit": limit is not None and move.value > limit,
    }


def _in_bytes(count: int) -> str:
    """So many bytes as a quantity."""
    return new_quantity(count, Format.BINARY_SI).canonical()


def _memory_limit(pod: Pod, features: Features) -> int | None:
    """The limit that the pod's request cannot exceed; None if a container has no limit."""
    limits = [
        container_limit(pod, container, MEMORY, features)
        for container in (*pod.containers, *pod.init_containers)
    ]
    if not all(limit.nanos for limit in limits):
        return None
    return pod_limits(pod, features)[MEMORY].value()


def _move(value: object, move: Move) -> Document:
    return {"value": value, "position": move.position, "tie": move.tie}


def _message(standing: Standing) -> str | None:
    """What the status of the first of the pods would say.

    Null if it is never evicted, and for local storage: it depends on where a container writes.
    """
    found, row = standing.found, standing.first
    resource, thresholds = starved_resource(found.ranking.signal), found.pressure.thresholds
    if found.ranking.contenders[row.pod].critical or not thresholds or not found.pressure.capacity:
        return None
    member = found.population.members[row.pod]
    stats = PodStats()
    if resource is StarvedResource.EPHEMERAL_STORAGE:
        return None
    if resource is StarvedResource.MEMORY:
        if not found.kubelet.has_cgroups(member.verdict.effective.pod):
            return None
        running = running_pod(member, found.kubelet, standing.measured, row.usage, None)
        stats = pod_stats(running, 0)
    return eviction_message(
        resource,
        pod_name(member.admitted),
        member.verdict.effective.pod,
        stats,
        (max(thresholds, key=lambda each: each.hard).resolved(found.pressure.capacity), NOT_KNOWN),
        found.kubelet.features,
    )
