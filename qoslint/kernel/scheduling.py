"""What a pod asks for in total: for the scheduler, for the kubelet's cgroups and for eviction.

Mirrors `staging/src/k8s.io/component-helpers/resource/helpers.go` (in v1.31
`pkg/api/v1/resource/helpers.go`) and `pkg/api/v1/resource/helpers.go GetResourceRequestQuantity`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from qoslint.kernel.features import Features
from qoslint.kernel.pod import (
    CPU,
    EPHEMERAL_STORAGE,
    MEMORY,
    NO_RESOURCES,
    Container,
    ContainerType,
    Pod,
    ResourceList,
    Resources,
    is_hugepage,
)
from qoslint.kernel.quantity import ZERO, Quantity

_Totals = dict[str, Quantity]
_ListOf = Callable[[Resources], ResourceList]


def is_supported_pod_level_resource(name: str) -> bool:
    """Whether a pod-level block may name the resource (`IsSupportedPodLevelResource`, v1.32)."""
    return name in (CPU, MEMORY) or is_hugepage(name)


def is_pod_level_resources_set(resources: Resources | None) -> bool:
    """Whether a pod-level block names any supported resource.

    An empty block does not (`IsPodLevelResourcesSet`, v1.32).
    """
    if resources is None:
        return False
    return any(map(is_supported_pod_level_resource, (*resources.requests, *resources.limits)))


def pod_requests(pod: Pod, features: Features) -> ResourceList:
    """What the scheduler reserves, overhead included (`PodRequests`).

    A pod-level request replaces the containers' sum of that resource.
    """
    totals = dict(aggregate_container_requests(pod))
    totals |= _pod_level(pod, features, _requests)
    _add(totals, pod.overhead or NO_RESOURCES)
    return ResourceList(totals)


def pod_limits(pod: Pod, features: Features) -> ResourceList:
    """The sum of the limits that are given, as `pod_requests` sums requests (`PodLimits`).

    Overhead is only added where there is a limit: what is unlimited stays so.
    """
    totals = dict(aggregate_container_limits(pod))
    totals |= _pod_level(pod, features, _limits)
    overhead = pod.overhead or NO_RESOURCES
    _add(totals, {name: overhead[name] for name in overhead if totals.get(name, ZERO).nanos})
    return ResourceList(totals)


def aggregate_container_requests(pod: Pod) -> ResourceList:
    """The containers' requests, without pod-level block and overhead.

    Sidecars run beside the containers; a plain init container runs before them, beside the
    sidecars started so far. What is needed most at any time counts
    (`AggregateContainerRequests`).
    """
    return _aggregate(pod, _requests)


def aggregate_container_limits(pod: Pod) -> ResourceList:
    """The containers' limits, by the same walk (`AggregateContainerLimits`)."""
    return _aggregate(pod, _limits)


def init_phases(
    pod: Pod, list_of: Callable[[Resources], ResourceList]
) -> Iterator[tuple[Container, ResourceList]]:
    """What runs while each init container starts: it and the sidecars before it, summed."""
    sidecars: _Totals = {}
    for container in pod.init_containers:
        if container.type is ContainerType.SIDECAR:
            _add(sidecars, list_of(container.resources))
            yield container, ResourceList(sidecars)
        else:
            phase = dict(list_of(container.resources).items())
            _add(phase, sidecars)
            yield container, ResourceList(phase)


def summed_containers(
    pod: Pod, name: str, list_of: Callable[[Resources], ResourceList]
) -> tuple[Container, ...]:
    """The containers that run together when the pod needs most of a resource.

    Their sum is that of `aggregate_container_requests`, or of the limits.
    """

    def amount(resources: Mapping[str, Quantity]) -> int:
        return resources[name].nanos if name in resources else 0

    sidecars = [item for item in pod.init_containers if item.type is ContainerType.SIDECAR]
    running = (*pod.containers, *sidecars)
    most, heaviest = sum(amount(list_of(item.resources)) for item in running), None
    for index, (_, phase) in enumerate(init_phases(pod, list_of)):
        if amount(phase) > most:
            most, heaviest = amount(phase), index
    if heaviest is None:
        return running
    before = pod.init_containers[:heaviest]
    started = [item for item in before if item.type is ContainerType.SIDECAR]
    return (pod.init_containers[heaviest], *started)


def eviction_requests(pod: Pod, features: Features) -> ResourceList:
    """What the kubelet compares usage with: cpu, memory and ephemeral-storage, missing ones zero.

    Overhead is only added to a request that is not zero. The features are the kubelet's.
    `pkg/api/v1/resource/helpers.go GetResourceRequestQuantity`; since v1.34 sidecars and the
    pod-level block count, and such a block hides the containers even where it has no value.
    """
    totals = _eviction_totals(pod, features) if features.since(34) else _old_eviction_totals(pod)
    overhead = pod.overhead or NO_RESOURCES
    result = {}
    for name in (CPU, MEMORY, EPHEMERAL_STORAGE):
        # Added to zero, as Kubernetes does, so that it prints in canonical form.
        request = ZERO + totals.get(name, ZERO)
        has_overhead = request.nanos and name in overhead
        result[name] = request + overhead[name] if has_overhead else request
    return ResourceList(result)


def _eviction_totals(pod: Pod, features: Features) -> Mapping[str, Quantity]:
    if features.on("PodLevelResources") and is_pod_level_resources_set(pod.resources):
        return _pod_level(pod, features, _requests)
    return aggregate_container_requests(pod)


def _old_eviction_totals(pod: Pod) -> Mapping[str, Quantity]:
    # Until v1.33 each init container is compared alone, a sidecar as well.
    totals: _Totals = {}
    for container in pod.containers:
        _add(totals, container.resources.requests)
    for container in pod.init_containers:
        _raise_to(totals, container.resources.requests)
    return totals


def _requests(resources: Resources) -> ResourceList:
    return resources.requests


def _limits(resources: Resources) -> ResourceList:
    return resources.limits


def _pod_level(pod: Pod, features: Features, list_of: _ListOf) -> _Totals:
    if pod.resources is None or not features.on("PodLevelResources"):
        return {}
    given = list_of(pod.resources)
    return {name: given[name] for name in given if is_supported_pod_level_resource(name)}


def _aggregate(pod: Pod, list_of: _ListOf) -> ResourceList:
    totals: _Totals = {}
    for container in pod.containers:
        _add(totals, list_of(container.resources))
    peak: _Totals = {}
    for container, phase in init_phases(pod, list_of):
        _raise_to(peak, phase)
        if container.type is ContainerType.SIDECAR:
            _add(totals, list_of(container.resources))
    _raise_to(totals, peak)
    return ResourceList(totals)


def _add(totals: _Totals, more: Mapping[str, Quantity]) -> None:
    for name, quantity in more.items():
        totals[name] = totals[name] + quantity if name in totals else quantity


def _raise_to(totals: _Totals, least: Mapping[str, Quantity]) -> None:
    for name, quantity in least.items():
        if name not in totals or totals[name].nanos < quantity.nanos:
            totals[name] = quantity
