"""What a kubelet's message says of an eviction, as JSON: `schemas/evicted.schema.json`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from qoslint.errors import UsageError
from qoslint.kernel.evictionreading import (
    AboveLimit,
    MessageError,
    NodeLow,
    NotAdmitted,
    Told,
    ToldUsage,
    read_eviction,
)
from qoslint.kernel.pod import is_critical_pod
from qoslint.kernel.quantity import Quantity, from_nanos
from qoslint.kernel.scheduling import eviction_requests
from qoslint.kernel.signals import Signal, starved_resource
from qoslint.model.effective import Admitted, Effective
from qoslint.model.judged import JudgedCluster

Json: TypeAlias = dict[str, object]


def told_eviction(text: str) -> Told:
    """The eviction that the text tells of; UsageError if it tells of none."""
    try:
        return read_eviction(text)
    except MessageError as error:
        raise UsageError(f"this is no message of an eviction that can be read: {error}") from error


def evicted_document(told: Told, found: Sequence[tuple[Admitted, JudgedCluster]] = ()) -> Json:
    """What the message says, compared with each workload that was found.

    Raises UsageError for a message that names no request to compare.
    """
    match told:
        case NodeLow():
            compared = [_workload(told, admitted, cluster) for admitted, cluster in found]
            return {"schemaVersion": 1, **_node_low(told), "workloads": compared}
        case _ if found:
            raise UsageError("this message names no request, so no workload is compared with it")
        case AboveLimit(limited, name, limit):
            where: Json = {"limited": str(limited), "name": name, "limit": str(limit)}
            return {"schemaVersion": 1, "kind": "aboveLimit", **where}
        case NotAdmitted(conditions):
            return {"schemaVersion": 1, "kind": "notAdmitted", "conditions": list(conditions)}


def _node_low(told: NodeLow) -> Json:
    missing = None
    if told.threshold is not None and told.available is not None:
        missing = _difference(told.threshold, told.available)
    return {
        "kind": "nodeLow",
        "resource": str(told.resource),
        "signals": [str(each) for each in Signal if starved_resource(each) is told.resource],
        "threshold": told.threshold and str(told.threshold),
        "available": told.available and str(told.available),
        "missing": missing,
        "usages": [_usage(each) for each in told.usages],
        "cut": told.cut,
    }


def _usage(each: ToldUsage) -> Json:
    return {
        "ofPod": each.of_pod,
        "name": each.name,
        "usage": str(each.usage),
        "request": str(each.request),
        "overage": _difference(each.usage, each.request),
    }


def _difference(one: Quantity, other: Quantity) -> str:
    return from_nanos(one.nanos - other.nanos, one.format).canonical()


def _workload(told: NodeLow, admitted: Admitted, cluster: JudgedCluster) -> Json:
    thing, effective = admitted.workload.object, admitted.effective
    created = effective if effective and effective.admitted is not False else None
    return {
        "cluster": cluster.cluster.name,
        "namespace": admitted.namespace,
        "kind": thing.kind,
        "name": thing.name,
        "at": thing.at(("metadata", "name")),
        "pod": created and _compared(told, created),
    }


def _compared(told: NodeLow, effective: Effective) -> Json:
    pod, resource = effective.pod, str(told.resource)
    containers = {each.name: each for each in (*pod.init_containers, *pod.containers)}
    known = [each for each in told.usages if each.of_pod or each.name in containers]
    asked = eviction_requests(pod, effective.given.scope.features).get(resource)
    return {
        "priority": pod.priority,
        "critical": is_critical_pod(pod),
        "request": asked and asked.canonical(),
        "above": asked and _above(known, asked),
        "containers": [
            {
                "name": each.name,
                "there": each.name in containers,
                "request": _request(containers[each.name].resources.requests.get(resource))
                if each.name in containers
                else None,
            }
            for each in told.usages
            if not each.of_pod
        ],
    }


def _request(quantity: Quantity | None) -> str:
    return "0" if quantity is None else quantity.canonical()


def _above(usages: Iterable[ToldUsage], request: Quantity) -> str | None:
    """By how much the usages that are told alone exceed the pod's request; None if they do not."""
    of_pod = [each.usage for each in usages if each.of_pod]
    used = of_pod or [each.usage for each in usages]
    above = sum(each.nanos for each in used) - request.nanos
    return Quantity(above, used[0].format).canonical() if above > 0 else None
