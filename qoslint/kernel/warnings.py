"""Warnings that the API server returns beside an accepted pod or workload.

Mirrors `pkg/api/pod/warnings.go`, as far as it is about resources (v1.31 to v1.36).
"""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.kernel.outcome import APIWarning
from qoslint.kernel.pod import EPHEMERAL_STORAGE, MEMORY, NO_RESOURCES, Pod
from qoslint.kernel.quantity import Quantity
from qoslint.kernel.validation.field import Field

_BYTES = (EPHEMERAL_STORAGE, MEMORY)


def pod_warnings(pod: Pod, spec: Field) -> Iterator[APIWarning]:
    """Fractions of a byte, which are accepted and most often a slip of the unit."""
    for path, container in pod.containers_with_paths():
        resources = container.resources
        for key, listed in (("requests", resources.requests), ("limits", resources.limits)):
            for name, quantity in listed.items():
                if _is_fractional(name, quantity):
                    yield _warning(spec.at((*path, "resources", key)).key(name), quantity)
    for name, quantity in (pod.overhead or NO_RESOURCES).items():
        if _is_fractional(name, quantity):
            yield _warning(spec.child("overhead").key(name), quantity)


def _is_fractional(name: str, quantity: Quantity) -> bool:
    return name in _BYTES and quantity.milli_value() % 1000 != 0


def _warning(field: Field, quantity: Quantity) -> APIWarning:
    message = f'fractional byte value "{quantity}" is invalid, must be an integer'
    return APIWarning(f"{field.text}: {message}", field.path)
