"""Every quantity that an object states, as authored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from qoslint.model.objects import KubeObject, get, mapping
from qoslint.model.workloads import Workload
from qoslint.span import Path

_LIMIT_RANGE_FIELDS = ("max", "min", "default", "defaultRequest", "maxLimitRequestRatio")


class Authored(NamedTuple):
    """One entry of a resource list: its path in the object, the resource, and the value as read."""

    path: Path
    resource: str
    value: object


def authored_quantities(obj: KubeObject, workloads: Iterable[Workload]) -> Iterator[Authored]:
    """The entries of all resource lists of a workload, LimitRange, quota or RuntimeClass."""
    for workload in workloads:
        for path in _pod_lists(workload):
            yield from _entries(obj, (*workload.template, *path))
    match obj.group, obj.kind:
        case "", "LimitRange":
            limits = get(obj.data, ("spec", "limits"))
            for index in range(len(limits) if isinstance(limits, list) else 0):
                for field in _LIMIT_RANGE_FIELDS:
                    yield from _entries(obj, ("spec", "limits", index, field))
        case "", "ResourceQuota":
            yield from _entries(obj, ("spec", "hard"))
        case "node.k8s.io", "RuntimeClass":
            yield from _entries(obj, ("overhead", "podFixed"))


def _pod_lists(workload: Workload) -> Iterator[Path]:
    yield ("overhead",)
    yield ("resources", "requests")
    yield ("resources", "limits")
    for field in ("initContainers", "containers"):
        containers = workload.pod_spec.get(field)
        for index in range(len(containers) if isinstance(containers, list) else 0):
            yield (field, index, "resources", "requests")
            yield (field, index, "resources", "limits")


def _entries(obj: KubeObject, path: Path) -> Iterator[Authored]:
    for resource, value in mapping(get(obj.data, path)).items():
        yield Authored((*path, resource), resource, value)
