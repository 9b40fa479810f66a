"""The pod-level resources block: alone, and against the containers.

Mirrors `pkg/apis/core/validation/validation.go` (validatePodResources,
validatePodResourceRequirements, validatePodResourceConsistency; since v1.32).
"""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.kernel.features import Features
from qoslint.kernel.pod import CPU, HUGEPAGES_PREFIX, MEMORY, Path, Pod, Resources, is_hugepage
from qoslint.kernel.quantity import ZERO
from qoslint.kernel.scheduling import (
    aggregate_container_limits,
    aggregate_container_requests,
    is_supported_pod_level_resource,
)
from qoslint.kernel.validation.field import (
    Field,
    FieldError,
    field_at,
    forbidden,
    invalid,
    not_supported,
)
from qoslint.kernel.validation.resources import (
    require_cpu_or_memory,
    validate_amounts,
    validate_requests_against_limits,
)


def validate_pod_resources(pod: Pod, features: Features, spec: Field) -> Iterator[FieldError]:
    """What is wrong with the pod's `resources`; nothing if it has none."""
    block = pod.resources
    if block is None:
        return
    field = spec.child("resources")
    if pod.os == "windows" and features.since(34):
        yield forbidden(field, "may not be set for a windows pod")
    if block.claims:
        verb = "may not" if features.since(34) else "cannot"
        detail = f"claims {verb} be set for Resources at pod-level"
        yield forbidden(field.child("claims"), detail)
    yield from _validate_names(block, features, field)
    yield from validate_amounts(block.limits, field.child("limits"))
    yield from validate_amounts(block.requests, field.child("requests"))
    yield from validate_requests_against_limits(block, field)
    yield from require_cpu_or_memory(block, field)
    yield from _cover_requests(pod, block, features, field.child("requests"))
    if features.since(34):
        yield from _cover_hugepages(pod, block, field.child("limits"))
    yield from _bound_containers(pod, block, field)


def _validate_names(block: Resources, features: Features, field: Field) -> Iterator[FieldError]:
    """Only cpu, memory and, since v1.33, huge pages can be set for the pod."""
    hugepages = (HUGEPAGES_PREFIX,) if features.since(33) else ()
    for key, resources in (("limits", block.limits), ("requests", block.requests)):
        for name in resources:
            known = is_supported_pod_level_resource(name) and (hugepages or not is_hugepage(name))
            if not known:
                where = field.child(key).key(name)
                yield not_supported(where, name, (CPU, *hugepages, MEMORY))


def _cover_requests(
    pod: Pod, block: Resources, features: Features, field: Field
) -> Iterator[FieldError]:
    """The pod must request what its containers do; up to v1.33 also what it does not mention."""
    for name, total in aggregate_container_requests(pod).items():
        request = block.requests.get(name)
        if request is None and features.since(34):
            continue
        request = request or ZERO
        if total.nanos > request.nanos:
            detail = f"must be greater than or equal to aggregate container requests of {total}"
            yield invalid(field.key(name), str(request), detail)


def _cover_hugepages(pod: Pod, block: Resources, field: Field) -> Iterator[FieldError]:
    for name, total in aggregate_container_limits(pod).items():
        limit = block.limits.get(name)
        if limit is not None and is_hugepage(name) and total.nanos > limit.nanos:
            detail = f"must be greater than or equal to aggregate container limits of {total}"
            yield invalid(field.key(name), str(limit), detail)


def _bound_containers(pod: Pod, block: Resources, field: Field) -> Iterator[FieldError]:
    """No single container may have more than the pod. Init containers are not compared."""
    for index, container in enumerate(pod.containers):
        for name, limit in container.resources.limits.items():
            bound = block.limits.get(name)
            if bound is not None and limit.nanos > bound.nanos:
                # The text is Kubernetes' own: there is no such field below the pod's resources.
                text = f"{field.text}.containers[{index}][{name}].limits"
                path: Path = ("containers", index, "resources", "limits", name)
                where = field_at(text, (*field.path[:-1], *path))
                detail = f"must be less than or equal to pod limits of {bound}"
                yield invalid(where, str(limit), detail)
