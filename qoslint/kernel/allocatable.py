"""Node allocatable: what is withheld from a node's capacity, and what pods may request of the rest.

Mirrors `pkg/kubelet/cm/node_container_manager_linux.go`, `pkg/kubelet/cm/helpers.go`
hardEvictionReservation, `pkg/kubelet/nodestatus/setters.go` MachineInfo and
`cmd/kubelet/app/server.go` parseResourceList (unchanged in v1.31 to v1.36).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from qoslint.kernel.cgroup import cpu_shares_to_weight, hugepage_limits, milli_cpu_to_shares
from qoslint.kernel.pod import (
    CPU,
    EPHEMERAL_STORAGE,
    MEMORY,
    NO_RESOURCES,
    ResourceList,
    is_hugepage,
)
from qoslint.kernel.quantity import ZERO, Format, Quantity, QuantityError, new_quantity, parse
from qoslint.kernel.quoted import quoted
from qoslint.kernel.signals import Signal
from qoslint.kernel.thresholds import KubeletStartError, Threshold

PID = "pid"
PODS = "pods"
_RESERVABLE = frozenset({CPU, MEMORY, EPHEMERAL_STORAGE, PID})
_RESERVED_FOR_EVICTION = {Signal.MEMORY: MEMORY, Signal.NODEFS: EPHEMERAL_STORAGE}


@dataclass(frozen=True, slots=True)
class Kubepods:
    """The cgroup of all pods: bytes and processes, None where the capacity is not known.

    `hugetlb_max` pairs page sizes and limits, both in bytes.
    """

    cpu_shares: int | None
    cpu_weight: int | None
    memory_max: int | None
    pids_max: int | None
    hugetlb_max: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Allocatable:
    """What pods may request of a node, and each amount that is withheld.

    For every resource: allocatable = capacity - kubeReserved - systemReserved - eviction reserve,
    at least 0. Of memory the preallocated hugepages are withheld, too.
    """

    capacity: ResourceList
    """As in the node's status, and `pid`, which the kubelet keeps to itself."""
    kube_reserved: ResourceList
    system_reserved: ResourceList
    eviction_reserve: ResourceList
    """What hard thresholds keep free: of memory and of ephemeral-storage only."""
    hugepages: Quantity
    """Memory that is preallocated as hugepages of all sizes."""
    reservation: ResourceList
    """The sum of the three; without hugepages."""
    allocatable: ResourceList
    """As in the node's status, with `pods`."""
    enforceable: ResourceList
    """Capacity less kubeReserved and systemReserved: what the pods' cgroup is limited to.

    Evictions start between allocatable and this.
    """

    @property
    def over_reserved(self) -> tuple[str, ...]:
        """The resources of which more is reserved than there is."""
        return tuple(
            name
            for name, quantity in self.reservation.items()
            if (self.capacity[name] - quantity).sign < 0
        )


def parse_resource_list(statements: Mapping[str, str]) -> ResourceList:
    """The amounts in kubeReserved or systemReserved; KubeletStartError if one is refused."""
    amounts, messages = {}, []
    for name, text in statements.items():
        try:
            amounts[name] = _reserved(name, text)
        except ValueError as error:
            messages.append(str(error))
    if messages:
        raise KubeletStartError(messages)
    return ResourceList(amounts)


def _reserved(name: str, text: str) -> Quantity:
    if name not in _RESERVABLE:
        raise ValueError(f"cannot reserve {quoted(name)} resource")
    try:
        amount = parse(text)
    except QuantityError as error:
        raise ValueError(
            f"failed to parse quantity {quoted(text)} for {quoted(name)} resource: {error}"
        ) from None
    if amount.sign < 0:
        raise ValueError(f"resource quantity for {quoted(name)} cannot be negative: {text}")
    return amount


def reserve_system_cpus(
    kube_reserved: Mapping[str, str], system_reserved: Mapping[str, str], cpus: int
) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """kubeReserved and systemReserved once reservedSystemCPUs names so many CPUs.

    The CPUs take the place of what either reserves of them (`server.go run`).
    """
    if cpus == 0:
        return kube_reserved, system_reserved
    kube = {name: text for name, text in kube_reserved.items() if name != CPU}
    return kube, {**system_reserved, CPU: str(cpus)}


def hard_eviction_reservation(
    thresholds: Iterable[Threshold], capacity: ResourceList
) -> ResourceList:
    """What hard thresholds of memory and nodefs withhold; all others withhold nothing."""
    return ResourceList(
        (name, each.resolved(capacity.get(name, ZERO).value()))
        for each in thresholds
        if each.hard and (name := _RESERVED_FOR_EVICTION.get(each.signal))
    )


def pods_capacity(cores: int, max_pods: int, pods_per_core: int) -> int:
    """How many pods the kubelet takes (`setters.go MachineInfo`)."""
    return min(cores * pods_per_core, max_pods) if pods_per_core > 0 else max_pods


def node_allocatable(
    capacity: ResourceList,
    kube_reserved: ResourceList = NO_RESOURCES,
    system_reserved: ResourceList = NO_RESOURCES,
    eviction_reserve: ResourceList = NO_RESOURCES,
) -> Allocatable:
    """What is left of a capacity, which includes `pods` and may include `pid`.

    `GetNodeAllocatableReservation`, `MachineInfo` and `getNodeAllocatableInternalAbsolute`.
    """
    withheld = (system_reserved, kube_reserved, eviction_reserve)
    status = ResourceList((name, amount) for name, amount in capacity.items() if name != PID)
    reservation = ResourceList(
        (name, total) for name in status if (total := _total(name, withheld)).nanos
    )
    left = {
        name: _not_negative(amount - reservation.get(name, ZERO)) for name, amount in status.items()
    }
    hugepages = ZERO
    for name, amount in status.items():
        if is_hugepage(name):
            hugepages += amount
            left[MEMORY] = _not_negative(left.get(MEMORY, ZERO) - amount)
    return Allocatable(
        capacity=capacity,
        kube_reserved=kube_reserved,
        system_reserved=system_reserved,
        eviction_reserve=eviction_reserve,
        hugepages=hugepages,
        reservation=reservation,
        allocatable=ResourceList(left),
        enforceable=ResourceList(_enforceable(capacity, withheld[:2])),
    )


def _enforceable(
    capacity: ResourceList, reserved: Iterable[ResourceList]
) -> Iterator[tuple[str, Quantity]]:
    for name, amount in capacity.items():
        for each in reserved:
            amount -= each.get(name, ZERO)
        yield name, _not_negative(amount)


def _total(name: str, lists: Iterable[ResourceList]) -> Quantity:
    return sum((each.get(name, ZERO) for each in lists), new_quantity(0, Format.DECIMAL_SI))


def _not_negative(amount: Quantity) -> Quantity:
    return amount if amount.sign >= 0 else new_quantity(0, amount.format)


def kubepods_cgroup(limits: ResourceList) -> Kubepods:
    """The cgroup that is given these limits (`getCgroupConfig`)."""
    cpu, memory, pids = limits.get(CPU), limits.get(MEMORY), limits.get(PID)
    shares = None if cpu is None else milli_cpu_to_shares(cpu.milli_value())
    return Kubepods(
        cpu_shares=shares,
        cpu_weight=None if shares is None else cpu_shares_to_weight(shares),
        memory_max=None if memory is None else memory.value(),
        pids_max=None if pids is None else pids.value(),
        hugetlb_max=tuple(hugepage_limits(limits)),
    )
