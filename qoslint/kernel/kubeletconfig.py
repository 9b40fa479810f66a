"""A kubelet's configuration after defaulting, and the feature gates that it results in.

Mirrors `pkg/kubelet/apis/config/types.go` and `pkg/kubelet/apis/config/v1beta1/defaults.go
SetDefaults_KubeletConfiguration`. Fields without effect on a pod's resources, and without a rule
that stops a kubelet, are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from qoslint.kernel.duration import MILLISECOND, MINUTE, SECOND
from qoslint.kernel.features import Features, with_overrides
from qoslint.kernel.pod import ResourceList

MAX_CONTAINER_BACK_OFF = 300 * SECOND
MEMORY_THROTTLING_FACTOR = 0.9
"""What memory.high is computed with if nothing is set, up to v1.36."""


class MemoryReservation(NamedTuple):
    """Memory and huge pages that the memory manager keeps from pods on a NUMA node."""

    numa_node: int
    limits: ResourceList


class ShutdownGracePeriodByPodPriority(NamedTuple):
    """The seconds that pods of a priority get when the node shuts down."""

    priority: int
    shutdown_grace_period_seconds: int


@dataclass(frozen=True, slots=True)
class KubeletConfiguration:
    """What a kubelet runs with. Durations are in nanoseconds; reservations as they were written.

    A field that is None has no default, or one that `set_defaults` chooses by version.
    """

    # Eviction. With no hard thresholds the defaults apply, with an empty map none do.
    eviction_hard: Mapping[str, str] | None = None
    eviction_soft: Mapping[str, str] = field(default_factory=dict)
    eviction_soft_grace_period: Mapping[str, str] = field(default_factory=dict)
    eviction_minimum_reclaim: Mapping[str, str] = field(default_factory=dict)
    eviction_max_pod_grace_period: int = 0
    """Seconds."""
    eviction_pressure_transition_period: int = 5 * MINUTE
    merge_default_eviction_settings: bool = False
    kernel_memcg_notification: bool = False

    # Node allocatable.
    enforce_node_allocatable: tuple[str, ...] = ("pods",)
    kube_reserved: Mapping[str, str] = field(default_factory=dict)
    kube_reserved_cgroup: str = ""
    system_reserved: Mapping[str, str] = field(default_factory=dict)
    system_reserved_cgroup: str = ""
    reserved_system_cpus: str = ""
    reserved_memory: tuple[MemoryReservation, ...] = ()
    qos_reserved: Mapping[str, str] = field(default_factory=dict)
    max_pods: int = 110
    pods_per_core: int = 0
    pod_pids_limit: int = -1

    # Cgroups, memory, cpu and swap.
    cgroups_per_qos: bool = True
    cgroup_root: str = ""
    system_cgroups: str = ""
    fail_cgroup_v1: bool | None = None
    memory_throttling_factor: float | None = None
    memory_reservation_policy: str = "None"
    cpu_cfs_quota: bool = True
    cpu_cfs_quota_period: int = 100 * MILLISECOND
    cpu_manager_policy: str = "none"
    memory_manager_policy: str = "None"
    topology_manager_policy: str = "none"
    topology_manager_scope: str = "container"
    fail_swap_on: bool = True
    swap_behavior: str = ""
    single_process_oom_kill: bool | None = None
    oom_score_adj: int = -999
    local_storage_capacity_isolation: bool = True
    ids_per_pod: int | None = None
    """User ids of a pod in a user namespace."""

    # Images and logs.
    image_gc_high_threshold_percent: int = 85
    image_gc_low_threshold_percent: int = 80
    image_minimum_gc_age: int = 2 * MINUTE
    image_maximum_gc_age: int = 0
    serialize_image_pulls: bool | None = None
    max_parallel_image_pulls: int | None = None
    registry_pull_qps: int = 5
    registry_burst: int = 10
    container_log_max_files: int = 5
    container_log_max_workers: int = 1
    container_log_monitor_interval: int = 10 * SECOND

    # Node shutdown and restarts.
    shutdown_grace_period: int = 0
    shutdown_grace_period_critical_pods: int = 0
    shutdown_grace_period_by_pod_priority: tuple[ShutdownGracePeriodByPodPriority, ...] = ()
    max_container_restart_period: int | None = None

    # What only validation looks at.
    node_lease_duration_seconds: int = 40
    node_status_max_images: int = 50
    max_open_files: int = 1_000_000
    event_record_qps: int = 50
    event_burst: int = 100
    kube_api_qps: int = 50
    kube_api_burst: int = 100
    port: int = 10250
    read_only_port: int = 0
    healthz_port: int = 10248
    iptables_masquerade_bit: int = 14
    iptables_drop_bit: int = 15
    hairpin_mode: str = "promiscuous-bridge"
    run_once: bool = False

    feature_gates: Mapping[str, bool] = field(default_factory=dict)


def kubelet_features(configuration: KubeletConfiguration, features: Features) -> Features:
    """The gates of a kubelet: those of its version, and on top what it is configured with."""
    return with_overrides(features, configuration.feature_gates)


def set_defaults(configuration: KubeletConfiguration, features: Features) -> KubeletConfiguration:
    """The defaults that depend on the version, on gates or on other fields."""
    factor = configuration.memory_throttling_factor
    if factor is None and not features.since(37):
        factor = MEMORY_THROTTLING_FACTOR
    restart_period = configuration.max_container_restart_period
    if restart_period is None:
        gates = kubelet_features(configuration, features)
        on = gates.on("KubeletCrashLoopBackOffMax")
        restart_period = MAX_CONTAINER_BACK_OFF if on else None
    serialize = configuration.serialize_image_pulls
    if serialize is None:
        serialize = (configuration.max_parallel_image_pulls or 0) < 2
    fail_cgroup_v1 = configuration.fail_cgroup_v1
    return replace(
        configuration,
        memory_throttling_factor=factor,
        max_container_restart_period=restart_period,
        serialize_image_pulls=serialize,
        fail_cgroup_v1=features.since(35) if fail_cgroup_v1 is None else fail_cgroup_v1,
        pod_pids_limit=max(configuration.pod_pids_limit, -1),
    )
