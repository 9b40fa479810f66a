"""Why a pod is not Guaranteed: each resource of each block that stands in the way.

Read off the conditions of `pkg/apis/core/v1/helper/qos/qos.go` ComputePodQOS.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from qoslint.kernel.features import Features
from qoslint.kernel.pod import CPU, MEMORY, Container, Path, Pod, Resources
from qoslint.kernel.qos import honours_pod_level
from qoslint.kernel.quantity import Quantity


class Obstacle(NamedTuple):
    """One resource whose limit is missing or zero, or whose request differs from its limit.

    `path` leads to the `resources` concerned; `container` is None for the pod-level block.
    """

    path: Path
    container: Container | None
    resource: str
    request: Quantity | None
    limit: Quantity | None


class Block(NamedTuple):
    """A `resources` that the class is computed from; `container` is None for the pod-level one."""

    path: Path
    container: Container | None
    resources: Resources


def deciding_blocks(pod: Pod, features: Features) -> Iterator[Block]:
    """The pod-level block alone where it is honoured, else that of each container."""
    if pod.resources is not None and honours_pod_level(pod.resources, features):
        yield Block(("resources",), None, pod.resources)
        return
    for path, container in pod.containers_with_paths():
        yield Block((*path, "resources"), container, container.resources)


def obstacles(pod: Pod, features: Features) -> Iterator[Obstacle]:
    """All that keeps an effective pod from being Guaranteed; nothing if it is (ComputePodQOS)."""
    for path, container, block in deciding_blocks(pod, features):
        for resource in (CPU, MEMORY):
            request = block.requests.get(resource)
            limit = block.limits.get(resource)
            equal = limit is not None and request is not None and limit.nanos == request.nanos
            if not equal or limit is None or limit.nanos == 0:
                yield Obstacle(path, container, resource, request, limit)
