"""oom_score_adj: how readily the kernel kills the processes of a container.

Mirrors `pkg/kubelet/qos/policy.go` GetContainerOOMScoreAdjust and `pkg/kubelet/qos/helpers.go`.
"""

from __future__ import annotations

from typing import NamedTuple

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
    return burstable_score(pod, container, memory_capacity, features).score


class MemoryScore(NamedTuple):
    """`1000 - product / capacity` for `memory` bytes, divided as Go divides integers.

    `product` is 1000 times the memory, as far as 64 bits hold it.
    """

    memory: int
    product: int
    score: int


class PodLevelShare(NamedTuple):
    """What one container gets of the pod-level memory request, in bytes.

    What the request leaves above what the containers request is shared out evenly.
    """

    request: int
    assigned: int
    containers: int

    @property
    def memory(self) -> int:
        """The share in bytes, divided as Go divides integers."""
        return divide_toward_zero(self.request - self.assigned, self.containers)


class BurstableScore(NamedTuple):
    """How the score of a container of a Burstable pod comes about.

    `own` is what its memory request and its share of pod-level memory give. `least` is set for a
    sidecar since v1.32: the same for the regular container that asks for least. `score` is the
    lower of the two, kept within 3 and 999.
    """

    request: int
    """The container's own memory request in bytes."""
    share: PodLevelShare | None
    own: MemoryScore
    least: MemoryScore | None
    score: int


def burstable_score(
    pod: Pod, container: Container, memory_capacity: int, features: Features
) -> BurstableScore:
    """The steps of `policy.go GetContainerOOMScoreAdjust` for a container of a Burstable pod."""
    share = _remaining_memory_per_container(pod, features)
    shared = 0 if share is None else share.memory
    request = _memory_request(container)
    own = _memory_score(request + shared, memory_capacity)
    least = None
    if container.type is ContainerType.SIDECAR and features.since(32):
        smallest = min(map(_memory_request, pod.containers), default=0)
        least = _memory_score(smallest + shared, memory_capacity)
    score = own.score if least is None else min(own.score, least.score)
    if score < _BURSTABLE_LEAST:
        score = _BURSTABLE_LEAST
    elif score == BEST_EFFORT_OOM_SCORE_ADJ:
        score = _BURSTABLE_MOST
    return BurstableScore(request, share, own, least, score)


def _memory_score(memory: int, capacity: int) -> MemoryScore:
    product = wrap_int64(1000 * memory)
    return MemoryScore(memory, product, 1000 - divide_toward_zero(product, capacity))


def _memory_request(container: Container) -> int:
    return container.resources.requests.get(MEMORY, ZERO).value()


def _remaining_memory_per_container(pod: Pod, features: Features) -> PodLevelShare | None:
    """`helpers.go remainingPodMemReqPerContainer`, since v1.32; None without pod-level requests."""
    if pod.resources is None or not features.on("PodLevelResources"):
        return None
    request = pod.resources.requests.get(MEMORY, ZERO)
    if request.nanos == 0:
        return None
    assigned = aggregate_container_requests(pod).get(MEMORY, ZERO)
    count = len(pod.containers) + len(pod.init_containers)
    return PodLevelShare(request.value(), assigned.value(), count)
