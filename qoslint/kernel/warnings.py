"""Warnings that the API server returns beside an accepted pod or workload.

Mirrors `pkg/api/pod/warnings.go`, as far as it is about resources (v1.31 to v1.36).
"""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.kernel.outcome import APIWarning
from qoslint.kernel.pod import EPHEMERAL_STORAGE, MEMORY, Pod, ResourceList
from qoslint.kernel.validation.field import Field


def pod_warnings(pod: Pod, spec: Field) -> Iterator[APIWarning]:
    """Fractions of a byte, which are accepted and most often a slip of the unit."""
    for path, container in pod.containers_with_paths():
        resources = spec.at(path).child("resources")
        yield from _fractional(container.resources.requests, resources.child("requests"))
        yield from _fractional(container.resources.limits, resources.child("limits"))
    if pod.overhead is not None:
        yield from _fractional(pod.overhead, spec.child("overhead"))


def _fractional(resources: ResourceList, field: Field) -> Iterator[APIWarning]:
    for name in (EPHEMERAL_STORAGE, MEMORY):
        quantity = resources.get(name)
        if quantity is not None and quantity.milli_value() % 1000:
            where = field.key(name)
            message = f'fractional byte value "{quantity}" is invalid, must be an integer'
            yield APIWarning(f"{where.text}: {message}", where.path)
