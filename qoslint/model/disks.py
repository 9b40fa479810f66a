"""What a node profile calls the sizes that eviction signals watch."""

from __future__ import annotations

from qoslint.kernel.allocatable import PID
from qoslint.kernel.pod import EPHEMERAL_STORAGE, MEMORY
from qoslint.kernel.signals import Filesystems, Signal, StarvedResource, starved_resource

INODES = "inodes"
IMAGEFS = "imagefs"
IMAGEFS_INODES = "imagefs-inodes"

ON_IMAGEFS = frozenset({IMAGEFS, IMAGEFS_INODES})
"""Of a filesystem that only some nodes have."""
DISKS = frozenset({INODES}) | ON_IMAGEFS
"""What a node does not report in its capacity."""

_OF_IMAGEFS = frozenset({Signal.IMAGEFS, Signal.IMAGEFS_INODES})
_OF_CONTAINERFS = frozenset({Signal.CONTAINERFS, Signal.CONTAINERFS_INODES})


def size_name(signal: Signal, filesystems: Filesystems) -> str:
    """The name of what a signal watches, in `capacity` and `daemons` of a profile.

    Without a filesystem of its own, imagefs is nodefs; containerfs is the one of both that has the
    writable layers (`pkg/kubelet/eviction/helpers.go makeSignalObservations`).
    """
    match starved_resource(signal):
        case StarvedResource.MEMORY:
            return MEMORY
        case StarvedResource.PIDS:
            return PID
        case StarvedResource.INODES:
            return IMAGEFS_INODES if _on_imagefs(signal, filesystems) else INODES
        case StarvedResource.EPHEMERAL_STORAGE:
            return IMAGEFS if _on_imagefs(signal, filesystems) else EPHEMERAL_STORAGE


def _on_imagefs(signal: Signal, filesystems: Filesystems) -> bool:
    match filesystems:
        case Filesystems.NODEFS:
            return False
        case Filesystems.IMAGEFS:
            return signal in _OF_IMAGEFS or signal in _OF_CONTAINERFS
        case Filesystems.SPLIT:
            return signal in _OF_IMAGEFS
