"""What stops a kubelet from running with a configuration that it could read.

Mirrors `pkg/kubelet/apis/config/validation/validation.go ValidateKubeletConfiguration` and
`validation_linux.go`, on Linux with cgroup v2. Of the blocks for logging, tracing,
credentials and taints nothing is said.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal
from itertools import islice

from qoslint.kernel.duration import MILLISECOND, SECOND, format_duration
from qoslint.kernel.features import Features, feature_errors
from qoslint.kernel.kubeletconfig import (
    MEMORY_THROTTLING_FACTOR,
    KubeletConfiguration,
    kubelet_features,
)
from qoslint.kernel.kubeletdecode import GATES_REFUSED_SINCE
from qoslint.kernel.kubeletreserved import (
    FLAG,
    validate_enforce_node_allocatable,
    validate_reserved_memory,
    validate_reserved_system_cpus,
)
from qoslint.kernel.memoryqos import TIERED_RESERVATION
from qoslint.kernel.validation.field import MAX_ERRORS, printed

_PERIOD = 100 * MILLISECOND
_MAX_PERCENT = 100
_MAX_PORT = 65535
_MAX_OOM_SCORE_ADJ = 1000
_USER_NAMESPACE_UNIT = 65536
_MAX_UINT32 = 2**32 - 1
_NONE = "none"


def validate_kubelet_configuration(
    configuration: KubeletConfiguration, features: Features
) -> tuple[str, ...]:
    """Why the kubelet does not start, in its words; no more reasons than anybody reads.

    `features` are those of the version; the configuration's own gates are added here.
    """
    if not features.since(GATES_REFUSED_SINCE):
        refused = tuple(
            str(error) for error in feature_errors(features, configuration.feature_gates)
        )
        if refused:
            return refused
    gates = kubelet_features(configuration, features)
    errors = islice(_errors(configuration, gates), MAX_ERRORS)
    return tuple(f"invalid configuration: {message}" for message in errors)


def _errors(kc: KubeletConfiguration, gates: Features) -> Iterator[str]:
    yield from _validate_cgroups(kc, gates)
    yield from _validate_cpu(kc, gates)
    yield from _validate_images(kc, gates)
    yield from _validate_counts(kc)
    yield from _validate_image_pulls(kc)
    if kc.run_once and gates.since(32):
        yield "runOnce (--runOnce) true, Runonce mode has been deprecated and should not be set"
    yield from _validate_topology_manager(kc)
    yield from _validate_shutdown(kc, gates)
    yield from _validate_swap(kc, gates)
    yield from _validate_crash_loop(kc, gates)
    yield from validate_enforce_node_allocatable(kc, gates)
    yield from _validate_hairpin_mode(kc)
    yield from validate_reserved_system_cpus(kc)
    yield from validate_reserved_memory(kc)
    yield from _validate_user_namespaces(kc)
    yield from _validate_memory_qos(kc, gates)
    yield from _validate_logs(kc, gates)


def _validate_cgroups(kc: KubeletConfiguration, gates: Features) -> Iterator[str]:
    if kc.node_lease_duration_seconds <= 0:
        yield "nodeLeaseDurationSeconds must be greater than 0"
    if not gates.since(32) and not kc.cgroups_per_qos and kc.enforce_node_allocatable:
        yield f"{FLAG} is not supported unless cgroupsPerQOS (--cgroups-per-qos) is set to true"
    if kc.system_cgroups and not kc.cgroup_root:
        yield (
            "systemCgroups (--system-cgroups) was specified and cgroupRoot (--cgroup-root) was not "
            "specified"
        )


def _validate_cpu(kc: KubeletConfiguration, gates: Features) -> Iterator[str]:
    period = kc.cpu_cfs_quota_period
    what = f"cpuCFSQuotaPeriod (--cpu-cfs-quota-period) {_braced(period)}"
    if not gates.on("CustomCPUCFSQuotaPeriod"):
        if period != _PERIOD:
            yield f"{what} requires feature gate CustomCPUCFSQuotaPeriod"
    elif not MILLISECOND <= period <= SECOND:
        yield f"{what} must be between 1ms and 1sec, inclusive"


def _validate_images(kc: KubeletConfiguration, gates: Features) -> Iterator[str]:
    high, low = kc.image_gc_high_threshold_percent, kc.image_gc_low_threshold_percent
    high_text = f"imageGCHighThresholdPercent (--image-gc-high-threshold) {high}"
    low_text = f"imageGCLowThresholdPercent (--image-gc-low-threshold) {low}"
    if not 0 <= high <= _MAX_PERCENT:
        yield f"{high_text} must be between 0 and 100, inclusive"
    if not 0 <= low <= _MAX_PERCENT:
        yield f"{low_text} must be between 0 and 100, inclusive"
    if low >= high:
        yield f"{low_text} must be less than {high_text}"
    oldest, youngest = kc.image_maximum_gc_age, kc.image_minimum_gc_age
    if oldest and not gates.on("ImageMaximumGCAge"):
        yield (
            "ImageMaximumGCAge feature gate is required for Kubelet configuration option "
            "imageMaximumGCAge"
        )
    if youngest < 0 and gates.since(36):
        yield f"imageMinimumGCAge {format_duration(youngest)} must not be negative"
    if oldest < 0:
        yield f"imageMaximumGCAge {format_duration(oldest)} must not be negative"
    if 0 < oldest <= youngest:
        yield (
            f"imageMaximumGCAge {format_duration(oldest)} must be greater than imageMinimumGCAge "
            f"{format_duration(youngest)}"
        )


def _validate_counts(kc: KubeletConfiguration) -> Iterator[str]:
    for what, count in (
        ("eventBurst (--event-burst)", kc.event_burst),
        ("eventRecordQPS (--event-qps)", kc.event_record_qps),
        ("kubeAPIBurst (--kube-api-burst)", kc.kube_api_burst),
        ("kubeAPIQPS (--kube-api-qps)", kc.kube_api_qps),
        ("maxOpenFiles (--max-open-files)", kc.max_open_files),
        ("maxPods (--max-pods)", kc.max_pods),
        ("podsPerCore (--pods-per-core)", kc.pods_per_core),
        ("registryBurst (--registry-burst)", kc.registry_burst),
        ("registryPullQPS (--registry-qps)", kc.registry_pull_qps),
    ):
        if count < 0:
            yield f"{what} {count} must not be a negative number"
    if kc.node_status_max_images < -1:
        images = kc.node_status_max_images
        yield f"nodeStatusMaxImages (--node-status-max-images) {images} must be -1 or greater"
    for what, value, least, most, said in (
        ("healthzPort (--healthz-port)", kc.healthz_port or 1, 1, _MAX_PORT, 1),
        ("port (--port)", kc.port, 1, _MAX_PORT, 1),
        ("readOnlyPort (--read-only-port)", kc.read_only_port or 1, 1, _MAX_PORT, 0),
        ("iptablesDropBit (--iptables-drop-bit)", kc.iptables_drop_bit, 0, 31, 0),
        ("iptablesMasqueradeBit (--iptables-masquerade-bit)", kc.iptables_masquerade_bit, 0, 31, 0),
        (
            "oomScoreAdj (--oom-score-adj)",
            kc.oom_score_adj,
            -_MAX_OOM_SCORE_ADJ,
            _MAX_OOM_SCORE_ADJ,
            -_MAX_OOM_SCORE_ADJ,
        ),
    ):
        if not least <= value <= most:
            yield f"{what} {value} must be between {said} and {most}, inclusive"


def _validate_image_pulls(kc: KubeletConfiguration) -> Iterator[str]:
    pulls = kc.max_parallel_image_pulls
    if pulls is None:
        return
    if pulls < 1:
        yield f"maxParallelImagePulls {pulls} must be a positive number"
    elif pulls > 1 and kc.serialize_image_pulls:
        yield (
            "maxParallelImagePulls cannot be larger than 1 unless SerializeImagePulls "
            "(--serialize-image-pulls) is set to false"
        )


def _validate_topology_manager(kc: KubeletConfiguration) -> Iterator[str]:
    policies = (_NONE, "best-effort", "restricted", "single-numa-node")
    if kc.topology_manager_policy not in policies:
        yield (
            f"topologyManagerPolicy (--topology-manager-policy) "
            f"{printed(kc.topology_manager_policy)} must be one of: "
            f"[{' '.join(map(printed, policies))}]"
        )
    if kc.topology_manager_scope not in ("container", "pod"):
        yield (
            f"topologyManagerScope (--topology-manager-scope) {printed(kc.topology_manager_scope)} "
            'must be one of: "container", or "pod"'
        )


def _validate_shutdown(kc: KubeletConfiguration, gates: Features) -> Iterator[str]:
    whole, critical = kc.shutdown_grace_period, kc.shutdown_grace_period_critical_pods
    whole_text = f"shutdownGracePeriod {_braced(whole)}"
    critical_text = f"shutdownGracePeriodCriticalPods {_braced(critical)}"
    if gates.on("GracefulNodeShutdown"):
        if critical > whole:
            yield f"{critical_text} must be <= {whole_text}"
        for text, period in ((whole_text, whole), (critical_text, critical)):
            if period and period < SECOND:
                yield f"{text} must be either zero or otherwise >= 1 sec"
    elif whole > 0 or critical > 0:
        yield (
            "specifying shutdownGracePeriod or shutdownGracePeriodCriticalPods requires feature "
            "gate GracefulNodeShutdown"
        )
    if not kc.shutdown_grace_period_by_pod_priority:
        return
    if not gates.on("GracefulNodeShutdownBasedOnPodPriority"):
        yield (
            "Specifying shutdownGracePeriodByPodPriority requires feature gate "
            "GracefulNodeShutdownBasedOnPodPriority"
        )
    elif whole > 0 or critical > 0:
        yield (
            "Cannot specify both shutdownGracePeriodByPodPriority and shutdownGracePeriod at the "
            "same time"
        )


def _validate_swap(kc: KubeletConfiguration, gates: Features) -> Iterator[str]:
    if not gates.on("NodeSwap"):
        if kc.swap_behavior:
            yield "memorySwap.swapBehavior cannot be set when NodeSwap feature flag is disabled"
    elif kc.swap_behavior not in ("", "NoSwap", "LimitedSwap"):
        yield (
            f"memorySwap.swapBehavior {printed(kc.swap_behavior)} must be one of: "
            '"", "LimitedSwap" or "NoSwap"'
        )


def _validate_crash_loop(kc: KubeletConfiguration, gates: Features) -> Iterator[str]:
    period = kc.max_container_restart_period
    if period is None:
        return
    if not gates.on("KubeletCrashLoopBackOffMax"):
        yield (
            "FeatureGate KubeletCrashLoopBackOffMax not enabled, "
            "CrashLoopBackOff.MaxContainerRestartPeriod must not be set"
        )
    # Go's Milliseconds() drops the rest, towards zero.
    elif not SECOND <= period < 300 * SECOND + MILLISECOND:
        yield (
            f"CrashLoopBackOff.MaxContainerRestartPeriod (got: {_go_float(_seconds(period))} "
            "seconds) must be set between 1s and 300s"
        )


def _validate_hairpin_mode(kc: KubeletConfiguration) -> Iterator[str]:
    if kc.hairpin_mode not in (_NONE, "hairpin-veth", "promiscuous-bridge"):
        yield (
            f"option {printed(kc.hairpin_mode)} specified for hairpinMode (--hairpin-mode). Valid "
            'options are "none", "hairpin-veth" or "promiscuous-bridge"'
        )


def _validate_user_namespaces(kc: KubeletConfiguration) -> Iterator[str]:
    ids = kc.ids_per_pod
    if ids is None:
        return
    if ids < _USER_NAMESPACE_UNIT:
        yield f"userNamespaces.idsPerPod must not be less than {_USER_NAMESPACE_UNIT}"
    elif ids % _USER_NAMESPACE_UNIT:
        yield f"userNamespaces.idsPerPod must be a multiple of {_USER_NAMESPACE_UNIT}"
    elif ids > _MAX_UINT32:
        yield f"userNamespaces.idsPerPod must not be more than {_MAX_UINT32}"


def _validate_memory_qos(kc: KubeletConfiguration, gates: Features) -> Iterator[str]:
    factor, policy = kc.memory_throttling_factor, kc.memory_reservation_policy
    if factor is not None and not 0 < factor <= 1:
        yield (
            f"memoryThrottlingFactor {_go_float(factor)} must be greater than 0 and less than or "
            "equal to 1.0"
        )
    # The former default is let through, for configurations that spell it out; the words are ours.
    needs_gate = gates.since(37) and not gates.on("MemoryQoS")
    if needs_gate and factor is not None and factor != MEMORY_THROTTLING_FACTOR:
        yield f"memoryThrottlingFactor {_go_float(factor)} requires feature gate MemoryQoS"
    if policy == TIERED_RESERVATION and not gates.on("MemoryQoS"):
        yield (
            f"memoryReservationPolicy {printed(policy)} requires MemoryQoS feature gate to be "
            "enabled"
        )
    if policy not in ("None", TIERED_RESERVATION):
        yield (
            f"option {printed(policy)} specified for memoryReservationPolicy. Valid options are "
            f'"None" or "{TIERED_RESERVATION}"'
        )


def _validate_logs(kc: KubeletConfiguration, gates: Features) -> Iterator[str]:
    if kc.container_log_max_workers < 1:
        yield "containerLogMaxWorkers must be greater than or equal to 1"
    if kc.container_log_monitor_interval < 3 * SECOND:
        yield (
            "containerLogMonitorInterval must be a positive time duration greater than or equal "
            "to 3s"
        )
    if kc.container_log_max_files <= 1 and gates.since(33):
        yield "containerLogMaxFiles must be greater than 1"


def _braced(nanos: int) -> str:
    """A duration as Go prints the struct that Kubernetes wraps it in."""
    return f"{{{format_duration(nanos)}}}"


def _seconds(nanos: int) -> float:
    """Go's `Duration.Seconds`, which adds the whole seconds and the rest."""
    whole, rest = divmod(abs(nanos), SECOND)
    return math.copysign(float(whole) + rest / SECOND, nanos)


def _go_float(value: float) -> str:
    """A float as Go's `%v` prints it: scientific from a million on and below a ten-thousandth."""
    text = repr(value)
    number = Decimal(text).normalize()
    exponent = number.adjusted()
    if value == 0 or -4 <= exponent < 6:
        return f"{Decimal(text):f}".removesuffix(".0")
    digits = "".join(map(str, number.as_tuple().digits))
    fraction = f".{digits[1:]}" if digits[1:] else ""
    return f"{'-' if value < 0 else ''}{digits[0]}{fraction}e{exponent:+03d}"
