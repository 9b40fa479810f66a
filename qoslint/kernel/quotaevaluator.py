"""The quota evaluator: what ResourceQuotas demand of a pod, and what they refuse.

Mirrors `pkg/quota/v1/evaluator/core/pods.go` and
`staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go CheckRequest`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qoslint.kernel.features import Features
from qoslint.kernel.outcome import Cause, Rejection, Stage
from qoslint.kernel.pod import (
    CPU,
    EPHEMERAL_STORAGE,
    MEMORY,
    Container,
    Path,
    Pod,
    ResourceList,
    is_hugepage,
)
from qoslint.kernel.qos import QOSClass
from qoslint.kernel.quantity import Format, Quantity, new_quantity
from qoslint.kernel.quota import (
    BEST_EFFORT,
    CROSS_NAMESPACE_POD_AFFINITY,
    NOT_BEST_EFFORT,
    NOT_TERMINATING,
    PRIORITY_CLASS,
    TERMINATING,
    ResourceQuota,
    ScopeRequirement,
)
from qoslint.kernel.scheduling import is_pod_level_resources_set, pod_limits, pod_requests
from qoslint.kernel.validation.resources import is_extended_resource_name

KIND = "ResourceQuota"

_DEMANDED = {
    key: (block, name)
    for name in (CPU, MEMORY)
    for key, block in (
        (name, "requests"),
        (f"requests.{name}", "requests"),
        (f"limits.{name}", "limits"),
    )
}
"""The keys that every container must have where a quota tracks them (`validationSet`)."""

_COMPUTE = (CPU, MEMORY, EPHEMERAL_STORAGE)


def validate_quotas(
    pod: Pod, qos: QOSClass, quotas: Sequence[ResourceQuota], features: Features
) -> Iterator[Rejection]:
    """Everything that the quotas refuse, one rejection for each quota (`CheckRequest`).

    What is in use is not known: `exceeded quota` is only said where the pod alone is above a
    quota, so `used` is told as 0. The API server reports one quota; which one is not fixed.
    """
    matching = [(index, quota) for index, quota in enumerate(quotas) if matches(quota, pod, qos)]
    incomplete = list(_incomplete(pod, matching, features))
    yield from incomplete
    # The server looks at amounts only when every matching quota could count the pod.
    if matching and not incomplete:
        usage = pod_usage(pod, features)
        for index, quota in matching:
            yield from _exceeded(usage, quota, index)


def matches(quota: ResourceQuota, pod: Pod, qos: QOSClass) -> bool:
    """Whether the pod is in all scopes of the quota (`podMatchesScopeFunc`)."""
    return all(_in_scope(item, pod, qos) for item in quota.requirements())


def _in_scope(requirement: ScopeRequirement, pod: Pod, qos: QOSClass) -> bool:
    if requirement.scope == PRIORITY_CLASS:
        return _selects(requirement, pod.priority_class_name)
    terminating = pod.active_deadline_seconds is not None and pod.active_deadline_seconds >= 0
    return {
        TERMINATING: terminating,
        NOT_TERMINATING: not terminating,
        BEST_EFFORT: qos is QOSClass.BEST_EFFORT,
        NOT_BEST_EFFORT: qos is not QOSClass.BEST_EFFORT,
        CROSS_NAMESPACE_POD_AFFINITY: pod.cross_namespace_affinity,
    }.get(requirement.scope, False)


def _selects(requirement: ScopeRequirement, name: str) -> bool:
    """Whether a pod of that priority class is meant (`podMatchesSelector`).

    A pod without a class has no name to compare, so only the negative operators select it.
    """
    match requirement.operator:
        case "In":
            return name in requirement.values if name else False
        case "NotIn":
            return name not in requirement.values
        case "Exists":
            return bool(name)
        case "DoesNotExist":
            return not name
    return False


def _incomplete(
    pod: Pod, quotas: Sequence[tuple[int, ResourceQuota]], features: Features
) -> Iterator[Rejection]:
    """The quotas that track a key which a container lacks (`Constraints`).

    Presence counts, not value; a pod with pod-level resources need not have any key.
    """
    if features.on("PodLevelResources") and is_pod_level_resources_set(pod.resources):
        return
    for index, quota in quotas:
        missing = {
            key: lacking
            for key in quota.hard
            if key in _DEMANDED and (lacking := list(_lacking(pod, *_DEMANDED[key])))
        }
        if missing:
            parts = (
                f"{key} for: {','.join(sorted({item.name for _, item in lacking}))}"
                for key, lacking in missing.items()
            )
            message = f"failed quota: {quota.name}: must specify {'; '.join(parts)}"
            key, lacking = next(iter(missing.items()))
            path = (*lacking[0][0], "resources", *_DEMANDED[key])
            yield Rejection(Stage.RESOURCE_QUOTA, message, path, _cause(index, key))


def _lacking(pod: Pod, block: str, name: str) -> Iterator[tuple[Path, Container]]:
    for path, container in pod.containers_with_paths():
        resources = container.resources
        if name not in (resources.requests if block == "requests" else resources.limits):
            yield path, container


def pod_usage(pod: Pod, features: Features) -> ResourceList:
    """What a pod counts for in quotas, by quota key (`PodUsageFunc`, `podComputeUsageHelper`)."""
    one = new_quantity(1, Format.DECIMAL_SI)
    usage: dict[str, Quantity] = {"pods": one, "count/pods": one}
    for name, quantity in pod_requests(pod, features).items():
        if name in _COMPUTE or is_hugepage(name):
            usage[name] = quantity
        if name in _COMPUTE or is_hugepage(name) or is_extended_resource_name(name):
            usage[f"requests.{name}"] = quantity
    for name, quantity in pod_limits(pod, features).items():
        if name in _COMPUTE:
            usage[f"limits.{name}"] = quantity
    return ResourceList(usage)


def _exceeded(usage: ResourceList, quota: ResourceQuota, index: int) -> Iterator[Rejection]:
    above = {
        key: quantity
        for key, quantity in usage.items()
        if key in quota.hard and quantity.nanos > quota.hard[key].nanos
    }
    if above:
        requested = ",".join(f"{key}={quantity}" for key, quantity in above.items())
        used = ",".join(f"{key}=0" for key in above)
        limited = ",".join(f"{key}={quota.hard[key]}" for key in above)
        message = (
            f"exceeded quota: {quota.name}, requested: {requested}, used: {used}, "
            f"limited: {limited}"
        )
        cause = _cause(index, next(iter(above)))
        yield Rejection(Stage.RESOURCE_QUOTA, message, ("containers",), cause)


def _cause(index: int, key: str) -> Cause:
    return Cause(index, KIND, ("spec", "hard", key))
