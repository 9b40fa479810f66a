"""Limits of local storage: pods evicted for what they use themselves, on a healthy node too.

Mirrors `pkg/kubelet/eviction/eviction_manager.go localStorageEviction` (unchanged in v1.31 to
v1.36).
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from qoslint.kernel.features import Features
from qoslint.kernel.pod import EPHEMERAL_STORAGE, Pod, is_critical_pod
from qoslint.kernel.podstats import PodStats
from qoslint.kernel.quantity import ZERO, Format, Quantity, new_quantity
from qoslint.kernel.scheduling import pod_limits
from qoslint.kernel.signals import Filesystems


def local_storage_eviction(
    pod: Pod, stats: PodStats | None, filesystems: Filesystems, features: Features
) -> str | None:
    """The message of a pod evicted for its own limits; None if it stays.

    An emptyDir above its `sizeLimit`, in memory too; all containers above the sum of those limits
    that are given; one container above its own. Requests play no part, and critical pods stay.
    """
    if stats is None or is_critical_pod(pod):
        return None
    return next(_exceeded(pod, stats, filesystems, features), None)


def _exceeded(
    pod: Pod, stats: PodStats, filesystems: Filesystems, features: Features
) -> Iterator[str]:
    yield from _empty_dirs(pod, stats)
    if not _limits_storage(pod):
        return
    limit = pod_limits(pod, features).get(EPHEMERAL_STORAGE)
    if limit is not None and _bytes(stats.ephemeral_storage).nanos > limit.nanos:
        yield (f"Pod ephemeral local storage usage exceeds the total limit of containers {limit}. ")
    yield from _containers(pod, stats, filesystems)


def _limits_storage(pod: Pod) -> bool:
    """Whether there is a limit to compare with: most pods have none, and are looked at often."""
    stated = [each.resources for each in (*pod.containers, *pod.init_containers)]
    stated += [pod.resources] if pod.resources is not None else []
    return any(EPHEMERAL_STORAGE in each.limits for each in stated)


def _empty_dirs(pod: Pod, stats: PodStats) -> Iterator[str]:
    used = {volume.name: _bytes(volume.fs.used_bytes) for volume in stats.volumes}
    for volume in pod.volumes:
        limit = volume.size_limit
        if limit is None or limit.sign <= 0 or volume.name not in used:
            continue
        if used[volume.name].nanos > limit.nanos:
            name, most = _quoted(volume.name), _quoted(limit)
            yield f"Usage of EmptyDir volume {name} exceeds the limit {most}. "


def _containers(pod: Pod, stats: PodStats, filesystems: Filesystems) -> Iterator[str]:
    limits = {}
    for container in pod.containers:
        limit = container.resources.limits.get(EPHEMERAL_STORAGE, ZERO)
        if limit.value() != 0:
            limits[container.name] = limit
    for measured in stats.containers:
        used = _bytes(measured.logs.used_bytes)
        if filesystems is Filesystems.NODEFS:
            used += _bytes(measured.rootfs.used_bytes)
        if measured.name in limits and limits[measured.name].nanos < used.nanos:
            limit = limits[measured.name]
            yield (
                f"Container {measured.name} exceeded its local ephemeral storage limit "
                f"{_quoted(limit)}. "
            )


def _bytes(used: int | None) -> Quantity:
    return new_quantity(used or 0, Format.BINARY_SI)


def _quoted(value: object) -> str:
    return json.dumps(str(value))
