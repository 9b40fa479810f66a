"""How much of a node's resource a pod uses, as far as its manifest tells: an interval."""

from __future__ import annotations

from typing import NamedTuple

from qoslint.kernel.cgroup import container_limit
from qoslint.kernel.features import Features
from qoslint.kernel.pod import (
    EPHEMERAL_STORAGE,
    MEMORY,
    NO_RESOURCES,
    ContainerType,
    Pod,
    is_critical_pod,
)
from qoslint.kernel.podstats import parts_to_measure
from qoslint.kernel.quantity import ZERO
from qoslint.kernel.scheduling import pod_limits
from qoslint.kernel.signals import Filesystems, Signal, StarvedResource, starved_resource


class Usage(NamedTuple):
    """The least and the most that is used, both included: bytes, inodes or processes."""

    lo: int
    hi: int


class Room(NamedTuple):
    """What a node has of the resource that a signal watches, and what its kubelet limits."""

    most: int
    """Bytes, inodes or processes; no pod can use more."""
    filesystems: Filesystems = Filesystems.NODEFS
    pod_pids_limit: int | None = None
    """The kubelet's `podPidsLimit`; None, as zero and less, for no limit."""
    limits_local_storage: bool = True
    """The kubelet's `localStorageCapacityIsolation`."""


def usage_interval(pod: Pod, signal: Signal, room: Room, features: Features) -> Usage:
    """What the pod may use by its limits, once it runs; the features are the kubelet's.

    At the least a byte of memory and a process: the kubelet has stats of a pod that runs.
    """
    match starved_resource(signal):
        case StarvedResource.MEMORY:
            least, most = 1, most_memory(pod, features)
        case StarvedResource.PIDS:
            # pids.max of the pod's cgroup (`pkg/kubelet/cm/pod_container_manager_linux.go`).
            limit = room.pod_pids_limit or 0
            least, most = 1, limit if limit > 0 else None
        case resource:
            least, most = 0, None
            if not parts_to_measure(signal, room.filesystems):
                most = 0
            elif resource is StarvedResource.EPHEMERAL_STORAGE and room.limits_local_storage:
                most = most_local_storage(pod, features)
    hi = room.most if most is None else min(most, room.most)
    return Usage(min(least, hi), hi)


def most_memory(pod: Pod, features: Features) -> int | None:
    """The bytes of memory at which the kernel stops a running pod; None for no limit.

    Regular containers and sidecars each have a limit on their cgroup
    (`kuberuntime_container_linux.go calculateLinuxResources`), what they write into emptyDirs in
    memory included. A pod-level limit is one on the pod's cgroup (`helpers_linux.go
    ResourceConfigForPod`) and caps them together. Overhead comes on top, as the sandbox uses it.
    Init containers that end before the others start are left out.
    """
    sidecars = (each for each in pod.init_containers if each.type is ContainerType.SIDECAR)
    limits = [
        container_limit(pod, container, MEMORY, features).value()
        for container in (*pod.containers, *sidecars)
    ]
    caps = [sum(limits)] if all(limits) else []
    if pod.resources is not None and features.on("PodLevelResources"):
        pod_level = pod.resources.limits.get(MEMORY, ZERO).value()
        caps += [pod_level] if pod_level else []
    overhead = (pod.overhead or NO_RESOURCES).get(MEMORY, ZERO).value()
    return min(caps) + overhead if caps else None


def most_local_storage(pod: Pod, features: Features) -> int | None:
    """The bytes of local storage that a pod can use and still be ranked; None for no limit.

    A pod above the sum of those limits that are given is evicted for it, which ends the pass
    before any pod is ranked (`eviction_manager.go podEphemeralStorageLimitEviction`); a critical
    pod is not. hostPath volumes are not measured (`pkg/volume/hostpath/host_path.go` MetricsNil).
    """
    limit = pod_limits(pod, features).get(EPHEMERAL_STORAGE)
    if limit is None or is_critical_pod(pod):
        return None
    # A fraction of a byte allows no further byte, so it is cut off.
    return limit.nanos // 10**9
