"""The facts: every effective pod of every cluster, with its verdicts, as one JSON document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from qoslint.finding import Location, Place
from qoslint.kernel.cgroup import ContainerCgroup, PodCgroup, container_cgroup, pod_cgroup
from qoslint.kernel.features import Features
from qoslint.kernel.oom import get_container_oom_score_adjust
from qoslint.kernel.outcome import Outcome
from qoslint.kernel.pod import (
    EPHEMERAL_STORAGE,
    MEMORY,
    Container,
    Path,
    Pod,
    ResourceList,
    Resources,
    is_critical_pod,
)
from qoslint.kernel.scheduling import eviction_requests, pod_limits, pod_requests
from qoslint.model.effective import Admitted, Effective
from qoslint.model.judged import JudgedCluster
from qoslint.model.kubelet import Kubelet
from qoslint.model.nodethresholds import configured_text
from qoslint.model.step import Step, order_phrase
from qoslint.span import field_path

Facts: TypeAlias = dict[str, object]
"""A JSON object of `schemas/facts.schema.json`."""

_Locations: TypeAlias = Mapping[Place, Location]


def facts_places(clusters: Iterable[JudgedCluster]) -> Iterator[Place]:
    """The places that the facts name: of each workload, and of the cause of each step."""
    for cluster in clusters:
        for admitted in cluster.admitted:
            yield admitted.workload.object.at(("metadata", "name"))
            if admitted.effective:
                yield from (step.cause for step in admitted.effective.steps if step.cause)


def facts_document(clusters: Iterable[JudgedCluster], locations: _Locations) -> Facts:
    """The whole document: clusters by name, pods by namespace, kind and name."""
    return {
        "schemaVersion": 1,
        "clusters": [
            _cluster(cluster, locations)
            for cluster in sorted(clusters, key=lambda judged: judged.cluster.name)
        ],
    }


def _cluster(cluster: JudgedCluster, locations: _Locations) -> Facts:
    pods = [_pod(admitted, cluster, locations) for admitted in cluster.admitted]
    return {
        "name": cluster.cluster.name,
        "kubernetes": str(cluster.cluster.features.version),
        "complete": cluster.cluster.complete,
        "nodes": [_node(kubelet) for kubelet in cluster.kubelets],
        "pods": pods,
    }


def _node(kubelet: Kubelet) -> Facts:
    node, allocatable = kubelet.node, kubelet.resources.allocatable
    return {
        "name": node.name,
        "version": str(node.version),
        "capacity": quantities(node.capacity),
        "allocatable": quantities(allocatable.allocatable if allocatable else None),
        "thresholds": [
            {
                "signal": str(threshold.signal),
                "value": configured_text(threshold, kubelet).text,
                "kind": "hard" if threshold.hard else "soft",
            }
            for threshold in kubelet.resources.thresholds or ()
        ],
        "cpuCFSQuotaPeriod": kubelet.cfs_period,
    }


def _pod(admitted: Admitted, cluster: JudgedCluster, locations: _Locations) -> Facts:
    workload = admitted.workload
    effective = admitted.effective
    facts: Facts = {
        "namespace": admitted.namespace,
        "kind": workload.object.kind,
        "name": workload.object.name,
        "replicas": workload.replicas,
        "labels": workload.pod_labels,
        "annotations": workload.pod_annotations,
        "target": workload.object.file,
        "tags": list(workload.tags),
        "partial": bool(workload.partial),
        "at": _at(workload.object.at(("metadata", "name")), locations),
        "admitted": admitted.admitted,
        "rejections": [
            {"by": str(refusal.by), "message": refusal.message} for refusal in admitted.refusals
        ],
        "unknowns": list(admitted.unknowns),
        "qosClass": None,
        "qosClasses": [],
    }
    if effective and effective.admitted is not False:
        classes = [str(qos) for qos in effective.classes]
        facts["qosClasses"] = classes
        facts["qosClass"] = classes[0] if len(classes) == 1 else None
        facts |= verdict_facts(effective, cluster)
    if effective and len(effective.outcomes) > 1:
        facts["outcomes"] = [outcome_facts(outcome, effective) for outcome in effective.outcomes]
    facts["trace"] = list(_trace(effective, locations)) if effective else []
    return facts


def outcome_facts(outcome: Outcome, effective: Effective) -> Facts:
    """One result of an order that Kubernetes leaves undefined."""
    return {
        "admitted": outcome.admitted,
        "qosClass": None if outcome.admitted is False else outcome.qos and str(outcome.qos),
        "when": order_phrase(outcome, effective.given),
    }


def verdict_facts(effective: Effective, cluster: JudgedCluster) -> Facts:
    """What follows from the pod that is created: priority, requests, cgroups, scores."""
    pod = effective.pod
    features = cluster.cluster.features
    level = pod.resources or Resources()
    qos = effective.shown.qos
    return {
        "priority": pod.priority,
        "priorityClassName": pod.priority_class_name or None,
        "preemptionPolicy": pod.preemption_policy,
        "critical": is_critical_pod(pod),
        "overhead": quantities(pod.overhead),
        "podResources": {
            "requests": quantities(level.requests),
            "limits": quantities(level.limits),
        },
        "requests": quantities(pod_requests(pod, features)),
        "limits": quantities(pod_limits(pod, features)),
        **dict(_eviction_requests(pod, cluster)),
        "cgroup": {
            kubelet.node.name: _cgroup(pod_cgroup(pod, qos, kubelet.features, kubelet.cfs_period))
            for kubelet in cluster.kubelets
            if qos and kubelet.has_pod_cgroups(pod)
        },
        "containers": [
            _container(container, effective, cluster.kubelets)
            for _, container in pod.containers_with_paths()
        ],
    }


def _eviction_requests(pod: Pod, cluster: JudgedCluster) -> Iterator[tuple[str, object]]:
    """What kubelets compare usage with, which depends on their versions.

    Without nodes the cluster's version counts; where nodes disagree there is no one answer.
    """
    versions = {kubelet.node.name: kubelet.features for kubelet in cluster.kubelets}
    by_node = {name: _eviction_request(pod, each) for name, each in versions.items()}
    distinct = list(by_node.values()) or [_eviction_request(pod, cluster.cluster.features)]
    agreed = all(each == distinct[0] for each in distinct)
    yield "evictionRequests", distinct[0] if agreed else None
    if not agreed:
        yield "evictionRequestsByNode", by_node


def _eviction_request(pod: Pod, features: Features) -> dict[str, str]:
    amounts = eviction_requests(pod, features)
    return {name: amounts[name].canonical() for name in (MEMORY, EPHEMERAL_STORAGE)}


def _container(container: Container, effective: Effective, kubelets: tuple[Kubelet, ...]) -> Facts:
    pod = effective.pod
    qos = effective.shown.qos
    linux = [kubelet for kubelet in kubelets if qos and kubelet.has_cgroups(pod)]
    largest = {
        kubelet.node.name: get_container_oom_score_adjust(
            pod, container, qos, kubelet.node.most_memory_bytes, kubelet.features
        )
        for kubelet in linux
        if qos and kubelet.node.approximate
    }
    return {
        "name": container.name,
        "type": str(container.type),
        "requests": quantities(container.resources.requests),
        "limits": quantities(container.resources.limits),
        "oomScoreAdj": {
            kubelet.node.name: get_container_oom_score_adjust(
                pod, container, qos, kubelet.node.memory_bytes, kubelet.features
            )
            for kubelet in linux
            if qos
        },
        **({"oomScoreAdjOfLargest": largest} if largest else {}),
        "cgroup": {
            kubelet.node.name: _cgroup(
                container_cgroup(pod, container, kubelet.features, kubelet.cfs_period)
            )
            for kubelet in linux
        },
    }


def _cgroup(values: ContainerCgroup | PodCgroup) -> Facts:
    return {
        "cpu.shares": values.cpu_shares,
        "cpu.weight": values.cpu_weight,
        "cpu.quota": values.cpu_quota,
        "memory.max": values.memory_max,
    }


def _trace(effective: Effective, locations: _Locations) -> Iterator[Facts]:
    owners = {path: container.name for path, container in effective.pod.containers_with_paths()}
    for step in effective.steps:
        yield _step(step, owners, locations)


def _step(step: Step, owners: Mapping[Path, str], locations: _Locations) -> Facts:
    container, field = owner_and_field(step.path, owners)
    return {
        "by": step.by,
        "container": container,
        "field": field_path(field),
        "before": step.before,
        "after": step.after,
        "at": _at(step.cause, locations) if step.cause else None,
    }


def owner_and_field(path: Path, owners: Mapping[Path, str]) -> tuple[str | None, Path]:
    """The container that the path is about, and the rest: `limits.memory` for its resources."""
    if path[:2] not in owners:
        return None, path
    rest = path[2:]
    return owners[path[:2]], rest[1:] if rest[:1] == ("resources",) else rest


def _at(place: Place, locations: _Locations) -> Facts:
    location = locations[place]
    start = location.span.start
    return {"file": location.file, "line": start.line, "column": start.column}


def quantities(resources: ResourceList | None) -> dict[str, str]:
    """A resource list in canonical form."""
    return {name: quantity.canonical() for name, quantity in (resources or {}).items()}
