"""Whether the resources of a running pod can be changed in place, through its `resize` subresource.

`pkg/apis/core/validation/validation.go ValidatePodResize`, `pkg/registry/core/pod/strategy.go`
and `pkg/kubelet/kuberuntime/kuberuntime_manager.go`; KEP-1287.
"""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.kernel.features import Features, Version
from qoslint.kernel.pod import CPU, MEMORY, Container, ContainerType, Pod, Resources
from qoslint.kernel.qos import compute_pod_qos

_RESTART = "RestartContainer"
_RESIZABLE = (CPU, MEMORY)
_ALLOWS_LOWER_MEMORY = Version(1, 34)


def validate_pod_resize(old: Pod, new: Pod, features: Features) -> Iterator[str]:
    """Why the API server refuses the change from one effective pod to the other, in its words.

    `pkg/apis/core/validation/validation.go ValidatePodResize`, since v1.32.
    """
    if not features.on("InPlacePodVerticalScaling"):
        yield f"Kubernetes {features.version} resizes no pods without InPlacePodVerticalScaling"
        return
    if old.static or old.mirror:
        yield "static pods cannot be resized"
        return
    if old.os == "windows":
        yield "windows pods cannot be resized"
        return
    if compute_pod_qos(old, features) is not compute_pod_qos(new, features):
        yield "Pod QOS Class may not change as a result of resizing"
    if _shape(old) != _shape(new):
        yield "only cpu and memory resources are mutable"
        return
    yield from dict.fromkeys(_of_containers(old, new, features))
    if old.resources != new.resources:
        if not features.on("InPlacePodLevelResourcesVerticalScaling"):
            yield f"Kubernetes {features.version} does not resize pod-level resources"
        yield from _of_resources(old.resources or Resources(), new.resources or Resources())


def _of_containers(old: Pod, new: Pod, features: Features) -> Iterator[str]:
    containers = zip(old.containers_with_paths(), new.containers_with_paths(), strict=True)
    for (_, before), (_, after) in containers:
        if before.resources == after.resources:
            continue
        if before.type is ContainerType.INIT and not features.on(
            "InPlacePodVerticalScalingInitContainers"
        ):
            yield f"Kubernetes {features.version} resizes no init containers"
        yield from _of_resources(before.resources, after.resources)
        restarts = _policy(before, MEMORY) == _RESTART
        refuses = features.version < _ALLOWS_LOWER_MEMORY and not restarts
        if refuses and _lowers_memory(before, after):
            yield "memory limits cannot be decreased unless resizePolicy is RestartContainer"


def _of_resources(old: Resources, new: Resources) -> Iterator[str]:
    for name, before, after in (
        ("requests", old.requests, new.requests),
        ("limits", old.limits, new.limits),
    ):
        if not before.keys() <= after.keys():
            yield f"resource {name} cannot be removed"
        others = {key: each for key, each in before.items() if key not in _RESIZABLE}
        if others != {key: each for key, each in after.items() if key not in _RESIZABLE}:
            yield "only cpu and memory resources are mutable"


def restarted(old: Pod, new: Pod) -> Iterator[Container]:
    """The containers that the kubelet restarts to resize them: their resizePolicy asks for it.

    `pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodResizeAction`, since v1.27.
    """
    containers = zip(old.containers_with_paths(), new.containers_with_paths(), strict=True)
    for (_, before), (_, after) in containers:
        if any(_policy(before, name) == _RESTART for name in _resized(before, after)):
            yield after


def lowered_memory(old: Pod, new: Pod) -> Iterator[Container]:
    """The containers whose memory limit falls: it does only while less than it is in use.

    `pkg/kubelet/kuberuntime/kuberuntime_manager.go validateMemoryResizeAction`, since v1.34.
    """
    containers = zip(old.containers_with_paths(), new.containers_with_paths(), strict=True)
    for (_, before), (_, after) in containers:
        if _lowers_memory(before, after):
            yield after


def _shape(pod: Pod) -> Pod:
    """All of the pod but resources; priorities come from the class, and images are not compared."""
    return pod._replace(
        containers=tuple(map(_bare, pod.containers)),
        init_containers=tuple(map(_bare, pod.init_containers)),
        resources=None,
    )


def _bare(container: Container) -> Container:
    return container._replace(resources=Resources(claims=container.resources.claims))


def _resized(before: Container, after: Container) -> Iterator[str]:
    for name in _RESIZABLE:
        for old, new in (
            (before.resources.requests, after.resources.requests),
            (before.resources.limits, after.resources.limits),
        ):
            if old.get(name) != new.get(name):
                yield name


def _lowers_memory(before: Container, after: Container) -> bool:
    old, new = before.resources.limits.get(MEMORY), after.resources.limits.get(MEMORY)
    return old is not None and new is not None and new.nanos < old.nanos


def _policy(container: Container, resource: str) -> str:
    found = (each for each in container.resize_policy if each.resource_name == resource)
    return next((each.restart_policy for each in found), "NotRequired")
