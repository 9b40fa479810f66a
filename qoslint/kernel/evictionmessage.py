"""What an evicted pod's status says, word for word.

Mirrors `pkg/kubelet/eviction/helpers.go evictionMessage` (since v1.34 with pod-level memory).
"""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.kernel.features import Features
from qoslint.kernel.pod import Pod
from qoslint.kernel.podstats import ContainerStats, PodStats
from qoslint.kernel.quantity import ZERO, Format, Quantity, new_quantity
from qoslint.kernel.scheduling import is_pod_level_resources_set
from qoslint.kernel.signals import StarvedResource


def eviction_message(
    resource: StarvedResource,
    name: str,
    pod: Pod,
    stats: PodStats | None,
    met: tuple[Quantity, Quantity | str] | None,
    features: Features,
) -> str:
    """The message of a pod evicted because the node was low on `resource`.

    `met` is the threshold and what was available, or a text in place of what is not known; None
    leaves that sentence out. Containers are named if they used more than their own request: for
    inodes and PIDs none ever is.
    """
    sentences = [f"The node was low on resource: {resource}. "]
    if met is not None:
        sentences.append(f"Threshold quantity: {met[0]}, available: {met[1]}. ")
    if stats is not None:
        sentences += _pod_sentence(resource, name, pod, stats, features)
        sentences += _container_sentences(resource, pod, stats)
    return "".join(sentences)


def _pod_sentence(
    resource: StarvedResource, name: str, pod: Pod, stats: PodStats, features: Features
) -> Iterator[str]:
    if resource is not StarvedResource.MEMORY or pod.resources is None:
        return
    if not features.since(34) or not features.on("PodLevelResources"):
        return
    request = pod.resources.requests.get(resource)
    if is_pod_level_resources_set(pod.resources) and request and stats.working_set is not None:
        yield _using(
            "Pod", name, new_quantity(stats.working_set, Format.BINARY_SI), request, resource
        )


def _container_sentences(resource: StarvedResource, pod: Pod, stats: PodStats) -> Iterator[str]:
    # Go keeps the first container of a name.
    containers = {item.name: item for item in reversed((*pod.containers, *pod.init_containers))}
    for measured in stats.containers:
        used = _used(resource, measured)
        if used is None or measured.name not in containers:
            continue
        request = containers[measured.name].resources.requests.get(resource, ZERO)
        usage = new_quantity(used, Format.BINARY_SI)
        if usage.nanos > request.nanos:
            yield _using("Container", measured.name, usage, request, resource)


def _used(resource: StarvedResource, measured: ContainerStats) -> int | None:
    if resource is StarvedResource.MEMORY:
        return measured.working_set
    rootfs, logs = measured.rootfs.used_bytes, measured.logs.used_bytes
    if resource is not StarvedResource.EPHEMERAL_STORAGE or rootfs is None or logs is None:
        return None
    return rootfs + logs


def _using(
    what: str, name: str, usage: Quantity, request: Quantity, resource: StarvedResource
) -> str:
    return (
        f"{what} {name} was using {usage}, request is {request}, "
        f"has larger consumption of {resource}. "
    )
