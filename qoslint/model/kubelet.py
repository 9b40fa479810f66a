"""The kubelet of a node profile: its gates, its configuration, and what it makes of the machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from qoslint.kernel.duration import MILLISECOND
from qoslint.kernel.features import Features
from qoslint.kernel.pod import (
    CPU,
    EPHEMERAL_STORAGE,
    MEMORY,
    NO_RESOURCES,
    Pod,
    ResourceList,
)
from qoslint.kernel.quantity import ZERO, Format, new_quantity
from qoslint.kernel.signals import Signal
from qoslint.model.disks import INODES, size_name
from qoslint.model.node import NodeProfile, ProfileError
from qoslint.schema import Json

if TYPE_CHECKING:  # a run without nodes need not import what starts kubelets
    from qoslint.kernel.kubeletconfig import KubeletConfiguration
    from qoslint.kernel.noderesources import NodeCapacity, NodeResources

_HEAD = {"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration"}
_PODS = "pods"
_MAX_PODS = "maxPods"
_OF_THE_MACHINE = (CPU, MEMORY, EPHEMERAL_STORAGE, "pid")
_FIELDS: Mapping[str, tuple[str, ...]] = {
    "kubeReserved": ("kubeReserved",),
    "systemReserved": ("systemReserved",),
    "evictionHard": ("evictionHard",),
    "evictionThresholds": ("evictionSoft", "evictionMinimumReclaim", "evictionHard"),
    "nodeAllocatable": ("kubeReserved", "systemReserved", "evictionHard"),
}
"""The fields that a step of the kubelet's start reads, the likeliest to be wrong first."""


@dataclass(frozen=True, slots=True)
class Kubelet:
    """A node profile with what its kubelet runs with."""

    node: NodeProfile
    features: Features
    configuration: KubeletConfiguration
    resources: NodeResources

    def has_cgroups(self, pod: Pod) -> bool:
        """Whether the pod has cgroups and oom_score_adj on the node; Windows has neither."""
        return self.node.os == "linux" and pod.os != "windows"

    def has_pod_cgroups(self, pod: Pod) -> bool:
        """Whether the pod as a whole has a cgroup; without cgroupsPerQOS only containers do."""
        return self.configuration.cgroups_per_qos and self.has_cgroups(pod)

    @property
    def most_allocatable(self) -> ResourceList:
        """What pods may request of the largest such node; no such node has more.

        Nodes of an approximate profile differ in their memory. What is withheld of it does not
        shrink where there is more: thresholds are amounts or percentages.
        """
        allocatable = self.resources.allocatable
        if allocatable is None:
            return NO_RESOURCES
        more = self.node.most_memory_bytes - self.node.memory_bytes
        if not more:
            return allocatable.allocatable
        memory = allocatable.allocatable[MEMORY] + new_quantity(more, Format.BINARY_SI)
        return allocatable.allocatable.with_items({MEMORY: memory})

    @property
    def most_memory_before_pressure(self) -> int | None:
        """Bytes that all pods together can use at most before the node is short of memory.

        Then less than a hard threshold is available, of the machine or of what the cgroup of all
        pods may hold; without a threshold the cgroup or the machine is full. Processes outside of
        pods may need a part of it. None where there are no cgroups, as on Windows.
        """
        allocatable, kubepods = self.resources.allocatable, self.resources.kubepods
        if allocatable is None or kubepods is None or kubepods.memory_max is None:
            return None
        more = self.node.most_memory_bytes - self.node.memory_bytes
        reserve = allocatable.eviction_reserve.get(MEMORY, ZERO).value()
        return max(0, kubepods.memory_max + more - reserve)

    @property
    def cfs_period(self) -> int | None:
        """Microseconds in which a CPU limit is enforced; None if `cpuCFSQuota` is off.

        `pkg/kubelet/cm/container_manager_linux.go` and `pkg/kubelet/kubelet.go` cut the duration to
        whole microseconds.
        """
        configuration = self.configuration
        period = configuration.cpu_cfs_quota_period * 1000 // MILLISECOND
        return period if configuration.cpu_cfs_quota else None


def kubelet(node: NodeProfile, features: Features) -> Kubelet:
    """The kubelet that the profile describes; `features` are those of its version.

    What the profile does not name of the machine is unknown: what is reserved of it reserves
    nothing here, and thresholds that are percentages of it have no value. Raises ProfileError for
    settings with which the kubelet does not start.
    """
    from qoslint.kernel.kubeletconfig import kubelet_features
    from qoslint.kernel.kubeletdecode import (
        KubeletConfigurationError,
        decode_kubelet_configuration,
    )
    from qoslint.kernel.noderesources import node_resources

    given = {name: thawed(setting.value) for name, setting in node.kubelet.items()}
    if _PODS in node.capacity:
        given.setdefault(_MAX_PODS, node.capacity[_PODS].value())
    try:
        configuration = decode_kubelet_configuration({**_HEAD, **given}, features)
    except KubeletConfigurationError as error:
        raise _refused(node, (), error.messages) from error
    known = replace(
        configuration,
        kube_reserved=dict(_of_what_is_known(configuration.kube_reserved, node)),
        system_reserved=dict(_of_what_is_known(configuration.system_reserved, node)),
    )
    own = kubelet_features(known, features)
    resources = node_resources(known, _machine(node), features, node.os, node.filesystems)
    # A machine too small for the defaults is no mistake in the settings: its scores are known.
    for failure in resources.failures if node.kubelet else ():
        raise _refused(node, _FIELDS.get(failure.step, ()), failure.messages)
    return Kubelet(node, own, known, resources)


def _machine(node: NodeProfile) -> NodeCapacity:
    from qoslint.kernel.noderesources import NodeCapacity

    sizes = {
        name: quantity.value()
        for name, quantity in chain(node.capacity.items(), node.disks.items())
    }
    imagefs, imagefs_inodes = (
        sizes.get(size_name(signal, node.filesystems))
        for signal in (Signal.IMAGEFS, Signal.IMAGEFS_INODES)
    )
    return NodeCapacity(node.capacity, sizes.get(INODES), imagefs, imagefs_inodes)


def thawed(value: object) -> Json:
    """JSON whose lists are tuples and whose mappings are read-only, as lists and dicts again."""
    if isinstance(value, Mapping):
        return {key: thawed(item) for key, item in value.items()}
    return [thawed(item) for item in value] if isinstance(value, tuple) else value


def _of_what_is_known(reserved: Mapping[str, str], node: NodeProfile) -> Iterator[tuple[str, str]]:
    for name, text in reserved.items():
        if name in node.capacity or name not in _OF_THE_MACHINE:
            yield name, text


def _refused(node: NodeProfile, fields: tuple[str, ...], messages: tuple[str, ...]) -> ProfileError:
    stated = next(((name,) for name in fields if name in node.kubelet), ())
    several = f" (and {len(messages) - 1} more)" if len(messages) > 1 else ""
    return ProfileError(
        ("kubelet", *stated),
        f"lets no kubelet of Kubernetes {node.version} start: {messages[0]}{several}",
    )
