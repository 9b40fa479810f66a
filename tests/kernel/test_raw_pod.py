"""Class, scores and totals of pods exactly as given, without defaulting and admission.

The raw_pod vectors come from Kubernetes' own test tables. The admission and workload vectors are
asked here for the pod that the server stored; `test_admission` asks how it came to be.
"""

from __future__ import annotations

from typing import Any

import pytest

from qoslint.kernel.cgroup import QUOTA_PERIOD, container_cgroup, pod_cgroup
from qoslint.kernel.features import Features
from qoslint.kernel.memoryqos import (
    TIERED_RESERVATION,
    MemoryQoS,
    MemoryQoSSettings,
    container_memory_qos,
    pod_memory_qos,
)
from qoslint.kernel.oom import get_container_oom_score_adjust
from qoslint.kernel.pod import (
    CPU,
    Container,
    ContainerType,
    Pod,
    ResourceList,
    Resources,
    is_critical_pod,
    is_node_critical_pod,
)
from qoslint.kernel.qos import QOSClass, compute_pod_qos
from qoslint.kernel.quantity import parse
from qoslint.kernel.scheduling import eviction_requests, pod_limits, pod_requests

DEFAULT_CAPACITY = 8 * 2**30
MIRROR = "kubernetes.io/config.mirror"
SOURCE = "kubernetes.io/config.source"


@pytest.mark.vectors("raw_pod")
def test_pods_of_kubernetes_own_tables_are_answered_alike(vectors):
    def answer(row):
        spec = row["in"]["pod"]["spec"]
        types = [*map(init_type, spec.get("initContainers", [])), *["container"] * 99]
        named = [*spec.get("initContainers", []), *spec["containers"]]
        containers = [
            {**container.get("resources", {}), "name": container["name"], "kind": kind}
            for container, kind in zip(named, types, strict=False)
        ]
        stored = {**spec, "containers": containers, "podResources": spec.get("resources")}
        return {"ok": True, **judged(row, pod_of(stored, {}), vectors.features)}

    vectors.check(answer)


@pytest.mark.vectors("admission")
def test_pods_as_stored_are_judged_as_kubernetes_answers(vectors):
    vectors.check(answer_stored(vectors.features))


@pytest.mark.vectors("workload")
def test_pods_of_workloads_are_judged_as_kubernetes_answers(vectors):
    vectors.check(answer_stored(vectors.features))


def answer_stored(features: Features):
    """Takes the stored pod from `out` and computes all that follows from it."""

    def answer(row):
        out = row["out"]
        if not out.get("accepted"):
            return None
        metadata = row["in"].get("pod", {}).get("metadata", {})
        got = judged(row, pod_of(out, metadata.get("annotations", {})), features)
        for container, stored in zip(got["containers"], out["containers"], strict=True):
            if "resizePolicy" in stored:  # kept as it is; nothing follows from it
                container["resizePolicy"] = stored["resizePolicy"]
        return {**out, **got}

    return answer


def init_type(container):
    return "sidecar" if container.get("restartPolicy") == "Always" else "init"


def pod_of(stored: dict[str, Any], annotations: dict[str, str]) -> Pod:
    containers = [
        Container(c["name"], ContainerType(c["kind"]), resources(c)) for c in stored["containers"]
    ]
    block = stored.get("podResources")
    overhead = stored.get("overhead")
    return Pod(
        containers=tuple(c for c in containers if c.type is ContainerType.CONTAINER),
        init_containers=tuple(c for c in containers if c.type is not ContainerType.CONTAINER),
        resources=None if block is None else resources(block),
        overhead=None if overhead is None else resource_list(overhead),
        priority_class_name=stored.get("priority", {}).get("className", ""),
        priority=stored.get("priority", {}).get("value"),
        mirror=MIRROR in annotations,
        static=annotations.get(SOURCE, "api") != "api",
    )


def resources(block: dict[str, Any]) -> Resources:
    return Resources(resource_list(block.get("requests")), resource_list(block.get("limits")))


def resource_list(quantities: dict[str, str] | None) -> ResourceList:
    return ResourceList({name: parse(text) for name, text in (quantities or {}).items()})


def judged(row: dict[str, Any], pod: Pod, features: Features) -> dict[str, Any]:
    """The fields of `out` that are computed from a stored pod."""
    capacities = row["in"].get("memoryCapacities", [])
    qos = compute_pod_qos(pod, features)
    with_memory_qos = Features(features.version, features.enabled | {"MemoryQoS"})
    settings = MemoryQoSSettings((capacities or [DEFAULT_CAPACITY])[0], 0.9, TIERED_RESERVATION)
    containers = []
    for container in (*pod.init_containers, *pod.containers):
        found = {
            "name": container.name,
            "kind": str(container.type),
            **lists(container.resources),
            "oomScoreAdj": [
                get_container_oom_score_adjust(pod, container, qos, capacity, features)
                for capacity in capacities
            ],
            "cgroup": container_values(pod, container, features),
            "memoryQoS": memory_qos(
                container_memory_qos(pod, container, qos, settings, with_memory_qos)
            )
            or None,
        }
        containers.append(found if row["in"].get("full") else without(found, "cgroup", "memoryQoS"))
    result: dict[str, Any] = {
        "qos": str(qos),
        "containers": [{k: v for k, v in c.items() if v not in ([], {})} for c in containers],
        "critical": is_critical_pod(pod),
        "nodeCritical": is_node_critical_pod(pod),
        "kubelet": printed(eviction_requests(pod, features)),
        "scheduler": {
            "requests": printed(pod_requests(pod, features)),
            "limits": printed(pod_limits(pod, features)),
        },
    }
    if pod.resources is not None:
        result["podResources"] = {
            "requests": printed(pod.resources.requests) or None,
            "limits": printed(pod.resources.limits) or None,
        }
    if row["in"].get("full"):
        values = pod_memory_qos(pod, qos, settings, with_memory_qos)
        given = row["out"].get("podCgroup", {})
        result["podCgroup"] = {
            **pod_values(pod, qos, features, given),
            **({"memoryQoS": memory_qos(values)} if values != MemoryQoS() else {}),
        }
        if "cpuQuota" in given:
            again = pod_values(called_before(pod), qos, features, given)
            result["podCgroup"]["cpuQuota"] = again["cpuQuota"]
    return result


def called_before(pod: Pod) -> Pod:
    """The pod as an earlier call for its limits has left it.

    Kubernetes adds overhead into the very number of a pod-level limit that is held with arbitrary
    precision, so each call adds it once more; the answers show the second.
    """
    block, overhead = pod.resources, pod.overhead or {}
    if block is None or CPU not in overhead or CPU not in block.limits:
        return pod
    if not block.limits[CPU].arbitrary:
        return pod
    more = block.limits.with_items({CPU: block.limits[CPU] + overhead[CPU]})
    return pod._replace(resources=block._replace(limits=more))


def without(fields, *keys):
    return {key: value for key, value in fields.items() if key not in keys}


def lists(block: Resources) -> dict[str, dict[str, str]]:
    return {"requests": printed(block.requests), "limits": printed(block.limits)}


def printed(quantities: ResourceList) -> dict[str, str]:
    return {name: str(quantity) for name, quantity in quantities.items()}


def container_values(pod: Pod, container: Container, features: Features) -> dict[str, int]:
    values = container_cgroup(pod, container, features)
    return {
        "cpuShares": values.cpu_shares,
        "cpuWeight": values.cpu_weight,
        "cpuQuota": values.cpu_quota,
        "cpuPeriod": QUOTA_PERIOD,
        "memoryLimit": values.memory_max,
    }


def pod_values(pod: Pod, qos: QOSClass, features: Features, given: dict[str, Any]):
    values = pod_cgroup(pod, qos, features)
    optional = {
        "cpuQuota": values.cpu_quota,
        "memoryLimit": values.memory_max,
        "hugePageLimit": {str(size): limit for size, limit in values.hugetlb_max},
    }
    return {
        "cpuShares": values.cpu_shares,
        "cpuWeight": values.cpu_weight,
        # 0 is unset, whether Kubernetes leaves it out or an overflow made it 0.
        **{key: value for key, value in optional.items() if value or key in given},
    }


def memory_qos(values: MemoryQoS) -> dict[str, str]:
    named = {"memory.min": values.min, "memory.low": values.low, "memory.high": values.high}
    return {name: str(value) for name, value in named.items() if value is not None}
