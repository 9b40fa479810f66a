"""Allocatable, thresholds and the pods' cgroup against every node vector."""

from __future__ import annotations

import math
import struct
from types import SimpleNamespace

import pytest

from qoslint.kernel.allocatable import kubepods_cgroup
from qoslint.kernel.duration import format_duration
from qoslint.kernel.noderesources import NodeCapacity, Step, node_resources
from qoslint.kernel.pod import CPU, MEMORY, ResourceList
from qoslint.kernel.quantity import parse
from qoslint.kernel.signals import Filesystems, Signal, node_condition
from qoslint.kernel.simulation import Observation, thresholds_met

CONTAINER_FS = (Signal.CONTAINERFS, Signal.CONTAINERFS_INODES)
EMPTY = {"operator": "", "percentage": "0"}


@pytest.mark.vectors("node")
def test_a_node_is_as_the_kubelet_makes_it(vectors):
    vectors.check(lambda row: answer(row, vectors.features))


def answer(row, features):
    given, out = row["in"], row["out"]
    if out.get("stage") in ("decode", "decode-panic"):
        return None
    first = [("validation", out["errors"])] if out.get("stage") == "validation" else []
    configuration = decoded(given["kubeletConfig"])
    found = node_resources(
        configuration,
        node_capacity(given["capacity"]),
        features,
        filesystems=layout(given.get("fs")),
        ignore_eviction_threshold=given.get("experimentalAllocatableIgnoreEviction", False),
    )
    return {
        "evictionHard": dict(found.eviction_hard),
        **dict(
            refusal(first + [(step.value, spoken(step, texts)) for step, texts in found.failures])
        ),
        **dict(allocatable_fields(found.allocatable)),
        **dict(threshold_fields(found, given)),
    }


def decoded(data):
    return SimpleNamespace(
        eviction_hard=data.get("evictionHard"),
        eviction_soft=data.get("evictionSoft") or {},
        eviction_soft_grace_period=data.get("evictionSoftGracePeriod") or {},
        eviction_minimum_reclaim=data.get("evictionMinimumReclaim") or {},
        merge_default_eviction_settings=data.get("mergeDefaultEvictionSettings", False),
        enforce_node_allocatable=tuple(data.get("enforceNodeAllocatable", ["pods"])),
        cgroups_per_qos=True,
        kube_reserved=data.get("kubeReserved") or {},
        system_reserved=data.get("systemReserved") or {},
        reserved_system_cpus=data.get("reservedSystemCPUs", ""),
        max_pods=data.get("maxPods") or 110,
        pods_per_core=data.get("podsPerCore", 0),
    )


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


def spoken(step, texts):
    """The vectors have no words of the kubelet's for what exceeds the capacity."""
    return ["reservation exceeds capacity"] if step is Step.NODE_ALLOCATABLE else list(texts)


def refusal(stages):
    yield "accepted", not stages
    for index, (stage, messages) in enumerate(stages):
        if index == 0:
            yield from (("stage", stage), ("errors", messages))
        else:
            yield f"also_{stage}", messages


def allocatable_fields(found):
    if found is None:
        return
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
    short = next(
        text
        for digits in range(1, 10)
        if struct.pack("<f", float(text := f"{value:.{digits}g}")) == struct.pack("<f", value)
    )
    return short
