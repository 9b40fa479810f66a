"""A node whose usage is a function of time, and what the kubelet measures on it in one second.

Mirrors what `pkg/kubelet/server/stats/summary.go` reports and `pkg/kubelet/eviction/helpers.go
makeSignalObservations` makes of it, for memory and bytes of disk.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import NamedTuple, TypeAlias

from qoslint.kernel.pod import Pod
from qoslint.kernel.podstats import (
    ContainerStats,
    FsStats,
    PodStats,
    VolumeStats,
    is_local_volume,
    usage,
)
from qoslint.kernel.signals import Filesystems, Signal
from qoslint.kernel.simulation import Garbage, Observation


class Ramp(NamedTuple):
    """Bytes over time: `start`, then from second `begins` on toward `target`."""

    start: int = 0
    target: int = 0
    per_second: int = 0
    begins: int = 0

    def at(self, second: int) -> int:
        """The bytes in a second."""
        moved = self.per_second * max(0, second - self.begins)
        if self.target >= self.start:
            return min(self.target, self.start + moved)
        return max(self.target, self.start - moved)

    @property
    def moves(self) -> bool:
        """Whether the bytes ever change."""
        return self.target != self.start and self.per_second != 0


def steady(amount: int) -> Ramp:
    """Bytes that stay."""
    return Ramp(amount, amount)


NOTHING = steady(0)


class RunningContainer(NamedTuple):
    """A container over time; its memory is that of one process with the container's score."""

    name: str
    oom_score_adj: int
    memory: Ramp = NOTHING
    rootfs: Ramp = NOTHING
    logs: Ramp = NOTHING


class RunningPod(NamedTuple):
    """A pod over time; `volumes` are names of its volumes and the bytes in them."""

    pod: Pod
    containers: tuple[RunningContainer, ...]
    volumes: tuple[tuple[str, Ramp], ...] = ()


def moves(pod: RunningPod) -> bool:
    """Whether anything that is measured of the pod ever changes."""
    containers = ((each.memory, each.rootfs, each.logs) for each in pod.containers)
    ramps = (*chain.from_iterable(containers), *(used for _, used in pod.volumes))
    return any(ramp.moves for ramp in ramps)


class Daemon(NamedTuple):
    """What runs on the node outside pods, as one process. The kubelet's own score is -999."""

    name: str
    memory: Ramp
    oom_score_adj: int = 0


class Disk(NamedTuple):
    """A filesystem in bytes: its size, and what uses it beside running pods."""

    capacity: int
    other: Ramp = NOTHING
    dead_containers: int = 0
    unused_images: int = 0


class Node(NamedTuple):
    """A node: its memory (MemTotal), the limit of the kubepods cgroup if it has one, its disks.

    A disk that is None is not observed; `imagefs` only counts where the layout has one.
    """

    memory: int
    kubepods_limit: int | None = None
    daemons: tuple[Daemon, ...] = ()
    nodefs: Disk | None = None
    imagefs: Disk | None = None


Running: TypeAlias = Mapping[int, RunningPod]
"""The pods that are left, by their index."""


class Load(NamedTuple):
    """What pods use together over time: bytes that stay, and those that move."""

    still: int
    moving: tuple[Ramp, ...]

    def at(self, second: int) -> int:
        """The bytes in a second."""
        return self.still + sum(each.at(second) for each in self.moving)


def memory_load(running: Running) -> Load:
    """The memory of the pods, added up once for all the seconds in which the same pods run."""
    ramps = [each.memory for pod in running.values() for each in pod.containers]
    still = sum(each.start for each in ramps if not each.moves)
    return Load(still, tuple(each for each in ramps if each.moves))


class Moment(NamedTuple):
    """A node in one second, with what the kubelet has deleted from it so far."""

    node: Node
    filesystems: Filesystems
    running: Running
    load: Load
    """The memory of those pods."""
    deleted: frozenset[Garbage]
    second: int

    def pods_memory(self) -> int:
        """The bytes that all pods use together."""
        return self.load.at(self.second)

    def daemons_memory(self) -> int:
        """The bytes that run outside pods."""
        return sum(daemon.memory.at(self.second) for daemon in self.node.daemons)


def pod_stats(running: RunningPod, second: int) -> PodStats:
    """What the kubelet measures of a pod in one second."""
    containers = tuple(
        ContainerStats(
            each.name,
            FsStats(each.rootfs.at(second)),
            FsStats(each.logs.at(second)),
            each.memory.at(second),
        )
        for each in running.containers
    )
    volumes = tuple(VolumeStats(name, FsStats(used.at(second))) for name, used in running.volumes)
    measured = PodStats(
        working_set=sum(each.working_set or 0 for each in containers),
        containers=containers,
        volumes=volumes,
    )
    # Unlike the ranking's usage, the kubelet's own sum leaves hostPath volumes out.
    local = tuple(
        each for each in running.pod.volumes if is_local_volume(each) and each.source != "hostPath"
    )
    ephemeral = running.pod._replace(volumes=local)
    total = usage(ephemeral, measured, Signal.NODEFS, Filesystems.NODEFS)
    return measured._replace(ephemeral_storage=total)


def observe(moment: Moment) -> Mapping[Signal, Observation]:
    """What the kubelet observes in a second (`makeSignalObservations`); inodes and PIDs are not.

    Memory is measured by working set; less than nothing is reported as nothing.
    """
    return dict(_observations(moment))


def _observations(moment: Moment) -> Iterator[tuple[Signal, Observation]]:
    node, pods = moment.node, moment.pods_memory()
    yield Signal.MEMORY, _left(node.memory, pods + moment.daemons_memory())
    if node.kubepods_limit is not None:
        yield Signal.ALLOCATABLE_MEMORY, _left(node.kubepods_limit, pods)
    one = moment.filesystems is Filesystems.NODEFS
    images = node.nodefs if one else node.imagefs
    layers = node.imagefs if moment.filesystems is Filesystems.IMAGEFS else node.nodefs
    disks = ((Signal.NODEFS, node.nodefs), (Signal.IMAGEFS, images), (Signal.CONTAINERFS, layers))
    for signal, disk in disks:
        if disk is not None:
            yield signal, _left(disk.capacity, _disk_used(moment, disk, signal))


def _disk_used(moment: Moment, disk: Disk, signal: Signal) -> int:
    used = disk.other.at(moment.second)
    if Garbage.DEAD_CONTAINERS not in moment.deleted:
        used += disk.dead_containers
    if Garbage.UNUSED_IMAGES not in moment.deleted:
        used += disk.unused_images
    for running in moment.running.values():
        stats = pod_stats(running, moment.second)
        used += usage(running.pod, stats, signal, moment.filesystems)
    return used


def _left(capacity: int, used: int) -> Observation:
    return Observation(max(0, capacity - used), capacity)
