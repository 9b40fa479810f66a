"""What the kernel answers to a row of the kubelet_config or node vectors, in every field."""

from __future__ import annotations

import json
import math
import struct

from qoslint.kernel.allocatable import kubepods_cgroup
from qoslint.kernel.duration import format_duration
from qoslint.kernel.kubeletconfig import KubeletConfiguration
from qoslint.kernel.kubeletdecode import KubeletConfigurationError, decode_kubelet_configuration
from qoslint.kernel.noderesources import NodeCapacity, Step, node_resources
from qoslint.kernel.pod import CPU, MEMORY, ResourceList
from qoslint.kernel.quantity import parse
from qoslint.kernel.signals import Filesystems, Signal, node_condition
from qoslint.kernel.simulation import Observation, thresholds_met
from qoslint.source.document import load

CONTAINER_FS = (Signal.CONTAINERFS, Signal.CONTAINERFS_INODES)
EMPTY = {"operator": "", "percentage": "0"}


def kubelet_answer(row, features):
    asked = row["in"]
    try:
        configuration = decode_kubelet_configuration(given(row), features)
    except KubeletConfigurationError as error:
        return {"accepted": False, "stage": error.stage, "errors": [joined(error, row)]}
    found = node_resources(
        configuration,
        node_capacity(asked.get("capacity", {})),
        features,
        filesystems=layout(asked.get("fs")),
        ignore_eviction_threshold=asked.get("experimentalAllocatableIgnoreEviction", False),
    )
    out = {
        "evictionHard": dict(found.eviction_hard),
        **dict(failure_fields(found.failures)),
        **dict(threshold_fields(found, asked)),
    }
    if asked.get("effective"):
        out["effective"] = effective_fields(configuration, features)
    if "capacity" in asked and found.allocatable is not None:
        out |= dict(allocatable_fields(found.allocatable))
    return out


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


def node_capacity(data):
    files = {
        "nodefs.inodes": "nodefs_inodes",
        "imagefs": "imagefs",
        "imagefs.inodes": "imagefs_inodes",
    }
    return NodeCapacity(
        ResourceList({name: parse(text) for name, text in data.items() if name not in files}),
        **{files[name]: int(text) for name, text in data.items() if name in files},
    )


def layout(fs):
    if not fs or not fs["imageFs"]:
        return Filesystems.NODEFS
    return Filesystems.SPLIT if fs["splitFs"] else Filesystems.IMAGEFS


def failure_fields(failures):
    yield "accepted", not failures
    for index, (step, messages) in enumerate(failures):
        if index:
            yield f"also_{step}", spoken(step, messages)
            continue
        yield from (("stage", step), ("errors", spoken(step, messages)))
        if messages[0].startswith("unrecognized feature gate"):
            yield "featureGateError", messages[0]


def spoken(step, messages):
    """The vectors have no words of the kubelet's for what exceeds the capacity."""
    if step is Step.NODE_ALLOCATABLE:
        return ["reservation exceeds capacity"]
    return list(messages)


def allocatable_fields(found):
    # The machine that the vectors were made with always reports memory, if only none.
    allocatable = ResourceList({MEMORY: parse("0"), **found.allocatable})
    yield "allocatable", printed(allocatable)
    yield (
        "allocatableValues",
        {
            **{name: q.value() for name, q in allocatable.items() if name != CPU},
            "cpu_milli": allocatable[CPU].milli_value(),
        },
    )
    yield "reservation", printed(found.reservation)
    if found.over_reserved:
        yield "overReserved", True
    # The vectors hold the limits that the cgroup has if `pods` is enforced.
    cgroup = kubepods_cgroup(found.enforceable)
    fields = {
        "cpuShares": cgroup.cpu_shares,
        "cpuWeight": cgroup.cpu_weight,
        "memoryLimit": cgroup.memory_max,
        "pidsLimit": cgroup.pids_max,
    }
    yield "kubepodsCgroup", {name: size for name, size in fields.items() if size is not None}


def printed(resources):
    return {name: str(quantity) for name, quantity in resources.items()}


def threshold_fields(found, given):
    configured = found.configured_thresholds
    if configured is None:
        return
    yield (
        "thresholds",
        [
            shown(each) | resolved(each, found.capacities)
            for each in sorted(configured, key=by_signal)
        ],
    )
    if "fs" in given:
        yield "containerFsThresholds", list(container_fs(configured, found.thresholds))
        if any(each.signal in CONTAINER_FS for each in configured):
            yield "containerFsIgnored", True
    if "observations" in given:
        observations = {
            Signal(name): Observation(int(seen["available"]), int(seen["capacity"]))
            for name, seen in given["observations"].items()
        }
        met = sorted(thresholds_met(configured, observations), key=by_signal)
        yield "met", [shown(each) for each in met]
        yield "nodeConditions", sorted({node_condition(each.signal) for each in met})


def by_signal(threshold):
    return threshold.signal, threshold.grace_period


def container_fs(configured, thresholds):
    """What the kubelet has for containerfs, and an empty one, never met, for what it has not.

    It writes over a threshold where it finds one and appends the others.
    """
    for signal in CONTAINER_FS:
        given = {each.hard for each in configured if each.signal is signal}
        for hard in (True, False) if given != {False} else (False, True):
            found = [e for e in thresholds if e.signal is signal and e.hard is hard]
            yield shown(found[0]) if found else {"signal": signal.value} | EMPTY


def shown(threshold):
    fields = {"signal": threshold.signal.value, "operator": "LessThan"}
    if threshold.grace_period:
        fields["gracePeriod"] = format_duration(threshold.grace_period)
    if threshold.min_reclaim:
        fields["minReclaim"] = value_text(threshold.min_reclaim)
    kind = "percentage" if threshold.value.quantity is None else "quantity"
    return fields | {kind: value_text(threshold.value)}


def resolved(threshold, capacities):
    unresolved = (*CONTAINER_FS, Signal.ALLOCATABLE_MEMORY)
    if threshold.signal in unresolved or threshold.signal not in capacities:
        return {}
    return {"resolved": threshold.resolved(capacities[threshold.signal]).value()}


def value_text(value):
    return float32_text(value.percentage) if value.quantity is None else str(value.quantity)


def float32_text(value):
    """The shortest digits that a float32 is read back from, as Go prints it."""
    if math.isnan(value):
        return "NaN"
    return next(
        text
        for digits in range(1, 10)
        if struct.pack("<f", float(text := f"{value:.{digits}g}")) == struct.pack("<f", value)
    )
