"""QOS404: a pod writes to the disk of its node and requests none of it."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem, Related, Severity
from qoslint.kernel.pod import EPHEMERAL_STORAGE, is_critical_pod
from qoslint.kernel.scheduling import aggregate_container_requests, eviction_requests
from qoslint.model.effective import Admitted, Effective
from qoslint.model.importance import importance
from qoslint.model.mounts import scratch_disks
from qoslint.model.subject import Options
from qoslint.model.wording import counted, some


def check_workload(admitted: Admitted, options: Options) -> Iterator[Problem]:
    """One problem for pods that can be evicted and write to an emptyDir on disk."""
    effective = admitted.effective
    if effective is None or not effective.pod.volumes:
        return
    if effective.qos is None or admitted.workload.partial:
        return
    pod, matters = effective.pod, importance(admitted)
    if effective.admitted is False or is_critical_pod(pod):
        return
    if matters is None and options["pods"] != "all":
        return
    if eviction_requests(pod, effective.given.scope.features)[EPHEMERAL_STORAGE].nanos:
        return
    disks = list(scratch_disks(admitted))
    if not disks:
        return
    kept = f", which {matters.because}," if matters and matters.because else ""
    names = some((repr(each.volume.name) for each in disks), len(disks))
    volumes = counted(len(disks), "emptyDir volume").partition(" ")[2]
    yield Problem(
        admitted.workload.at((*disks[0].writer, "resources", "requests", EPHEMERAL_STORAGE)),
        f"{OBJECT}{kept} writes to {volumes} {names} on the disk of its node and "
        f"{_lacks(effective)}. When that disk runs low, any byte that the pod uses of it puts the "
        f"pod into the group that is evicted first; its class, {effective.qos}, counts for "
        "nothing, and its priority only inside that group.",
        related=tuple(
            Related(admitted.workload.at(each.path), "the volume on disk") for each in disks
        ),
        severity=Severity.WARNING if matters and matters.strong else None,
    )


def _lacks(effective: Effective) -> str:
    stated = aggregate_container_requests(effective.pod).get(EPHEMERAL_STORAGE)
    if stated is not None and stated.nanos:
        return (
            f"has pod-level resources, for which the kubelet overlooks the {stated} of "
            f"{EPHEMERAL_STORAGE} that its containers request"
        )
    return f"requests no {EPHEMERAL_STORAGE}"
