"""Memory QoS: memory.min, memory.low and memory.high of cgroup v2, if the kubelet sets them.

Mirrors `pkg/kubelet/kuberuntime/kuberuntime_container_linux.go` generateLinuxContainerResources
and `pkg/kubelet/cm/helpers_linux.go` ResourceConfigForPod (gate MemoryQoS, on since v1.37).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from qoslint.kernel.cgroup import container_limit
from qoslint.kernel.features import Features
from qoslint.kernel.pod import MEMORY, Container, Pod
from qoslint.kernel.qos import QOSClass
from qoslint.kernel.quantity import ZERO
from qoslint.kernel.scheduling import pod_requests

PAGE_SIZE = 4096
TIERED_RESERVATION = "TieredReservation"


@dataclass(frozen=True, slots=True)
class MemoryQoSSettings:
    """What the kubelet is configured with, and the memory that memory.high is measured against.

    `allocatable` is in bytes and without the eviction reserve: capacity less kubeReserved and
    systemReserved. The factor is a float because Kubernetes computes with one.
    """

    allocatable: int
    throttling_factor: float | None
    reservation_policy: str = "None"


@dataclass(frozen=True, slots=True)
class MemoryQoS:
    """Bytes that are written to the three files; None where nothing is."""

    min: int | None = None
    low: int | None = None
    high: int | None = None


def container_memory_qos(
    pod: Pod, container: Container, qos: QOSClass, settings: MemoryQoSSettings, features: Features
) -> MemoryQoS:
    """The values for a container; none with the gate off (`generateLinuxContainerResources`)."""
    if not features.on("MemoryQoS"):
        return MemoryQoS()
    request = container.resources.requests.get(MEMORY, ZERO).value()
    high = _memory_high(pod, container, settings, features)
    if not features.since(36):
        return MemoryQoS(min=request or None, high=high)
    if request == 0 or settings.reservation_policy != TIERED_RESERVATION:
        return MemoryQoS(min=0, low=0, high=high)
    if qos is QOSClass.GUARANTEED:
        return MemoryQoS(min=request, high=high)
    return MemoryQoS(low=request, high=high)


def pod_memory_qos(
    pod: Pod, qos: QOSClass, settings: MemoryQoSSettings, features: Features
) -> MemoryQoS:
    """The values for a pod's own cgroup (`helpers_linux.go ResourceConfigForPod`).

    Until v1.35 any request is protected; since v1.36 only by policy TieredReservation.
    """
    request = pod_requests(pod, features).get(MEMORY, ZERO).value()
    if not features.on("MemoryQoS") or request <= 0:  # an overflow can make it negative
        return MemoryQoS()
    if not features.since(36):
        return MemoryQoS(min=request)
    if settings.reservation_policy != TIERED_RESERVATION:
        return MemoryQoS()
    return MemoryQoS(min=request) if qos is QOSClass.GUARANTEED else MemoryQoS(low=request)


def _memory_high(
    pod: Pod, container: Container, settings: MemoryQoSSettings, features: Features
) -> int | None:
    """The throttling point between request and limit, in whole pages; None if not written."""
    request = container.resources.requests.get(MEMORY, ZERO).value()
    limit = container.resources.limits.get(MEMORY, ZERO).value()
    if settings.throttling_factor is None:
        return None
    if features.since(37):
        pod_limited = limit == 0 and container_limit(pod, container, MEMORY, features).nanos
        if pod_limited or request == limit != 0:
            return None
    elif request == limit:
        return None
    most = limit or settings.allocatable
    point = math.floor(request + (float(most) - float(request)) * settings.throttling_factor)
    high = point // PAGE_SIZE * PAGE_SIZE
    return high if high > request else None
