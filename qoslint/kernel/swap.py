"""Which containers may swap on a node with LimitedSwap.

Mirrors `pkg/kubelet/kuberuntime/kuberuntime_container_linux.go GetContainerSwapBehavior`, on cgroup
v2 with a swap controller (v1.31 to v1.36).
"""

from __future__ import annotations

from enum import StrEnum

from qoslint.kernel.features import Features
from qoslint.kernel.pod import MEMORY, Container, Pod, is_critical_pod
from qoslint.kernel.qos import QOSClass
from qoslint.kernel.quantity import ZERO

LIMITED_SWAP = "LimitedSwap"


class NoSwap(StrEnum):
    """Why a container may not swap, in the order in which the kubelet asks."""

    GATE = "the gate NodeSwap is off"
    CRITICAL = "its pod is critical"
    CLASS = "its pod is not Burstable"
    NO_MEMORY = "it has no memory request"
    EQUAL = "its memory request equals its limit"


def no_swap(pod: Pod, container: Container, qos: QOSClass, features: Features) -> NoSwap | None:
    """Why a container has a swap limit of zero where the kubelet's behaviour is LimitedSwap.

    None if it may swap: up to the share of the node's swap that its request is of the memory.
    """
    if not features.on("NodeSwap"):
        return NoSwap.GATE
    if is_critical_pod(pod):
        return NoSwap.CRITICAL
    if qos is not QOSClass.BURSTABLE:
        return NoSwap.CLASS
    request = container.resources.requests.get(MEMORY, ZERO)
    limit = container.resources.limits.get(MEMORY, ZERO)
    if request.nanos == 0:  # one that only has a limit gets a share of zero
        return NoSwap.NO_MEMORY
    return NoSwap.EQUAL if request.nanos == limit.nanos else None
