"""The whole derivation of one workload's pods, as JSON with a `Place` where a file is named.

`schemas/explain.schema.json` describes what becomes of it once the places are located.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from qoslint.finding import Location, Part, Place
from qoslint.kernel.admission import warnings
from qoslint.kernel.guaranteed import deciding_blocks, obstacles
from qoslint.kernel.pod import CPU, MEMORY, Pod, Resources
from qoslint.kernel.quantity import Quantity
from qoslint.kernel.scheduling import pod_requests
from qoslint.model.edits import admit_edited, change
from qoslint.model.effective import Admitted, Effective
from qoslint.model.explain_guaranteed import guaranteed, times
from qoslint.model.explain_nodes import nodes
from qoslint.model.explain_refusals import refusals
from qoslint.model.explain_stages import limit_ranges, quotas, stages
from qoslint.model.facts import outcome_facts, verdict_facts
from qoslint.model.judged import JudgedCluster
from qoslint.model.noderanking import Question
from qoslint.model.standing import replaced
from qoslint.model.standingdocument import standing_document
from qoslint.model.whatif import Assignment, edits_of
from qoslint.model.workloads import Workload
from qoslint.span import Path, field_path

Json: TypeAlias = dict[str, object]

SCHEMA_VERSION = 1
"""Raised when a reader of the document would have to change."""


class OnNode(NamedTuple):
    """The node profile on which the pods are ranked, and what is asked of the rankings."""

    name: str
    question: Question


def explanation(
    found: Sequence[tuple[Admitted, JudgedCluster]],
    assignments: Sequence[Assignment],
    node: OnNode | None = None,
) -> Json:
    """The derivation of each pod template that was found, in the order of clusters.

    With assignments, also what becomes of the pods once they are made in the manifest; with a
    node, also where they stand in its rankings. Raises UsageError for an assignment that the
    manifest has no place for.
    """
    pods = [_pod(admitted, cluster, assignments, node) for admitted, cluster in found]
    return {"schemaVersion": SCHEMA_VERSION, "pods": pods}


def places(value: object) -> Iterator[Place]:
    """Every place in the JSON."""
    if isinstance(value, Place):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from places(item)
    elif isinstance(value, list):
        for item in value:
            yield from places(item)


def located(value: object, locations: Mapping[Place, Location]) -> object:
    """The JSON with each place as file, line and column."""
    if isinstance(value, Place):
        location = locations[value]
        line, column = location.span.start
        return {"file": location.file, "line": line, "column": column}
    if isinstance(value, dict):
        return {key: located(item, locations) for key, item in value.items()}
    if isinstance(value, list):
        return [located(item, locations) for item in value]
    return value


def _pod(
    admitted: Admitted,
    cluster: JudgedCluster,
    assignments: Sequence[Assignment],
    node: OnNode | None,
) -> Json:
    workload, effective, created = admitted.workload, admitted.effective, _created(admitted)
    return {
        "cluster": cluster.cluster.name,
        "kubernetes": str(cluster.cluster.features.version),
        "complete": cluster.cluster.complete,
        "namespace": admitted.namespace,
        "kind": workload.object.kind,
        "name": workload.object.name,
        "builtIn": not workload.custom,
        "field": field_path(workload.template),
        "replicas": workload.replicas,
        "tags": list(workload.tags),
        "partial": workload.partial or None,
        "at": workload.object.at(("metadata", "name")),
        "authored": _authored(workload, effective) if effective else None,
        "limitRanges": list(limit_ranges(effective)) if effective else [],
        "quotas": list(quotas(effective)) if effective else [],
        "stages": list(stages(effective)) if effective else [],
        "result": _result(admitted, cluster),
        "requestsByReplicas": _of_replicas(workload, created) if created else None,
        "refusals": list(refusals(admitted)),
        "qos": _qos(effective) if effective else None,
        "nodes": list(nodes(created, cluster.kubelets)) if created else [],
        "guaranteed": guaranteed(admitted, created, cluster.cluster) if created else None,
        "standing": standing_document(admitted, cluster, *node) if node else None,
        "whatIf": _what_if(admitted, cluster, assignments, node) if assignments else None,
    }


def _created(admitted: Admitted) -> Effective | None:
    """The effective pod, if it is created or may be."""
    effective = admitted.effective
    return effective if effective and effective.admitted is not False else None


def _authored(workload: Workload, effective: Effective) -> Json:
    """What the manifest states of all that decides here."""
    pod, features = effective.authored, effective.given.scope.features
    named = {
        "priorityClassName": pod.priority_class_name or None,
        "runtimeClassName": pod.runtime_class_name,
    }
    return {
        "containers": [
            {
                "name": container.name,
                "type": str(container.type),
                "at": workload.at(path, Part.KEY),
                "fields": list(_block(container.resources, (*path, "resources"), workload)),
            }
            for path, container in pod.containers_with_paths()
        ],
        "fields": [
            _field((key,), value, workload) for key, value in named.items() if value is not None
        ]
        + list(_pod_level(pod, workload)),
        "podResourcesIgnored": pod.resources is not None and not features.on("PodLevelResources"),
    }


def _pod_level(pod: Pod, workload: Workload) -> Iterator[Json]:
    if pod.resources is None:
        return
    if not (pod.resources.requests or pod.resources.limits):
        yield _field(("resources",), "{}", workload)
    for item in _block(pod.resources, ("resources",), workload):
        yield {**item, "field": f"resources.{item['field']}"}


def _block(resources: Resources, path: Path, workload: Workload) -> Iterator[Json]:
    for key, given in (("requests", resources.requests), ("limits", resources.limits)):
        for name, quantity in given.items():
            place = workload.at((*path, key, name))
            yield {"field": field_path((key, name)), "value": str(quantity), "at": place}


def _field(path: Path, value: str, workload: Workload) -> Json:
    return {"field": field_path(path), "value": value, "at": workload.at(path)}


def _result(admitted: Admitted, cluster: JudgedCluster) -> Json:
    """What becomes of the pods, in the words of the facts."""
    effective, created = admitted.effective, _created(admitted)
    classes = [str(qos) for qos in created.classes] if created else []
    return {
        "admitted": admitted.admitted,
        "rejections": [
            {"by": str(refusal.by), "message": refusal.message} for refusal in admitted.refusals
        ],
        "unknowns": list(admitted.unknowns),
        "warnings": list(_warnings(created)) if created else [],
        "qosClass": classes[0] if len(classes) == 1 else None,
        "qosClasses": classes,
        "outcomes": [outcome_facts(each, effective) for each in effective.outcomes]
        if effective and len(effective.outcomes) > 1
        else [],
        "verdict": verdict_facts(created, cluster) if created else None,
    }


def _warnings(created: Effective) -> Iterator[str]:
    """What the API server tells whoever creates a pod, beside accepting it."""
    return (warning.message for warning in warnings(created.shown))


def _of_replicas(workload: Workload, effective: Effective) -> dict[str, str] | None:
    """What the scheduler reserves for all pods; None if the workload does not say how many."""
    if workload.replicas is None:
        return None
    requests = pod_requests(effective.pod, effective.given.scope.features)
    return {name: times(each, workload.replicas).canonical() for name, each in requests.items()}


def _qos(effective: Effective) -> Json:
    """How each resource stands that the class is computed from."""
    pod, features = effective.pod, effective.given.scope.features
    blocks = tuple(deciding_blocks(pod, features))
    unequal = {(each.path, each.resource) for each in obstacles(pod, features)}
    return {
        "decidedBy": "pod" if any(each.container is None for each in blocks) else "containers",
        "resources": [
            {
                "container": None if container is None else container.name,
                "resource": resource,
                "request": _canonical(block.requests.get(resource)),
                "limit": _canonical(block.limits.get(resource)),
                "equal": (path, resource) not in unequal,
            }
            for path, container, block in blocks
            for resource in (CPU, MEMORY)
        ],
    }


def _canonical(quantity: Quantity | None) -> str | None:
    return None if quantity is None else quantity.canonical()


def _what_if(
    admitted: Admitted,
    cluster: JudgedCluster,
    assignments: Sequence[Assignment],
    node: OnNode | None,
) -> Json:
    """What becomes of the pods with other values in their template."""
    edits = tuple(edits_of(assignments, admitted))
    after = admit_edited(admitted.workload, edits, cluster.cluster)
    return {
        "changes": [change(edit, admitted.workload) for edit in edits],
        "result": _result(after, cluster),
        "refusals": list(refusals(after)),
        "cgroups": {kubelet.node.name: kubelet.node.cgroup for kubelet in cluster.kubelets},
        "standing": _standing_after(admitted, after, cluster, node) if node else None,
    }


def _standing_after(
    admitted: Admitted, after: Admitted, cluster: JudgedCluster, node: OnNode
) -> Json:
    """Where the pods then stand, among the pods as they are."""
    changed, question = replaced(admitted, after, cluster, node.question)
    return standing_document(after, changed, node.name, question)
