"""Every quantity that an object states, as authored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from qoslint.kernel.pod import CPU, EPHEMERAL_STORAGE, MEMORY, is_hugepage
from qoslint.kernel.quantity import Quantity, QuantityError, from_json, parse
from qoslint.model.objects import Fields, KubeObject, mapping, sequence
from qoslint.model.podspec import authored_containers
from qoslint.model.workloads import Workload
from qoslint.span import Path, value_at

KIB = parse("1Ki")
"""An amount of bytes below it has most likely a wrong suffix, which QOS701 tells."""

_RESOURCES_FIELDS = ("requests", "limits")
_LIMIT_RANGE_FIELDS = ("max", "min", "default", "defaultRequest", "maxLimitRequestRatio")


class Authored(NamedTuple):
    """One entry of a resource list: its path in the object, the resource, and the value as read."""

    path: Path
    resource: str
    value: object

    @property
    def quantity(self) -> Quantity | None:
        """The value as Kubernetes reads it; None if it cannot, which QOS702 says."""
        try:
            return from_json(self.value)
        except QuantityError:
            return None

    @property
    def counts_bytes(self) -> bool:
        """Whether it is an amount of memory, disk or huge pages."""
        resource = self._counted
        return resource in (MEMORY, EPHEMERAL_STORAGE) or is_hugepage(resource)

    @property
    def counts_cores(self) -> bool:
        """Whether it is an amount of CPU."""
        return self._counted == CPU

    @property
    def _counted(self) -> str:
        """The resource without what a quota puts before it; nothing for a ratio."""
        if self.path[-2] == "maxLimitRequestRatio":
            return ""
        return self.resource.removeprefix("requests.").removeprefix("limits.")


def authored_quantities(obj: KubeObject, workloads: Iterable[Workload]) -> Iterator[Authored]:
    """The entries of all resource lists of a workload, LimitRange, quota or RuntimeClass."""
    for path, resources in _lists(obj, workloads):
        for resource, value in mapping(resources).items():
            yield Authored((*path, resource), resource, value)


def _lists(obj: KubeObject, workloads: Iterable[Workload]) -> Iterator[tuple[Path, object]]:
    """What stands where a resource list may be, and its path in the object."""
    for workload in workloads:
        yield from _of_pod(workload.pod_spec, workload.template)
    match obj.group, obj.kind:
        case "", "LimitRange":
            path: Path = ("spec", "limits")
            for index, item in enumerate(sequence(value_at(obj.data, path))):
                yield from _fields(item, (*path, index), _LIMIT_RANGE_FIELDS)
        case "", "ResourceQuota":
            yield from _fields(obj.data.get("spec"), ("spec",), ("hard",))
        case "node.k8s.io", "RuntimeClass":
            yield from _fields(obj.data.get("overhead"), ("overhead",), ("podFixed",))


def _of_pod(spec: Fields, path: Path) -> Iterator[tuple[Path, object]]:
    yield from _fields(spec, path, ("overhead",))
    yield from _fields(spec.get("resources"), (*path, "resources"), _RESOURCES_FIELDS)
    for inside, container in authored_containers(spec):
        where = (*path, *inside, "resources")
        yield from _fields(container.get("resources"), where, _RESOURCES_FIELDS)


def _fields(owner: object, path: Path, keys: Iterable[str]) -> Iterator[tuple[Path, object]]:
    """Some fields of the value at `path`, as far as they are there."""
    if isinstance(owner, dict):
        for key in keys:
            if key in owner:
                yield (*path, key), owner[key]
