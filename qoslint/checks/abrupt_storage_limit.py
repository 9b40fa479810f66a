"""QOS406: a pod that needs time to end is killed at once when it exceeds a storage limit."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem
from qoslint.kernel.pod import EPHEMERAL_STORAGE, Path, is_critical_pod
from qoslint.model.effective import Admitted
from qoslint.model.mounts import scratch_disks
from qoslint.model.subject import Options


def check_workload(admitted: Admitted, options: Options) -> Iterator[Problem]:
    """One problem for pods with a storage limit and state, or a long time to end."""
    effective = admitted.effective
    if effective is None or effective.admitted is False or is_critical_pod(effective.pod):
        return
    grace = effective.pod.termination_grace_period_seconds or 0
    if grace > options["grace-period"]:
        loses = f"the {grace} seconds of its terminationGracePeriodSeconds and its preStop hooks"
    elif admitted.workload.object.kind == "StatefulSet":
        loses = "its terminationGracePeriodSeconds and preStop hooks, though it is meant for state"
    else:
        return
    for path, limit in _limits(admitted):
        yield Problem(
            admitted.at(path),
            f"{OBJECT} is evicted when it exceeds {limit}, on a node with room to spare too, and "
            f"then has 1 second to end: {loses} do not count.",
        )
        return


def _limits(admitted: Admitted) -> Iterator[tuple[Path, str]]:
    """The fields that limit what the pod writes to its node's disk, each as prose."""
    for disk in scratch_disks(admitted):
        size = disk.volume.size_limit
        if size is not None and size.sign > 0:
            path = (*disk.path, "emptyDir", "sizeLimit")
            yield path, f"the sizeLimit {size} of volume {disk.volume.name!r}"
    pod = admitted.effective.pod if admitted.effective else None
    for path, container in pod.containers_with_paths() if pod else ():
        limit = container.resources.limits.get(EPHEMERAL_STORAGE)
        if limit is not None:
            field = (*path, "resources", "limits", EPHEMERAL_STORAGE)
            yield field, f"the {EPHEMERAL_STORAGE} limit {limit} of container {container.name!r}"
