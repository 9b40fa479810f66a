"""What was measured of a pod or a container."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from qoslint.finding import Place
from qoslint.kernel.quantity import Format, new_quantity

POD = "Pod"
"""The kind of what is measured under the name of a pod, whatever made that pod."""

SANDBOX = "POD"
"""How cAdvisor names what holds a pod's namespaces open; no container can have this name."""

MOST = 2**63 - 1
"""The kubelet counts in an int64."""


class Resource(StrEnum):
    """What is measured. Amounts are bytes, thousandths of a core, inodes or processes."""

    MEMORY = "memory"
    CPU = "cpu"
    EPHEMERAL_STORAGE = "ephemeral-storage"
    INODES = "inodes"
    PROCESSES = "processes"

    @property
    def unit_nanos(self) -> int:
        """One of what amounts count, in billionths of the unit of quantities."""
        return 10**6 if self is Resource.CPU else 10**9

    def shown(self, amount: int) -> str:
        """The amount as a quantity: `512Mi`, `250m`, or a bare number."""
        if self is Resource.CPU:
            return f"{amount}m"
        if self in (Resource.INODES, Resource.PROCESSES):
            return str(amount)
        return new_quantity(amount, Format.BINARY_SI).canonical()


class MeasuredUsage(NamedTuple):
    """The least and the most of a resource that was measured, both included."""

    namespace: str | None
    """None if the measurement does not tell it."""
    kind: str
    """`Pod` for the name of a pod, else the kind of the workload whose pods were measured."""
    name: str
    container: str | None
    """None for the pod as a whole."""
    resource: Resource
    lo: int
    """0 if nothing is known of the least."""
    hi: int | None
    """None if nothing is known of the most."""
    place: Place

    @property
    def label(self) -> str:
        """Whose usage it is, for messages: `Deployment shop/api`."""
        name = self.name if self.namespace is None else f"{self.namespace}/{self.name}"
        return f"{self.kind[:100]} {name[:300]}"


class Unused(NamedTuple):
    """A measurement that is not used: a sentence that says why, and its place."""

    message: str
    place: Place
