"""What the kubelet writes into the cgroups of containers and pods: cpu and memory limits.

Mirrors `pkg/kubelet/cm/helpers_linux.go`, `pkg/kubelet/cm/cgroup_manager_linux.go` getCPUWeight
and `pkg/kubelet/kuberuntime/kuberuntime_container_linux.go` calculateLinuxResources. Exclusive
CPUs of a static CPU manager, which lift the quota, are not considered. In all records 0 means
that no value is set.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from qoslint.kernel.amount import divide_toward_zero, wrap_int64
from qoslint.kernel.features import Features
from qoslint.kernel.pod import (
    CPU,
    HUGEPAGES_PREFIX,
    MEMORY,
    Container,
    Pod,
    ResourceList,
    is_hugepage,
)
from qoslint.kernel.qos import QOSClass
from qoslint.kernel.quantity import ZERO, Quantity, QuantityError, parse
from qoslint.kernel.scheduling import init_phases, pod_limits, pod_requests

MIN_SHARES = 2
MAX_SHARES = 262144
SHARES_PER_CPU = 1024
QUOTA_PERIOD = 100_000
"""Microseconds of a CFS period unless cpuCFSQuotaPeriod says otherwise."""
MIN_QUOTA = 1000
"""Microseconds; the kernel accepts no smaller quota."""


@dataclass(frozen=True, slots=True)
class ContainerCgroup:
    """A container's cgroup: shares, weight, microseconds of quota per period, bytes.

    The weight is the kubelet's own conversion; a container runtime may convert shares otherwise.
    """

    cpu_shares: int
    cpu_weight: int
    cpu_quota: int
    memory_max: int


@dataclass(frozen=True, slots=True)
class PodCgroup:
    """A pod's cgroup; `hugetlb_max` pairs page sizes and limits, both in bytes."""

    cpu_shares: int
    cpu_weight: int
    cpu_quota: int = 0
    memory_max: int = 0
    hugetlb_max: tuple[tuple[int, int], ...] = ()


def milli_cpu_to_shares(milli_cpu: int) -> int:
    """cpu.shares for thousandths of a CPU (`helpers_linux.go MilliCPUToShares`)."""
    if milli_cpu == 0:
        return MIN_SHARES
    shares = divide_toward_zero(wrap_int64(milli_cpu * SHARES_PER_CPU), 1000)
    return min(max(shares, MIN_SHARES), MAX_SHARES)


def milli_cpu_to_quota(milli_cpu: int, period: int | None = QUOTA_PERIOD) -> int:
    """Microseconds per period for a limit in thousandths of a CPU; 0 if there is no limit.

    `helpers_linux.go MilliCPUToQuota`. A period of None stands for `cpuCFSQuota: false`.
    """
    if milli_cpu == 0 or period is None:
        return 0
    return max(divide_toward_zero(wrap_int64(milli_cpu * period), 1000), MIN_QUOTA)


def cpu_shares_to_weight(shares: int) -> int:
    """cpu.weight of cgroup v2 as the kubelet converts it (`getCPUWeight`)."""
    if shares >= MAX_SHARES:
        return 10000
    return 1 + (shares - MIN_SHARES) * 9999 // (MAX_SHARES - MIN_SHARES)


def container_cgroup(
    pod: Pod, container: Container, features: Features, period: int | None = QUOTA_PERIOD
) -> ContainerCgroup:
    """What the kubelet asks the runtime to set for a container (`calculateLinuxResources`).

    A limit that the container lacks is taken from the pod-level block; a cpu request that it
    lacks, from its limit.
    """
    cpu_limit = container_limit(pod, container, CPU, features)
    cpu_request = container.resources.requests.get(CPU, cpu_limit)
    shares = milli_cpu_to_shares(cpu_request.milli_value())
    return ContainerCgroup(
        cpu_shares=shares,
        cpu_weight=cpu_shares_to_weight(shares),
        cpu_quota=milli_cpu_to_quota(cpu_limit.milli_value(), period),
        memory_max=container_limit(pod, container, MEMORY, features).value(),
    )


def container_limit(pod: Pod, container: Container, name: str, features: Features) -> Quantity:
    """The container's limit, or the pod-level one if it has none (since v1.32); zero for none."""
    limit = container.resources.limits.get(name, ZERO)
    if limit.nanos == 0 and features.on("PodLevelResources") and pod.resources is not None:
        return pod.resources.limits.get(name, ZERO)
    return limit


def pod_cgroup(
    pod: Pod, qos: QOSClass, features: Features, period: int | None = QUOTA_PERIOD
) -> PodCgroup:
    """What the kubelet sets for the pod as a whole (`helpers_linux.go ResourceConfigForPod`).

    A Burstable pod is limited in a resource only if everything in it is.
    """
    requests, limits = pod_requests(pod, features), pod_limits(pod, features)
    hugetlb_max = tuple(hugepage_limits(requests))
    if qos is QOSClass.BEST_EFFORT:
        return PodCgroup(MIN_SHARES, cpu_shares_to_weight(MIN_SHARES), hugetlb_max=hugetlb_max)

    def limited(name: str) -> bool:
        return qos is QOSClass.GUARANTEED or _is_limit_declared(pod, name, features)

    shares = milli_cpu_to_shares(requests.get(CPU, ZERO).milli_value())
    cpu_limit = limits.get(CPU, ZERO).milli_value() if limited(CPU) else 0
    return PodCgroup(
        cpu_shares=shares,
        cpu_weight=cpu_shares_to_weight(shares),
        cpu_quota=milli_cpu_to_quota(cpu_limit, period),
        memory_max=limits.get(MEMORY, ZERO).value() if limited(MEMORY) else 0,
        hugetlb_max=hugetlb_max,
    )


def _is_limit_declared(pod: Pod, name: str, features: Features) -> bool:
    pod_level = pod.resources is not None and pod.resources.limits.get(name, ZERO).nanos
    if pod_level and features.on("PodLevelResources"):
        return True
    # Kubernetes looks at each init container together with the sidecars before it, so one
    # without a limit behind a limited sidecar passes.
    phases = (phase for _, phase in init_phases(pod, lambda resources: resources.limits))
    lists = (*(container.resources.limits for container in pod.containers), *phases)
    return all(limits.get(name, ZERO).nanos for limits in lists)


def hugepage_limits(requests: ResourceList) -> Iterator[tuple[int, int]]:
    """Page size and bytes of each hugepages request (`helpers_linux.go HugePageLimits`)."""
    for name, quantity in requests.items():
        if is_hugepage(name):
            try:
                page_size = parse(name.removeprefix(HUGEPAGES_PREFIX)).value()
            except QuantityError:
                continue  # the kubelet logs it and goes on
            yield page_size, quantity.value()
