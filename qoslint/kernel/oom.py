"""oom_score_adj: how readily the kernel kills the processes of a container.

Mirrors `pkg/kubelet/qos/policy.go` GetContainerOOMScoreAdjust and `pkg/kubelet/qos/helpers.go`.
"""

from __future__ import annotations

from qoslint.kernel.amount import divide_toward_zero, wrap_int64
from qoslint.kernel.features import Features
from qoslint.kernel.pod import (
    MEMORY,
    Container,
    ContainerType,
    Pod,
    is_node_critical_pod,
)
from qoslint.kernel.qos import QOSClass
from qoslint.kernel.quantity import ZERO
from qoslint.kernel.scheduling import (
    aggregate_container_requests,
)

GUARANTEED_OOM_SCORE_ADJ = -997
BEST_EFFORT_OOM_SCORE_ADJ = 1000
# A Burstable container is always killed before Guaranteed ones and after BestEffort ones.
_BURSTABLE_LEAST = 1000 + GUARANTEED_OOM_SCORE_ADJ
_BURSTABLE_MOST = BEST_EFFORT_OOM_SCORE_ADJ - 1


def get_container_oom_score_adjust(
    pod: Pod, container: Container, qos: QOSClass, memory_capacity: int, features: Features
) -> int:
    """The score for a container on a node with `memory_capacity` bytes (MemTotal, above zero).

    The features are the kubelet's (`policy.go GetContainerOOMScoreAdjust`): since v1.32 a sidecar
    scores no higher than the regular container that asks for least, and pod-level memory beyond
    the containers' requests is shared out among them.
    """
    if is_node_critical_pod(pod) or qos is QOSClass.GUARANTEED:
        return GUARANTEED_OOM_SCORE_ADJ
    if qos is QOSClass.BEST_EFFORT:
        return BEST_EFFORT_OOM_SCORE_ADJ
    share = _remaining_memory_per_container(pod, features)
    score = _burstable_score(_memory_request(container) + share, memory_capacity)
    if container.type is ContainerType.SIDECAR and features.since(32):
        least = min(map(_memory_request, pod.containers), default=0)
        score = min(score, _burstable_score(least + share, memory_capacity))
    if score < _BURSTABLE_LEAST:
        return _BURSTABLE_LEAST
    return _BURSTABLE_MOST if score == BEST_EFFORT_OOM_SCORE_ADJ else score


def _burstable_score(memory_bytes: int, memory_capacity: int) -> int:
    return 1000 - divide_toward_zero(wrap_int64(1000 * memory_bytes), memory_capacity)


def _memory_request(container: Container) -> int:
    return container.resources.requests.get(MEMORY, ZERO).value()


def _remaining_memory_per_container(pod: Pod, features: Features) -> int:
    """`helpers.go remainingPodMemReqPerContainer`, since v1.32; zero without pod-level requests."""
    if pod.resources is None or not features.on("PodLevelResources"):
        return 0
    request = pod.resources.requests.get(MEMORY, ZERO)
    if request.nanos == 0:
        return 0
    assigned = aggregate_container_requests(pod).get(MEMORY, ZERO)
    count = len(pod.containers) + len(pod.init_containers)
    return divide_toward_zero(request.value() - assigned.value(), count)
