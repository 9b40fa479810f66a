"""A PodSpec as authored: what stands in it, before anything says whether Kubernetes can read it."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.model.objects import Fields, mapping, sequence
from qoslint.span import Path

CONTAINER_LISTS = ("initContainers", "containers")
"""The fields with the containers of a template; ephemeral ones only join a running pod."""


def authored_containers(pod_spec: Fields) -> Iterator[tuple[Path, Fields]]:
    """Each entry of the lists of containers, by its path; empty fields for what is no mapping."""
    for field in CONTAINER_LISTS:
        for index, container in enumerate(sequence(pod_spec.get(field))):
            yield (field, index), mapping(container)
