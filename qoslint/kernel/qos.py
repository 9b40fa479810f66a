"""The QoS class of a pod.

Mirrors `pkg/apis/core/v1/helper/qos/qos.go` ComputePodQOS.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from qoslint.kernel.features import Features
from qoslint.kernel.pod import CPU, MEMORY, Pod, ResourceList, Resources
from qoslint.kernel.scheduling import is_pod_level_resources_set

_QOS_RESOURCES = (CPU, MEMORY)


class QOSClass(StrEnum):
    """A pod's Quality of Service class."""

    GUARANTEED = "Guaranteed"
    BURSTABLE = "Burstable"
    BEST_EFFORT = "BestEffort"


def compute_pod_qos(pod: Pod, features: Features) -> QOSClass:
    """The class of a pod after defaulting (`qos.go ComputePodQOS`; GetPodQOS before v1.29).

    Only cpu and memory count, and only in containers and init containers of both types. A
    pod-level block, where it is honoured, hides the containers; up to v1.36 even an empty one.

    v1.37 compares request and limit block by block instead of summing both. For pods that pass
    validation, where no request exceeds its limit, both forms agree, so there is one here.
    """
    blocks = _blocks(pod, features)
    requests = _positive_sums(block.requests for block in blocks)
    limits = _positive_sums(block.limits for block in blocks)
    if not requests and not limits:
        return QOSClass.BEST_EFFORT
    guaranteed = requests == limits and all(_is_limited(block.limits) for block in blocks)
    return QOSClass.GUARANTEED if guaranteed else QOSClass.BURSTABLE


def _blocks(pod: Pod, features: Features) -> tuple[Resources, ...]:
    if pod.resources is not None and honours_pod_level(pod.resources, features):
        return (pod.resources,)
    return tuple([each.resources for each in (*pod.init_containers, *pod.containers)])


def honours_pod_level(resources: Resources, features: Features) -> bool:
    """Whether a pod-level block that is present decides the class instead of the containers.

    v1.34 to v1.36 ask for the block alone; v1.37 wants a resource in it
    (PodLevelResourcesFixKubeletQOSClass).
    """
    if not features.on("PodLevelResources"):
        return False
    if features.on("PodLevelResourcesFixKubeletQOSClass"):
        return is_pod_level_resources_set(resources)
    return True


def _positive_sums(lists: Iterable[ResourceList]) -> dict[str, int]:
    sums: dict[str, int] = {}
    for resources in lists:
        for name, quantity in resources.items():
            if name in _QOS_RESOURCES and quantity.nanos > 0:
                sums[name] = sums.get(name, 0) + quantity.nanos
    return sums


def _is_limited(limits: ResourceList) -> bool:
    return all(name in limits and limits[name].nanos > 0 for name in _QOS_RESOURCES)
