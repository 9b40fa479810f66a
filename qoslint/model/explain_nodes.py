"""What each node's kubelet makes of a pod, number by number, for an explanation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from qoslint.kernel.oom import (
    MemoryScore,
    burstable_score,
    get_container_oom_score_adjust,
)
from qoslint.kernel.pod import Container, Pod, is_node_critical_pod
from qoslint.kernel.qos import QOSClass
from qoslint.kernel.scheduling import eviction_requests, pod_requests
from qoslint.model.effective import Effective
from qoslint.model.facts import quantities
from qoslint.model.kubelet import Kubelet

NODE_CRITICAL = "node-critical"


def nodes(effective: Effective, kubelets: Iterable[Kubelet]) -> Iterator[dict[str, object]]:
    """Each node profile with what its kubelet computes for the pod."""
    pod, qos = effective.pod, effective.shown.qos
    for kubelet in kubelets:
        node = kubelet.node
        scored = kubelet.has_cgroups(pod)
        yield {
            "name": node.name,
            "version": str(node.version),
            "os": node.os,
            "cgroup": node.cgroup,
            "cpuCFSQuotaPeriod": kubelet.cfs_period,
            "memory": node.memory_bytes,
            "mostMemory": node.most_memory_bytes,
            "capacity": quantities(node.capacity),
            "evictionRequests": quantities(eviction_requests(pod, kubelet.features)),
            "tooSmallFor": [
                name
                for name, quantity in pod_requests(pod, effective.given.scope.features).items()
                if name in node.capacity and quantity.nanos > node.capacity[name].nanos
            ],
            "scores": [
                _score(pod, container, qos, kubelet)
                for _, container in pod.containers_with_paths()
                if scored and qos
            ],
        }


def _score(pod: Pod, container: Container, qos: QOSClass, kubelet: Kubelet) -> dict[str, object]:
    capacity = kubelet.node.memory_bytes
    fixed = is_node_critical_pod(pod) or qos is not QOSClass.BURSTABLE
    return {
        "container": container.name,
        "type": str(container.type),
        "oomScoreAdj": get_container_oom_score_adjust(
            pod, container, qos, capacity, kubelet.features
        ),
        "oomScoreAdjOfLargest": get_container_oom_score_adjust(
            pod, container, qos, kubelet.node.most_memory_bytes, kubelet.features
        ),
        "because": NODE_CRITICAL if is_node_critical_pod(pod) else str(qos),
        "derivation": None if fixed else _derivation(pod, container, kubelet),
    }


def _derivation(pod: Pod, container: Container, kubelet: Kubelet) -> dict[str, object]:
    steps = burstable_score(pod, container, kubelet.node.memory_bytes, kubelet.features)
    share = steps.share
    return {
        "request": steps.request,
        "podLevel": None if share is None else {**share._asdict(), "share": share.memory},
        "own": _memory_score(steps.own),
        "least": None if steps.least is None else _memory_score(steps.least),
    }


def _memory_score(score: MemoryScore) -> dict[str, object]:
    return {"memory": score.memory, "product": score.product, "score": score.score}
