"""Which containers of a pod template can write to which volumes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from qoslint.kernel.pod import Volume
from qoslint.kernel.podstats import is_local_volume
from qoslint.model.effective import Admitted
from qoslint.model.objects import mapping, sequence, text
from qoslint.model.podspec import authored_containers
from qoslint.model.workloads import Workload
from qoslint.span import Path


def writers(workload: Workload) -> Mapping[str, tuple[Path, ...]]:
    """By volume the containers that mount it and not only to read, as paths in the PodSpec.

    Kubernetes source: `staging/src/k8s.io/api/core/v1/types.go VolumeMount`.
    """
    found: dict[str, dict[Path, None]] = {}
    for path, container in authored_containers(workload.pod_spec):
        for mount in sequence(container.get("volumeMounts")):
            if mapping(mount).get("readOnly") is not True:
                name = text(mapping(mount).get("name"))
                found.setdefault(name, {})[path] = None
    return {name: tuple(paths) for name, paths in found.items()}


class ScratchDisk(NamedTuple):
    """An emptyDir on the node's disk, and the containers that write to it as `writers` has them."""

    path: Path
    """Into the PodSpec, as are those of the writers."""
    volume: Volume
    writers: tuple[Path, ...]

    @property
    def writer(self) -> Path:
        """The first container that writes to it; one that ends only if no other does."""
        return next((path for path in self.writers if path[0] == "containers"), self.writers[0])


def scratch_disks(admitted: Admitted) -> Iterator[ScratchDisk]:
    """The volumes whose files the kubelet counts as the pod's use of the node's disk.

    Of a hostPath it measures nothing (`pkg/volume/hostpath/host_path.go` MetricsNil), and nobody
    writes to a configMap.
    """
    volumes = admitted.effective.pod.volumes if admitted.effective else ()
    written = writers(admitted.workload) if any(map(_is_scratch_disk, volumes)) else {}
    for index, volume in enumerate(volumes):
        if _is_scratch_disk(volume) and (paths := written.get(volume.name)):
            yield ScratchDisk(("volumes", index), volume, paths)


def _is_scratch_disk(volume: Volume) -> bool:
    return volume.source in ("", "emptyDir") and is_local_volume(volume)
