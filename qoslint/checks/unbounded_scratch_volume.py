"""QOS405: nothing bounds a volume on the disk of a node, or a size that can never be used."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem
from qoslint.kernel.pod import EPHEMERAL_STORAGE, is_critical_pod
from qoslint.kernel.quantity import Quantity
from qoslint.kernel.scheduling import pod_limits
from qoslint.model.effective import Admitted
from qoslint.model.importance import importance
from qoslint.model.mounts import ScratchDisk, scratch_disks
from qoslint.model.subject import Options


def check_workload(admitted: Admitted, options: Options) -> Iterator[Problem]:
    """One problem for each emptyDir on disk that some container of the pod writes to."""
    effective = admitted.effective
    if effective is None or not effective.pod.volumes:
        return
    if effective.qos is None or admitted.workload.partial:
        return
    if effective.admitted is False or is_critical_pod(effective.pod):
        return
    limit = pod_limits(effective.pod, effective.given.scope.features).get(EPHEMERAL_STORAGE)
    looked_at = options["pods"] == "all" or importance(admitted) is not None
    for disk in scratch_disks(admitted):
        size = disk.volume.size_limit
        # A size of zero limits nothing (`eviction_manager.go emptyDirLimitEviction`).
        if size is None or size.sign <= 0:
            message = _unbounded(disk) if limit is None and looked_at else ""
        else:
            message = _too_large(disk, size, limit)
        if message:
            place = admitted.workload.at((*disk.path, "emptyDir", "sizeLimit"))
            yield Problem(place, message)


def _unbounded(disk: ScratchDisk) -> str:
    return (
        f"Volume {disk.volume.name!r} of {OBJECT} is on the disk of its node and has no sizeLimit, "
        f"and no container has a limit of {EPHEMERAL_STORAGE}: what is written to it may fill the "
        "disk, and then this pod and its neighbours are evicted."
    )


def _too_large(disk: ScratchDisk, size: Quantity, limit: Quantity | None) -> str:
    """Empty unless the limits of the containers evict the pod before the volume is full."""
    if limit is None or limit.nanos >= size.nanos:
        return ""
    return (
        f"Volume {disk.volume.name!r} of {OBJECT} has the sizeLimit {size}. What it holds counts "
        f"for the limits of {EPHEMERAL_STORAGE} of the containers too, which are {limit} in all: "
        "the pod is evicted before the volume is full."
    )
