"""Defaults of the pod-level resources block.

Mirrors `pkg/apis/core/v1/defaults.go` (defaultHugePagePodLimits, defaultPodRequests), and for
v1.37, where a later step does this work, `pkg/api/pod/util.go`.
"""

from __future__ import annotations

from collections.abc import Mapping

from qoslint.kernel.features import Features
from qoslint.kernel.outcome import Unknown
from qoslint.kernel.pod import CPU, MEMORY, Pod, ResourceList, Resources, is_hugepage
from qoslint.kernel.quantity import Quantity
from qoslint.kernel.scheduling import (
    aggregate_container_limits,
    aggregate_container_requests,
    is_pod_level_resources_set,
    is_supported_pod_level_resource,
)


def default_pod_level_resources(pod: Pod, features: Features) -> Pod:
    """Fill the block from the containers, before admission (v1.32 to v1.36).

    Limits of huge pages come first. Requests are only filled if the block then has any limit: from
    what the containers request, else from the block's own limit.
    """
    block = pod.resources
    if block is None or not (block.requests or block.limits):
        return pod
    if features.since(33):
        block = _fill_hugepage_limits(pod, block, features)
    if block.limits:
        block = _fill_requests(pod, block)
    return pod if block is pod.resources else pod._replace(resources=block)


def default_pod_level_resources_late(
    pod: Pod, features: Features
) -> tuple[Pod, tuple[Unknown, ...]]:
    """Fill the block after admission, with what a LimitRange gave the containers (since v1.37).

    A limit of cpu or memory that all containers have becomes the pod's, summed. Where the pod
    requests more than that sum, what v1.37 does could not be checked: unknown, and left open.
    """
    if pod.resources is None or not is_pod_level_resources_set(pod.resources):
        return pod, ()
    block = _fill_hugepage_limits(pod, pod.resources, features)
    block = _fill_requests(pod, block)
    limits = _limits_of_every_container(pod, block)
    doubtful = {
        name
        for name, limit in limits.items()
        if name in block.requests and block.requests[name].nanos > limit.nanos
    }
    sure = {name: limit for name, limit in limits.items() if name not in doubtful}
    block = block._replace(limits=ResourceList(sure).with_items(block.limits))
    unknowns = tuple(
        Unknown("PodLevelResources", name, ("resources", "limits", name))
        for name in sorted(doubtful)
    )
    return pod._replace(resources=block), unknowns


def _fill_hugepage_limits(pod: Pod, block: Resources, features: Features) -> Resources:
    """Take the containers' limits of huge pages (`defaultHugePagePodLimits`).

    Since v1.34 not where the block has a request of that size.
    """
    given = {*block.limits, *(block.requests if features.since(34) else ())}
    filled = {
        name: limit
        for name, limit in aggregate_container_limits(pod).items()
        if is_hugepage(name) and name not in given
    }
    return block._replace(limits=block.limits.with_items(filled)) if filled else block


def _fill_requests(pod: Pod, block: Resources) -> Resources:
    """Take the containers' requests of cpu and memory, else the block's own limits."""
    filled: dict[str, Quantity] = {
        name: limit for name, limit in block.limits.items() if is_supported_pod_level_resource(name)
    }
    requested: Mapping[str, Quantity] = aggregate_container_requests(pod)
    filled |= {name: requested[name] for name in (CPU, MEMORY) if name in requested}
    return block._replace(requests=ResourceList(filled).with_items(block.requests))


def _limits_of_every_container(pod: Pod, block: Resources) -> dict[str, Quantity]:
    """The summed limits that the block lacks and every container and init container has."""
    totals = aggregate_container_limits(pod)
    return {
        name: totals[name]
        for name in (CPU, MEMORY)
        if name not in block.limits
        and all(name in item.resources.limits for _, item in pod.containers_with_paths())
        and name in totals
    }
