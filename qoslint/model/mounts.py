"""Which containers of a pod template can write to which volumes."""

from __future__ import annotations

from collections.abc import Mapping

from qoslint.model.objects import get, mapping, text
from qoslint.model.workloads import Workload
from qoslint.span import Path


def writers(workload: Workload) -> Mapping[str, tuple[Path, ...]]:
    """By volume the containers that mount it and not only to read, as paths in the PodSpec.

    Kubernetes source: `staging/src/k8s.io/api/core/v1/types.go VolumeMount`.
    """
    found: dict[str, dict[Path, None]] = {}
    for field in ("initContainers", "containers"):
        for index, container in enumerate(_list(workload.pod_spec.get(field))):
            for mount in _list(get(container, ("volumeMounts",))):
                if mapping(mount).get("readOnly") is not True:
                    name = text(mapping(mount).get("name"))
                    found.setdefault(name, {})[field, index] = None
    return {name: tuple(paths) for name, paths in found.items()}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
