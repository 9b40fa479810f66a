"""Which containers of a pod template can write to which volumes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from qoslint.kernel.pod import Volume
from qoslint.kernel.podstats import is_local_volume
from qoslint.model.effective import Admitted
from qoslint.model.objects import mapping, sequence, text
from qoslint.model.podspec import authored_containers
from qoslint.model.workloads import Workload
from qoslint.span import Path

_SOCKETS = frozenset(("sock", "socket", "sockets"))
_RUNTIME_FOLDERS = ("/run/", "/var/run/")


def writers(workload: Workload) -> Mapping[str, tuple[Path, ...]]:
    """By volume the containers that mount it and not only to read, as paths in the PodSpec."""
    return {name: _writers(mounts) for name, mounts in _mounts_to_write(workload).items()}


class _Mount(NamedTuple):
    writer: Path
    """The container, as a path in the PodSpec."""
    mount_path: str


def _mounts_to_write(workload: Workload) -> Mapping[str, list[_Mount]]:
    """By volume its mounts that are not only to read.

    Kubernetes source: `staging/src/k8s.io/api/core/v1/types.go VolumeMount`.
    """
    found: dict[str, list[_Mount]] = {}
    for path, container in authored_containers(workload.pod_spec):
        for mount in map(mapping, sequence(container.get("volumeMounts"))):
            if mount.get("readOnly") is not True:
                mounts = found.setdefault(text(mount.get("name")), [])
                mounts.append(_Mount(path, text(mount.get("mountPath"))))
    return found


def _writers(mounts: Iterable[_Mount]) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(mount.writer for mount in mounts))


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
    writes to a configMap. What an emptyDir for sockets holds is next to nothing.
    """
    volumes = admitted.effective.pod.volumes if admitted.effective else ()
    written = _mounts_to_write(admitted.workload) if any(map(_is_scratch_disk, volumes)) else {}
    for index, volume in enumerate(volumes):
        mounts = written.get(volume.name)
        if mounts and _is_scratch_disk(volume) and not _is_for_sockets(volume, mounts):
            yield ScratchDisk(("volumes", index), volume, _writers(mounts))


def _is_scratch_disk(volume: Volume) -> bool:
    return volume.source in ("", "emptyDir") and is_local_volume(volume)


def _is_for_sockets(volume: Volume, mounts: Iterable[_Mount]) -> bool:
    """Whether its name or its place says that it holds sockets and pid files, which take no room.

    `/run` is for those: Filesystem Hierarchy Standard 3.0, 3.15.
    """
    return not _SOCKETS.isdisjoint(volume.name.split("-")) or all(
        f"{mount.mount_path}/".startswith(_RUNTIME_FOLDERS) for mount in mounts
    )
