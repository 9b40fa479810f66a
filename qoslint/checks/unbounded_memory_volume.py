"""QOS505: a volume in memory may outgrow what its writers may use."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem
from qoslint.kernel.cgroup import container_limit
from qoslint.kernel.pod import MEMORY, Container
from qoslint.kernel.quantity import Quantity
from qoslint.model.effective import Admitted, Effective
from qoslint.model.mounts import writers

_MEDIUM = "Memory"


def check_workload(admitted: Admitted) -> Iterator[Problem]:
    """One problem for each volume in memory that some container writes to."""
    effective = admitted.effective
    if effective is None or effective.admitted is False or effective.pod.os == "windows":
        return
    if all(volume.medium != _MEDIUM for volume in effective.pod.volumes):
        return
    paths = writers(admitted.workload)
    containers = dict(effective.pod.containers_with_paths())
    for index, volume in enumerate(effective.pod.volumes):
        if volume.medium != _MEDIUM:
            continue
        placed = map(effective.shown.placed, paths.get(volume.name, ()))
        writing = [containers[path] for path in placed if path in containers]
        limits = _limits(effective, writing)
        size = volume.size_limit
        # A limit of zero is none: `pkg/volume/emptydir/empty_dir.go calculateEmptyDirMemorySize`.
        bounded = size is not None and size.nanos > 0
        if limits and (message := _bounded(size, limits) if bounded else _unbounded(limits)):
            yield Problem(
                admitted.workload.at(
                    ("volumes", index, "emptyDir", "sizeLimit" if bounded else "medium")
                ),
                f"Volume {volume.name!r} of {OBJECT} is in memory{message}",
            )


def _limits(effective: Effective, containers: list[Container]) -> list[tuple[str, Quantity]]:
    """The names and memory limits of containers; zero is no limit."""
    features = effective.given.scope.features
    return [
        (each.name, container_limit(effective.pod, each, MEMORY, features)) for each in containers
    ]


def _unbounded(limits: list[tuple[str, Quantity]]) -> str:
    for name, limit in limits:
        if limit.nanos == 0:
            return (
                f" and has no sizeLimit, and container {name!r}, which writes to it, has no memory "
                "limit: the files may take all memory that the node has for pods."
            )
    name, limit = min(limits, key=lambda each: each[1].nanos)
    return (
        f" and has no sizeLimit. Its files count as memory of the container that writes them: "
        f"{name!r} is killed when they and its own memory exceed its limit {limit}."
    )


def _bounded(size: Quantity | None, limits: list[tuple[str, Quantity]]) -> str:
    """Empty unless every writer is killed before it could fill the volume."""
    name, limit = max(limits, key=lambda each: each[1].nanos)
    if size is None or any(each.nanos == 0 or each.nanos > size.nanos for _, each in limits):
        return ""
    return (
        f", sizeLimit {size}. Its files count as memory of the container that writes them: "
        f"{name!r} has the limit {limit} and is killed before the volume is full."
    )
