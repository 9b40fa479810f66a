"""Eviction signals: what the kubelet watches on a node, and what each of them starves.

Mirrors `pkg/kubelet/eviction/api/types.go` and the tables of `pkg/kubelet/eviction/helpers.go`
(unchanged in v1.31 to v1.36).
"""

from __future__ import annotations

from enum import StrEnum


class Signal(StrEnum):
    """A signal as thresholds name it; even allocatable memory, which the kubelet sets itself."""

    MEMORY = "memory.available"
    ALLOCATABLE_MEMORY = "allocatableMemory.available"
    NODEFS = "nodefs.available"
    NODEFS_INODES = "nodefs.inodesFree"
    IMAGEFS = "imagefs.available"
    IMAGEFS_INODES = "imagefs.inodesFree"
    CONTAINERFS = "containerfs.available"
    CONTAINERFS_INODES = "containerfs.inodesFree"
    PID = "pid.available"


class StarvedResource(StrEnum):
    """What a signal says is running out, in the words of the kubelet's messages."""

    MEMORY = "memory"
    EPHEMERAL_STORAGE = "ephemeral-storage"
    INODES = "inodes"
    PIDS = "pids"


class NodeCondition(StrEnum):
    """A condition of a node under pressure."""

    MEMORY_PRESSURE = "MemoryPressure"
    DISK_PRESSURE = "DiskPressure"
    PID_PRESSURE = "PIDPressure"


class Filesystems(StrEnum):
    """Where a node keeps images, writable layers, and logs with local volumes.

    All on nodefs; images and writable layers on imagefs; only images on imagefs.
    """

    NODEFS = "nodefs"
    IMAGEFS = "imagefs"
    SPLIT = "split"


MEMORY_SIGNALS = frozenset({Signal.MEMORY, Signal.ALLOCATABLE_MEMORY})
INODE_SIGNALS = frozenset({Signal.NODEFS_INODES, Signal.IMAGEFS_INODES, Signal.CONTAINERFS_INODES})


def starved_resource(signal: Signal) -> StarvedResource:
    """What runs out when a threshold of the signal is met (`helpers.go signalToResource`)."""
    if signal in MEMORY_SIGNALS:
        return StarvedResource.MEMORY
    if signal in INODE_SIGNALS:
        return StarvedResource.INODES
    return StarvedResource.PIDS if signal is Signal.PID else StarvedResource.EPHEMERAL_STORAGE


def node_condition(signal: Signal) -> NodeCondition:
    """The condition that a met threshold sets (`helpers.go signalToNodeCondition`)."""
    if signal in MEMORY_SIGNALS:
        return NodeCondition.MEMORY_PRESSURE
    return NodeCondition.PID_PRESSURE if signal is Signal.PID else NodeCondition.DISK_PRESSURE
