"""API defaulting: what the server fills in when it decodes a pod, and what it drops.

Mirrors `pkg/apis/core/v1/defaults.go` (SetDefaults_Pod, SetDefaults_PodSpec,
SetDefaults_ResourceList) and `pkg/api/pod/util.go dropDisabledFields`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from qoslint.kernel.features import Features
from qoslint.kernel.outcome import Change, Stage
from qoslint.kernel.pod import Container, ContainerType, Path, Pod, ResourceList, Resources
from qoslint.kernel.podleveldefaults import default_pod_level_resources
from qoslint.kernel.resourcelist import reread

_GRACE_PERIOD_SECONDS = 30


def drop_disabled_fields(pod: Pod, features: Features) -> Pod:
    """The pod without fields whose gate is off: the API server ignores them without a word."""
    kept = map_containers(pod, partial(_drop_disabled, features))
    if kept.resources is not None and not features.on("PodLevelResources"):
        return kept._replace(resources=None)
    return kept


def map_containers(pod: Pod, change: Callable[[Container], Container]) -> Pod:
    """The pod with each container and init container changed; itself if nothing is."""
    init_containers = tuple(map(change, pod.init_containers))
    containers = tuple(map(change, pod.containers))
    if containers == pod.containers and init_containers == pod.init_containers:
        return pod
    return pod._replace(init_containers=init_containers, containers=containers)


def _drop_disabled(features: Features, container: Container) -> Container:
    if not container.resize_policy and container.restart_policy is None:
        return container
    kept = container
    if kept.resize_policy and not features.on("InPlacePodVerticalScaling"):
        kept = kept._replace(resize_policy=())
    if kept.type is ContainerType.SIDECAR and not features.on("SidecarContainers"):
        kept = kept._replace(type=ContainerType.INIT, restart_policy=None)
    # From v1.34 on the field is known for all containers, under a gate of its own; before, a
    # value it may not have is refused.
    unknown = kept.restart_policy is not None and kept.type is not ContainerType.SIDECAR
    if unknown and features.since(34) and not features.on("ContainerRestartRules"):
        kept = kept._replace(restart_policy=None)
    return kept


def set_defaults_pod(pod: Pod, features: Features) -> tuple[Pod, tuple[Change, ...]]:
    """The pod as the API server decodes it, and what it filled in.

    Each limit becomes the request of its resource where that has none, pod-level values follow the
    containers', then all quantities are rounded up to thousandths (`SetDefaults_Pod`).
    """
    timed = _set_grace_period(pod)
    copied = map_containers(timed, _copy_limits)
    if features.on("PodLevelResources") and not features.on("PodLevelResourcesFixDefaulting"):
        copied = default_pod_level_resources(copied, features)
    done = _map_lists(copied, ResourceList.rounded_up)
    return done, tuple(resource_changes(timed, done))


def default_template(pod: Pod, features: Features) -> Pod:
    """A pod template as it is validated: with its quantities rounded, but no limits copied."""
    return _map_lists(drop_disabled_fields(pod, features), ResourceList.rounded_up)


def _set_grace_period(pod: Pod) -> Pod:
    seconds = pod.termination_grace_period_seconds
    if seconds is None:
        return pod._replace(termination_grace_period_seconds=_GRACE_PERIOD_SECONDS)
    # A negative period is accepted and counts as one second (kubernetes/kubernetes#103476).
    return pod._replace(termination_grace_period_seconds=1) if seconds < 0 else pod


def reread_pod(pod: Pod) -> Pod:
    """The pod as it is read from storage, which keeps the printed text of each quantity."""
    return _map_lists(pod, reread)


def _copy_limits(container: Container) -> Container:
    resources = container.resources
    if resources.limits.keys() <= resources.requests.keys():
        return container
    requests = resources.limits.with_items(resources.requests)
    filled = Resources(requests, resources.limits, resources.claims)
    return container._replace(resources=filled)


def _map_lists(pod: Pod, change: Callable[[ResourceList], ResourceList]) -> Pod:
    """The pod with each of its resource lists changed."""

    def block(resources: Resources) -> Resources:
        requests, limits = change(resources.requests), change(resources.limits)
        if requests is resources.requests and limits is resources.limits:
            return resources
        return Resources(requests, limits, resources.claims)

    def container(item: Container) -> Container:
        changed = block(item.resources)
        return item if changed is item.resources else item._replace(resources=changed)

    changed = map_containers(pod, container)
    resources = None if pod.resources is None else block(pod.resources)
    overhead = None if pod.overhead is None else change(pod.overhead)
    if resources is pod.resources and overhead is pod.overhead:
        return changed
    return changed._replace(resources=resources, overhead=overhead)


def resource_changes(before: Pod, after: Pod) -> Iterator[Change]:
    """Every quantity that defaulting set: containers first, then pod level, then overhead."""
    if before is after:
        return
    pairs = zip(before.containers_with_paths(), after.containers_with_paths(), strict=True)
    for (path, old), (_, new) in pairs:
        if old is not new:
            yield from _changed_blocks(old.resources, new.resources, (*path, "resources"))
    if before.resources is not None and after.resources is not None:
        yield from _changed_blocks(before.resources, after.resources, ("resources",))
    if before.overhead is not None and after.overhead is not None:
        yield from _changed_lists(before.overhead, after.overhead, ("overhead",))


def _changed_blocks(old: Resources, new: Resources, path: Path) -> Iterator[Change]:
    yield from _changed_lists(old.requests, new.requests, (*path, "requests"))
    yield from _changed_lists(old.limits, new.limits, (*path, "limits"))


def _changed_lists(old: ResourceList, new: ResourceList, path: Path) -> Iterator[Change]:
    if old is new:
        return
    for name, quantity in new.items():
        before = old.get(name)
        if before is not quantity and before != quantity:
            text = None if before is None else str(before)
            yield Change(Stage.DEFAULTS, (*path, name), text, str(quantity))
