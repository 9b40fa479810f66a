"""What the kubelet measures of a pod, and how much of it counts as usage for a signal.

Mirrors `staging/src/k8s.io/kubelet/pkg/apis/stats/v1alpha1/types.go PodStats` and, in
`pkg/kubelet/eviction/helpers.go`, memoryUsage, podDiskUsage, processUsage, localVolumeNames and
the filesystem parts of buildSignalToRankFunc (unchanged in v1.31 to v1.36).
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple

from qoslint.kernel.pod import Pod, Volume
from qoslint.kernel.signals import Filesystems, Signal, StarvedResource, starved_resource


class FsStats(NamedTuple):
    """Bytes and inodes used; None where nothing was measured, which counts as zero."""

    used_bytes: int | None = None
    inodes_used: int | None = None


class ContainerStats(NamedTuple):
    """A container's writable layer, logs, and working set in bytes."""

    name: str
    rootfs: FsStats = FsStats()
    logs: FsStats = FsStats()
    working_set: int | None = None


class VolumeStats(NamedTuple):
    """What a volume holds."""

    name: str
    fs: FsStats = FsStats()


class PodStats(NamedTuple):
    """Measured usage of a pod: working set in bytes, processes, containers and volumes.

    `ephemeral_storage` is the kubelet's own sum in bytes: writable layers, logs, local ephemeral
    volumes, and files it made for the pod.
    """

    working_set: int | None = None
    processes: int | None = None
    ephemeral_storage: int | None = None
    containers: tuple[ContainerStats, ...] = ()
    volumes: tuple[VolumeStats, ...] = ()


class FsPart(Enum):
    """A part of a pod's disk usage; image layers are never counted."""

    ROOTFS = auto()
    LOGS = auto()
    LOCAL_VOLUMES = auto()


_ALL = frozenset(FsPart)
_ON_NODEFS = frozenset({FsPart.LOGS, FsPart.LOCAL_VOLUMES})
_IMAGEFS_SIGNALS = frozenset({Signal.IMAGEFS, Signal.IMAGEFS_INODES})
_NODEFS_SIGNALS = frozenset({Signal.NODEFS, Signal.NODEFS_INODES})
_LOCAL_SOURCES = frozenset({"hostPath", "configMap", "gitRepo"})


def usage(pod: Pod, stats: PodStats, signal: Signal, filesystems: Filesystems) -> int:
    """How much of what the signal watches the pod uses: bytes, inodes or processes.

    What was not measured is zero. Swapped pages are in no working set; active page cache is.
    """
    resource = starved_resource(signal)
    if resource is StarvedResource.MEMORY:
        return stats.working_set or 0
    if resource is StarvedResource.PIDS:
        return stats.processes or 0
    parts = parts_to_measure(signal, filesystems)
    used = _parts(pod, stats, parts)
    if resource is StarvedResource.INODES:
        return sum(part.inodes_used or 0 for part in used)
    return sum(part.used_bytes or 0 for part in used)


def parts_to_measure(signal: Signal, filesystems: Filesystems) -> frozenset[FsPart]:
    """Which parts of its disk usage a disk signal holds against a pod.

    `helpers.go buildSignalToRankFunc`. With images apart from writable layers nothing of a pod is
    on imagefs, so every pod uses 0 of it.
    """
    match filesystems:
        case Filesystems.NODEFS:
            return _ALL
        case Filesystems.IMAGEFS:
            return _ON_NODEFS if signal in _NODEFS_SIGNALS else frozenset({FsPart.ROOTFS})
        case Filesystems.SPLIT:
            return frozenset() if signal in _IMAGEFS_SIGNALS else _ALL


def measures_partly(signal: Signal, filesystems: Filesystems) -> bool:
    """Whether a signal holds only a part of its disk usage against a pod, or none of it."""
    starved = starved_resource(signal)
    on_disk = starved in (StarvedResource.EPHEMERAL_STORAGE, StarvedResource.INODES)
    return on_disk and parts_to_measure(signal, filesystems) != _ALL


def is_local_volume(volume: Volume) -> bool:
    """Whether what a volume holds counts as disk usage of the pod.

    `helpers.go localVolumeNames`, `pkg/volume/util/util.go IsLocalEphemeralVolume`. Secret,
    projected and downwardAPI volumes do not, and an emptyDir in memory is part of the working set.
    """
    # Without a source it is an emptyDir (`pkg/apis/core/v1/defaults.go SetDefaults_Volume`).
    return volume.source in _LOCAL_SOURCES or (
        volume.source in ("", "emptyDir") and volume.medium == ""
    )


def _parts(pod: Pod, stats: PodStats, parts: frozenset[FsPart]) -> Iterator[FsStats]:
    for container in stats.containers:
        if FsPart.ROOTFS in parts:
            yield container.rootfs
        if FsPart.LOGS in parts:
            yield container.logs
    if FsPart.LOCAL_VOLUMES in parts:
        # Of two stats with one name the first counts.
        measured = {volume.name: volume.fs for volume in reversed(stats.volumes)}
        for volume in pod.volumes:
            if is_local_volume(volume) and volume.name in measured:
                yield measured[volume.name]
