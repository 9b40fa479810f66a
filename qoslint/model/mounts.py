"""Which containers of a pod template can write to which volumes."""

from __future__ import annotations

from collections.abc import Mapping

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
