"""What a kubelet makes of its configuration and its machine: allocatable, thresholds, cgroup.

Mirrors the order of steps in `cmd/kubelet/app/server.go` run. Whatever would keep the kubelet from
starting is told, with all that is known nevertheless.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from qoslint.kernel.allocatable import (
    PID,
    PODS,
    Allocatable,
    Kubepods,
    hard_eviction_reservation,
    kubepods_cgroup,
    node_allocatable,
    parse_resource_list,
    pods_capacity,
    reserve_system_cpus,
)
from qoslint.kernel.cpuset import CPUSetError, parse_cpu_set
from qoslint.kernel.features import Features
from qoslint.kernel.kubeletconfig import KubeletConfiguration
from qoslint.kernel.kubeletvalidation import validate_kubelet_configuration
from qoslint.kernel.pod import CPU, EPHEMERAL_STORAGE, MEMORY, ResourceList
from qoslint.kernel.quantity import ZERO, Format, new_quantity
from qoslint.kernel.signals import Filesystems, Signal
from qoslint.kernel.thresholds import (
    PODS_ENFORCEMENT,
    KubeletStartError,
    Threshold,
    effective_eviction_hard,
    parse_threshold_config,
    update_container_fs_thresholds,
)

LINUX = "linux"
_T = TypeVar("_T")


class Step(StrEnum):
    """A step of the kubelet's start that can fail, in their order."""

    VALIDATION = "validation"
    KUBE_RESERVED = "kubeReserved"
    SYSTEM_RESERVED = "systemReserved"
    EVICTION_HARD = "evictionHard"
    EVICTION_THRESHOLDS = "evictionThresholds"
    NODE_ALLOCATABLE = "nodeAllocatable"


class StartFailure(NamedTuple):
    """Why a kubelet does not start.

    Several messages of the validation are given together; of another step, each can be the one
    that is given.
    """

    step: Step
    messages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NodeCapacity:
    """A machine's resources, `pid` among them, and its filesystems in bytes and inodes.

    A node without a separate filesystem for images has its nodefs as imagefs, with equal numbers.
    """

    resources: ResourceList
    nodefs_inodes: int | None = None
    imagefs: int | None = None
    imagefs_inodes: int | None = None


@dataclass(frozen=True, slots=True)
class NodeResources:
    """What a kubelet makes of its configuration.

    The kubelet starts if `failures` is empty; the first of them is the one that it gives.
    """

    eviction_hard: Mapping[str, str]
    """The hard thresholds in force, as texts."""
    configured_thresholds: tuple[Threshold, ...] | None
    """None if they are refused."""
    thresholds: tuple[Threshold, ...] | None
    """The same with those for containerfs, as the eviction loop compares them."""
    allocatable: Allocatable | None
    """None if a reservation or a hard threshold is refused."""
    kubepods: Kubepods | None
    """None also on Windows, which has no cgroups.

    Its limits are the capacity where enforceNodeAllocatable does not name `pods`.
    """
    capacities: Mapping[Signal, int]
    """What a percentage is of, for each signal, as far as it is known."""
    failures: tuple[StartFailure, ...]


def node_resources(
    configuration: KubeletConfiguration,
    capacity: NodeCapacity,
    features: Features,
    os: str = LINUX,
    filesystems: Filesystems = Filesystems.NODEFS,
    ignore_eviction_threshold: bool = False,
) -> NodeResources:
    """Everything that follows from a configuration and a capacity.

    `ignore_eviction_threshold` is the kubelet's flag
    `--experimental-allocatable-ignore-eviction`: hard thresholds then withhold nothing, and the
    pods' cgroup has none of its own (`pkg/kubelet/kubelet.go NewMainKubelet`).
    """
    failures = list(_validation_failures(configuration, features))

    def attempt(step: Step, read: Callable[[], _T]) -> _T | None:
        try:
            return read()
        except KubeletStartError as error:
            failures.append(StartFailure(step, error.messages))
            return None

    texts = reserve_system_cpus(
        configuration.kube_reserved,
        configuration.system_reserved,
        _reserved_cpus(configuration.reserved_system_cpus),
    )
    kube_reserved = attempt(Step.KUBE_RESERVED, lambda: parse_resource_list(texts[0]))
    system_reserved = attempt(Step.SYSTEM_RESERVED, lambda: parse_resource_list(texts[1]))
    eviction_hard = effective_eviction_hard(
        configuration.eviction_hard, configuration.merge_default_eviction_settings, os, features
    )
    withholding = {} if ignore_eviction_threshold else eviction_hard
    hard = attempt(Step.EVICTION_HARD, lambda: parse_threshold_config(withholding))
    configured = attempt(
        Step.EVICTION_THRESHOLDS,
        lambda: parse_threshold_config(
            eviction_hard,
            configuration.eviction_soft,
            configuration.eviction_soft_grace_period,
            configuration.eviction_minimum_reclaim,
            () if ignore_eviction_threshold else configuration.enforce_node_allocatable,
        ),
    )
    allocatable = None
    if kube_reserved is not None and system_reserved is not None and hard is not None:
        resources = _status_capacity(capacity.resources, configuration)
        allocatable = node_allocatable(
            resources, kube_reserved, system_reserved, hard_eviction_reservation(hard, resources)
        )
        if os == LINUX:  # the kubelet on Windows does not look
            attempt(Step.NODE_ALLOCATABLE, lambda: _validate_node_allocatable(allocatable))
    kubepods = _kubepods(configuration, allocatable) if os == LINUX and allocatable else None
    return NodeResources(
        eviction_hard=eviction_hard,
        configured_thresholds=configured,
        thresholds=configured and update_container_fs_thresholds(configured, filesystems),
        allocatable=allocatable,
        kubepods=kubepods,
        capacities=MappingProxyType(dict(_capacities(capacity, filesystems, kubepods))),
        failures=tuple(failures),
    )


def _validation_failures(
    configuration: KubeletConfiguration, features: Features
) -> Iterator[StartFailure]:
    messages = validate_kubelet_configuration(configuration, features)
    if messages:
        yield StartFailure(Step.VALIDATION, tuple(sorted(messages)))


def _reserved_cpus(text: str) -> int:
    try:
        return parse_cpu_set(text).size
    except CPUSetError:  # the validation of the configuration refuses it
        return 0


def _status_capacity(resources: ResourceList, configuration: KubeletConfiguration) -> ResourceList:
    """The capacity as the kubelet reports it: memory in binary units, and the number of pods.

    `pkg/kubelet/cadvisor/util.go CapacityFromMachineInfo`, `setters.go MachineInfo`.
    """
    cores = resources.get(CPU, ZERO).value()
    pods = pods_capacity(cores, configuration.max_pods, configuration.pods_per_core)
    reported = {**resources, PODS: new_quantity(pods, Format.DECIMAL_SI)}
    if MEMORY in resources:
        reported[MEMORY] = new_quantity(resources[MEMORY].value(), Format.BINARY_SI)
    return ResourceList(reported)


def _validate_node_allocatable(allocatable: Allocatable) -> None:
    """`node_container_manager_linux.go validateNodeAllocatable`, with quantities as they print."""
    parts = [
        f'Resource "{name}" has a reservation of {allocatable.reservation[name]} but capacity of '
        f"{allocatable.capacity[name]}. Expected capacity >= reservation."
        for name in allocatable.over_reserved
    ]
    if parts:
        raise KubeletStartError([f"invalid Node Allocatable configuration. {' '.join(parts)}"])


def _kubepods(configuration: KubeletConfiguration, allocatable: Allocatable) -> Kubepods:
    enforced = (
        configuration.cgroups_per_qos and PODS_ENFORCEMENT in configuration.enforce_node_allocatable
    )
    return kubepods_cgroup(allocatable.enforceable if enforced else allocatable.capacity)


def _capacities(
    capacity: NodeCapacity, filesystems: Filesystems, kubepods: Kubepods | None
) -> Iterator[tuple[Signal, int]]:
    bytes_and_counts = {
        name: capacity.resources[name].value()
        for name in (MEMORY, EPHEMERAL_STORAGE, PID)
        if name in capacity.resources
    }
    nodefs = bytes_and_counts.get(EPHEMERAL_STORAGE), capacity.nodefs_inodes
    imagefs = capacity.imagefs, capacity.imagefs_inodes
    containerfs = imagefs if filesystems is Filesystems.IMAGEFS else nodefs
    known = {
        Signal.MEMORY: bytes_and_counts.get(MEMORY),
        Signal.ALLOCATABLE_MEMORY: kubepods.memory_max if kubepods else None,
        Signal.NODEFS: nodefs[0],
        Signal.NODEFS_INODES: nodefs[1],
        Signal.IMAGEFS: imagefs[0],
        Signal.IMAGEFS_INODES: imagefs[1],
        Signal.CONTAINERFS: containerfs[0],
        Signal.CONTAINERFS_INODES: containerfs[1],
        Signal.PID: bytes_and_counts.get(PID),
    }
    yield from ((signal, size) for signal, size in known.items() if size is not None)
