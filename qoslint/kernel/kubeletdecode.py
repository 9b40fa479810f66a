"""A KubeletConfiguration's JSON as the kubelet reads it, refused in its own words.

Mirrors `pkg/kubelet/kubeletconfig/util/codec/codec.go DecodeKubeletConfiguration` and the types of
`staging/src/k8s.io/kubelet/config/v1beta1/types.go`. Unknown fields are ignored, as the kubelet
ignores them after a warning. The blocks `authentication`, `authorization`, `logging`, `tracing` and
`registerWithTaints` are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from qoslint.kernel.features import Features, feature_errors
from qoslint.kernel.gojson import (
    BOOLEAN,
    BOOLEAN_MAP,
    DURATION,
    FLOAT64,
    INT32,
    INT64,
    OPTIONAL_DURATION,
    STRING,
    STRING_MAP,
    STRINGS,
    GoJSONError,
    Place,
    Read,
    list_of,
    read_object,
    resource_list,
)
from qoslint.kernel.kubeletconfig import (
    KubeletConfiguration,
    MemoryReservation,
    ShutdownGracePeriodByPodPriority,
    set_defaults,
)
from qoslint.kernel.pod import NO_RESOURCES

API_VERSION = "kubelet.config.k8s.io/v1beta1"
KIND = "KubeletConfiguration"
_SCHEME = "k8s.io/kubernetes/pkg/kubelet/apis/config/scheme/scheme.go:33"
_GATES_REFUSED = (
    "failed to merge global and in-flight KubeletConfiguration while setting defaults, error: "
)
GATES_REFUSED_SINCE = 32
"""The first minor version whose kubelet stops at a refused gate while defaulting.

Before, the gates are validated with everything else.
"""


class KubeletConfigurationError(ValueError):
    """A configuration that a kubelet does not get as far as validating.

    `stage` is `decode`, or `decode-panic` where the kubelet crashes; one message per problem.
    """

    def __init__(self, stage: str, messages: Iterable[str]) -> None:
        """Stop at a stage."""
        self.stage = stage
        self.messages = tuple(messages)
        super().__init__("; ".join(self.messages))


def decode_kubelet_configuration(value: object, features: Features) -> KubeletConfiguration:
    """The configuration with its defaults; KubeletConfigurationError.

    Of several values of a wrong type the first in the mapping's order is reported: the kubelet
    reads JSON in the order of its text, and YAML in the order of the alphabet.
    """
    try:
        data = _typed(value)
        decoded = _configuration(data, features)
    except GoJSONError as error:
        raise KubeletConfigurationError("decode", [f"failed to decode: {error}"]) from None
    if features.since(GATES_REFUSED_SINCE):
        refused = [
            f"{_GATES_REFUSED}{error}" for error in feature_errors(features, decoded.feature_gates)
        ]
        if refused:
            raise KubeletConfigurationError("decode-panic", refused)
    return set_defaults(decoded, features)


def _typed(value: object) -> Mapping[str, object]:
    """The object, which says that it is a KubeletConfiguration."""
    place = Place("", "", [])
    head = read_object(value, place, "", {"apiVersion": STRING, "kind": STRING})
    if place.errors:
        raise GoJSONError(f"couldn't get version/kind; json parse error: {place.errors[0]}")
    kind, version = head.get("kind"), head.get("apiVersion")
    if isinstance(version, str) and version.count("/") > 1:
        raise GoJSONError(f"unexpected GroupVersion string: {version}")
    if not kind:
        raise GoJSONError("Object 'Kind' is missing")
    if not version:
        raise GoJSONError("Object 'apiVersion' is missing")
    if (version, kind) != (API_VERSION, KIND):
        raise GoJSONError(
            f'no kind "{kind}" is registered for version "{version}" in scheme "{_SCHEME}"'
        )
    assert isinstance(value, dict)
    return value


def _configuration(data: Mapping[str, object], features: Features) -> KubeletConfiguration:
    known = {
        name: item
        for name, item in data.items()
        if name in _READERS and features.since(_SINCE.get(name, 0))
    }
    place = Place("", "", [])
    given = read_object(known, place, KIND, _READERS)
    if place.errors:
        raise GoJSONError(place.errors[0])
    attributes: dict[str, Any] = {}
    for name, item in given.items():
        target = _FIELDS.get(name)
        # Where the field is no pointer in Go, its zero value means that it is not set.
        if target and item is not None and (item or target.optional):
            attributes[target.attribute] = item
    attributes |= _nested(given)
    return KubeletConfiguration(**attributes)


def _nested(given: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes that are fields of an object inside the configuration."""
    found = {}
    for name, inner, attribute in _INNER:
        item = (given.get(name) or {}).get(inner)
        if item is not None:
            found[attribute] = item
    return found


def _memory_reservation(value: object, place: Place) -> MemoryReservation:
    readers: dict[str, Read] = {"numaNode": INT32, "limits": resource_list}
    given: Mapping[str, Any] = read_object(value, place, "MemoryReservation", readers)
    return MemoryReservation(given.get("numaNode") or 0, given.get("limits") or NO_RESOURCES)


def _shutdown_grace_period(value: object, place: Place) -> ShutdownGracePeriodByPodPriority:
    readers: dict[str, Read] = {"priority": INT32, "shutdownGracePeriodSeconds": INT64}
    name = "ShutdownGracePeriodByPodPriority"
    given: Mapping[str, Any] = read_object(value, place, name, readers)
    return ShutdownGracePeriodByPodPriority(
        given.get("priority") or 0, given.get("shutdownGracePeriodSeconds") or 0
    )


def _object_of(name: str, readers: Mapping[str, Read]) -> Read:
    return lambda value, place: read_object(value, place, name, readers)


class _Field(NamedTuple):
    attribute: str
    read: Read
    optional: bool = False
    """Whether the zero value differs from an absent one."""


_FIELDS: dict[str, _Field] = {
    "cgroupRoot": _Field("cgroup_root", STRING),
    "cgroupsPerQOS": _Field("cgroups_per_qos", BOOLEAN, optional=True),
    "containerLogMaxFiles": _Field("container_log_max_files", INT32, optional=True),
    "containerLogMaxWorkers": _Field("container_log_max_workers", INT32, optional=True),
    "containerLogMonitorInterval": _Field(
        "container_log_monitor_interval", OPTIONAL_DURATION, optional=True
    ),
    "cpuCFSQuota": _Field("cpu_cfs_quota", BOOLEAN, optional=True),
    "cpuCFSQuotaPeriod": _Field("cpu_cfs_quota_period", OPTIONAL_DURATION, optional=True),
    "cpuManagerPolicy": _Field("cpu_manager_policy", STRING),
    "enforceNodeAllocatable": _Field("enforce_node_allocatable", STRINGS, optional=True),
    "eventBurst": _Field("event_burst", INT32),
    "eventRecordQPS": _Field("event_record_qps", INT32, optional=True),
    "evictionHard": _Field("eviction_hard", STRING_MAP, optional=True),
    "evictionMaxPodGracePeriod": _Field("eviction_max_pod_grace_period", INT32),
    "evictionMinimumReclaim": _Field("eviction_minimum_reclaim", STRING_MAP),
    "evictionPressureTransitionPeriod": _Field("eviction_pressure_transition_period", DURATION),
    "evictionSoft": _Field("eviction_soft", STRING_MAP),
    "evictionSoftGracePeriod": _Field("eviction_soft_grace_period", STRING_MAP),
    "failCgroupV1": _Field("fail_cgroup_v1", BOOLEAN, optional=True),
    "failSwapOn": _Field("fail_swap_on", BOOLEAN, optional=True),
    "featureGates": _Field("feature_gates", BOOLEAN_MAP),
    "hairpinMode": _Field("hairpin_mode", STRING),
    "healthzPort": _Field("healthz_port", INT32, optional=True),
    "imageGCHighThresholdPercent": _Field("image_gc_high_threshold_percent", INT32, optional=True),
    "imageGCLowThresholdPercent": _Field("image_gc_low_threshold_percent", INT32, optional=True),
    "imageMaximumGCAge": _Field("image_maximum_gc_age", DURATION),
    "imageMinimumGCAge": _Field("image_minimum_gc_age", DURATION),
    "iptablesDropBit": _Field("iptables_drop_bit", INT32, optional=True),
    "iptablesMasqueradeBit": _Field("iptables_masquerade_bit", INT32, optional=True),
    "kernelMemcgNotification": _Field("kernel_memcg_notification", BOOLEAN),
    "kubeAPIBurst": _Field("kube_api_burst", INT32),
    "kubeAPIQPS": _Field("kube_api_qps", INT32, optional=True),
    "kubeReserved": _Field("kube_reserved", STRING_MAP),
    "kubeReservedCgroup": _Field("kube_reserved_cgroup", STRING),
    "localStorageCapacityIsolation": _Field(
        "local_storage_capacity_isolation", BOOLEAN, optional=True
    ),
    "maxOpenFiles": _Field("max_open_files", INT64),
    "maxParallelImagePulls": _Field("max_parallel_image_pulls", INT32, optional=True),
    "maxPods": _Field("max_pods", INT32),
    "memoryManagerPolicy": _Field("memory_manager_policy", STRING),
    "memoryReservationPolicy": _Field("memory_reservation_policy", STRING),
    "memoryThrottlingFactor": _Field("memory_throttling_factor", FLOAT64, optional=True),
    "mergeDefaultEvictionSettings": _Field(
        "merge_default_eviction_settings", BOOLEAN, optional=True
    ),
    "nodeLeaseDurationSeconds": _Field("node_lease_duration_seconds", INT32),
    "nodeStatusMaxImages": _Field("node_status_max_images", INT32, optional=True),
    "oomScoreAdj": _Field("oom_score_adj", INT32, optional=True),
    "podPidsLimit": _Field("pod_pids_limit", INT64, optional=True),
    "podsPerCore": _Field("pods_per_core", INT32),
    "port": _Field("port", INT32),
    "qosReserved": _Field("qos_reserved", STRING_MAP),
    "readOnlyPort": _Field("read_only_port", INT32),
    "registryBurst": _Field("registry_burst", INT32),
    "registryPullQPS": _Field("registry_pull_qps", INT32, optional=True),
    "reservedMemory": _Field(
        "reserved_memory", list_of(_memory_reservation, "[]v1beta1.MemoryReservation")
    ),
    "reservedSystemCPUs": _Field("reserved_system_cpus", STRING),
    "runOnce": _Field("run_once", BOOLEAN),
    "serializeImagePulls": _Field("serialize_image_pulls", BOOLEAN, optional=True),
    "shutdownGracePeriod": _Field("shutdown_grace_period", DURATION),
    "shutdownGracePeriodByPodPriority": _Field(
        "shutdown_grace_period_by_pod_priority",
        list_of(_shutdown_grace_period, "[]v1beta1.ShutdownGracePeriodByPodPriority"),
    ),
    "shutdownGracePeriodCriticalPods": _Field("shutdown_grace_period_critical_pods", DURATION),
    "singleProcessOOMKill": _Field("single_process_oom_kill", BOOLEAN, optional=True),
    "systemCgroups": _Field("system_cgroups", STRING),
    "systemReserved": _Field("system_reserved", STRING_MAP),
    "systemReservedCgroup": _Field("system_reserved_cgroup", STRING),
    "topologyManagerPolicy": _Field("topology_manager_policy", STRING),
    "topologyManagerScope": _Field("topology_manager_scope", STRING),
}

_INNER = (
    ("crashLoopBackOff", "maxContainerRestartPeriod", "max_container_restart_period"),
    ("memorySwap", "swapBehavior", "swap_behavior"),
    ("userNamespaces", "idsPerPod", "ids_per_pod"),
)

# Fields that only a value of the wrong type gives a meaning here: it stops the kubelet.
_TYPED: dict[Read, str] = {
    BOOLEAN: (
        "enableContentionProfiling enableControllerAttachDetach enableDebugFlagsHandler "
        "enableDebuggingHandlers enableProfilingHandler enableServer enableSystemLogHandler "
        "enableSystemLogQuery makeIPTablesUtilChains protectKernelDefaults registerNode "
        "rotateCertificates seccompDefault serverTLSBootstrap"
    ),
    DURATION: (
        "cpuManagerReconcilePeriod fileCheckFrequency httpCheckFrequency nodeStatusReportFrequency "
        "nodeStatusUpdateFrequency runtimeRequestTimeout streamingConnectionIdleTimeout "
        "syncFrequency volumeStatsAggPeriod"
    ),
    STRING: (
        "address cgroupDriver clusterDomain configMapAndSecretChangeDetectionStrategy "
        "containerLogMaxSize containerRuntimeEndpoint contentType healthzBindAddress "
        "imageServiceEndpoint kubeletCgroups podCIDR podLogsDir providerID resolvConf "
        "showHiddenMetricsForVersion staticPodPath staticPodURL tlsCertFile tlsMinVersion "
        "tlsPrivateKeyFile volumePluginDir"
    ),
    STRINGS: "allowedUnsafeSysctls clusterDNS tlsCipherSuites",
    STRING_MAP: "cpuManagerPolicyOptions topologyManagerPolicyOptions",
}

_READERS: dict[str, Read] = {
    **{name: item.read for name, item in _FIELDS.items()},
    **{name: read for read, names in _TYPED.items() for name in names.split()},
    "crashLoopBackOff": _object_of(
        "CrashLoopBackOffConfig", {"maxContainerRestartPeriod": OPTIONAL_DURATION}
    ),
    "memorySwap": _object_of("MemorySwapConfiguration", {"swapBehavior": STRING}),
    "userNamespaces": _object_of("UserNamespaces", {"idsPerPod": INT64}),
}

_SINCE = {
    "crashLoopBackOff": 32,
    "memoryReservationPolicy": 36,
    "mergeDefaultEvictionSettings": 33,
    "singleProcessOOMKill": 32,
    "userNamespaces": 33,
}
"""The minor versions that fields came with; before, a kubelet does not look at them."""

KUBELET_FIELDS = frozenset(_READERS) | {
    "authentication",
    "authorization",
    "defaultPodSysctls",
    "imagePullCredentialsVerificationPolicy",
    "logging",
    "preloadedImagesVerificationAllowlist",
    "registerWithTaints",
    "staticPodURLHeader",
    "tlsCurvePreferences",
    "tracing",
}
"""All fields of the KubeletConfiguration up to v1.37, those that are not looked at included."""
