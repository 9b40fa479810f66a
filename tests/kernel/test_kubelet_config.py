"""KubeletConfigurations are defaulted and refused as the kubelet of each version does."""

from __future__ import annotations

import json

import pytest

from qoslint.kernel.duration import format_duration
from qoslint.kernel.kubeletconfig import KubeletConfiguration
from qoslint.kernel.kubeletdecode import KubeletConfigurationError, decode_kubelet_configuration
from qoslint.kernel.kubeletvalidation import validate_kubelet_configuration
from qoslint.source.document import load

STAGES = ("decode", "decode-panic", "validation")


@pytest.mark.vectors("kubelet_config")
def test_configurations_are_defaulted_and_refused_as_by_the_kubelet(vectors):
    vectors.check(lambda row: answer(row, vectors.features))


@pytest.mark.vectors("node")
def test_configurations_of_nodes_are_refused_as_by_the_kubelet(vectors):
    vectors.check(lambda row: answer(row, vectors.features))


def answer(row, features):
    wanted = row["out"]
    got = start(row, features)
    if wanted.get("stage") not in (*STAGES, None):
        got |= {"accepted": False, "stage": wanted["stage"], "errors": wanted["errors"]}
    return {key: value for key, value in wanted.items() if key not in COMPARED} | got


COMPARED = ("accepted", "stage", "errors", "effective", "featureGateError")


def start(row, features):
    """What can be said of the fields that are compared."""
    try:
        configuration = decode_kubelet_configuration(given(row), features)
    except KubeletConfigurationError as error:
        return {"accepted": False, "stage": error.stage, "errors": [joined(error, row)]}
    effective = {"effective": effective_fields(configuration, features)}
    found = effective if row["in"].get("effective") else {}
    errors = sorted(validate_kubelet_configuration(configuration, features))
    if not errors:
        return found | {"accepted": True}
    if errors[0].startswith("unrecognized feature gate"):
        found["featureGateError"] = errors[0]
    return found | {"accepted": False, "stage": "validation", "errors": errors}


def given(row):
    text = row["in"].get("kubeletYaml")
    return row["in"]["kubeletConfig"] if text is None else load(text)


def joined(error, row):
    """The kubelet's one message: all refused gates, and the text that lacks its kind."""
    first = error.messages[0]
    if first.endswith("is missing"):
        text = row["in"].get("kubeletYaml")
        if text is None:
            text = json.dumps(row["in"]["kubeletConfig"], separators=(",", ":"))
        return f"{first} in '{text}'"
    if len(error.messages) == 1:
        return first
    head, _, _ = first.partition(", error: ")
    gates = sorted(message.partition(", error: ")[2] for message in error.messages)
    between = "; " if "depends on" in first else ", "
    return f"{head}: {between.join(gates)}"


def effective_fields(configuration: KubeletConfiguration, features):
    fields = {
        "cpuCFSQuota": configuration.cpu_cfs_quota,
        "cpuCFSQuotaPeriod": format_duration(configuration.cpu_cfs_quota_period),
        "cpuManagerPolicy": configuration.cpu_manager_policy,
        "enforceNodeAllocatable": list(configuration.enforce_node_allocatable),
        "evictionMaxPodGracePeriod": configuration.eviction_max_pod_grace_period,
        "evictionPressureTransitionPeriod": format_duration(
            configuration.eviction_pressure_transition_period
        ),
        "failCgroupV1": configuration.fail_cgroup_v1,
        "failSwapOn": configuration.fail_swap_on,
        "imageGCHighThresholdPercent": configuration.image_gc_high_threshold_percent,
        "imageGCLowThresholdPercent": configuration.image_gc_low_threshold_percent,
        "kernelMemcgNotification": configuration.kernel_memcg_notification,
        "localStorageCapacityIsolation": configuration.local_storage_capacity_isolation,
        "maxPods": configuration.max_pods,
        "memoryManagerPolicy": configuration.memory_manager_policy,
        "memorySwap": {"swapBehavior": configuration.swap_behavior},
        "memoryThrottlingFactor": configuration.memory_throttling_factor,
        "oomScoreAdj": configuration.oom_score_adj,
        "podPidsLimit": configuration.pod_pids_limit,
        "podsPerCore": configuration.pods_per_core,
        "topologyManagerPolicy": configuration.topology_manager_policy,
    }
    if features.since(32):
        fields["singleProcessOOMKill"] = configuration.single_process_oom_kill
    if features.since(33):
        fields["mergeDefaultEvictionSettings"] = configuration.merge_default_eviction_settings
    if features.since(36):
        fields["memoryReservationPolicy"] = configuration.memory_reservation_policy
    return fields
