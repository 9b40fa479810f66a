"""What stops a kubelet, and what is defaulted, where no vector tells."""

from __future__ import annotations

import pytest

from qoslint.kernel.features import features
from qoslint.kernel.kubeletconfig import kubelet_features
from qoslint.kernel.kubeletdecode import KubeletConfigurationError, decode_kubelet_configuration
from qoslint.kernel.kubeletvalidation import validate_kubelet_configuration
from qoslint.kernel.validation.field import MAX_ERRORS


def decode(minor="1.36", **fields):
    head = {"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration"}
    return decode_kubelet_configuration(head | fields, features(minor))


def complaints(minor="1.36", **fields):
    return validate_kubelet_configuration(decode(minor, **fields), features(minor))


UNMARSHAL = "failed to decode: json: cannot unmarshal "


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"maxPods": 2**31},
            "number 2147483648 into Go struct field KubeletConfiguration.maxPods of",
        ),
        ({"maxPods": True}, "bool into Go struct field KubeletConfiguration.maxPods of type int32"),
        ({"podPidsLimit": 10**5000}, "number of more than 90 digits into Go struct field Kubelet"),
        (
            {"evictionHard": []},
            "array into Go struct field KubeletConfiguration.evictionHard of type ",
        ),
        (
            {"enforceNodeAllocatable": "pods"},
            "string into Go struct field KubeletConfiguration.enf",
        ),
        (
            {"memoryThrottlingFactor": "0.9"},
            "string into Go struct field KubeletConfiguration.memo",
        ),
        (
            {"failSwapOn": {}},
            "object into Go struct field KubeletConfiguration.failSwapOn of type bool",
        ),
        (
            {"memorySwap": {"swapBehavior": 1}},
            "number into Go struct field MemorySwapConfiguration.memorySwap.swapBehavior of ",
        ),
        (
            {"memorySwap": "NoSwap"},
            "string into Go struct field KubeletConfiguration.memorySwap of",
        ),
        (
            {"evictionPressureTransitionPeriod": 5},
            "number into Go struct field KubeletConfiguration.evictionPressureTransitionPeriod of ",
        ),
        ({"address": 5}, "number into Go struct field KubeletConfiguration.address of type string"),
        (
            {"maxPods": "x", "evictionHard": 1},
            "string into Go struct field KubeletConfiguration.max",
        ),
    ],
)
def test_values_of_the_wrong_type_stop_the_kubelet(fields, message):
    with pytest.raises(KubeletConfigurationError) as caught:
        decode(**fields)
    assert caught.value.stage == "decode"
    assert caught.value.messages[0].startswith(UNMARSHAL + message)


@pytest.mark.parametrize("value", [None, [], "x", 5, {"kind": []}])
def test_what_is_no_configuration_is_refused(value):
    with pytest.raises(KubeletConfigurationError, match="failed to decode"):
        decode_kubelet_configuration(value, features("1.36"))


def test_a_text_that_cannot_be_parsed_counts_before_an_earlier_wrong_type():
    with pytest.raises(KubeletConfigurationError, match='missing unit in duration "5"'):
        decode(maxPods="x", imageMinimumGCAge="5")


def test_null_is_an_absent_field_but_for_durations_that_need_a_text():
    assert (
        decode(evictionHard=None, maxPods=None, cpuCFSQuotaPeriod=None, memorySwap=None) == decode()
    )
    with pytest.raises(KubeletConfigurationError, match='time: invalid duration ""'):
        decode(evictionPressureTransitionPeriod=None)


def test_zero_is_the_default_where_kubernetes_cannot_tell_it_from_absent():
    assert decode(maxPods=0, enforceNodeAllocatable=None) == decode()
    kept = decode(enforceNodeAllocatable=[], evictionHard={}, imageGCLowThresholdPercent=0)
    assert (kept.enforce_node_allocatable, kept.eviction_hard) == ((), {})
    assert kept.image_gc_low_threshold_percent == 0


def test_fields_that_a_version_does_not_have_are_not_looked_at():
    assert not decode("1.32", mergeDefaultEvictionSettings="yes").merge_default_eviction_settings
    with pytest.raises(KubeletConfigurationError):
        decode("1.33", mergeDefaultEvictionSettings="yes")


def test_reserved_memory_is_read_as_quantities():
    limits = {"memory": "1Gi", "hugepages-2Mi": 2097152}
    (reservation,) = decode(reservedMemory=[{"numaNode": 1, "limits": limits}]).reserved_memory
    assert (reservation.numa_node, reservation.limits["memory"].value()) == (1, 2**30)
    with pytest.raises(KubeletConfigurationError, match="quantities must match"):
        decode(reservedMemory=[{"limits": {"memory": "1 Gi"}}])


def test_image_pulls_are_serial_unless_several_are_allowed_at_once():
    assert decode().serialize_image_pulls
    assert not decode(maxParallelImagePulls=2).serialize_image_pulls
    (message,) = complaints(maxParallelImagePulls=2, serializeImagePulls=True)
    assert "cannot be larger than 1 unless SerializeImagePulls" in message


def test_memory_is_not_throttled_by_default_since_1_37():
    assert decode("1.37").memory_throttling_factor is None
    off = {"featureGates": {"MemoryQoS": False}}
    assert complaints("1.37", **off, memoryThrottlingFactor=0.9) == ()
    assert complaints("1.36", **off, memoryThrottlingFactor=0.8) == ()
    (message,) = complaints("1.37", **off, memoryThrottlingFactor=0.8)
    assert "memoryThrottlingFactor 0.8 requires feature gate MemoryQoS" in message


def test_run_once_was_still_accepted_in_1_31():
    assert complaints("1.31", runOnce=True) == ()
    assert len(complaints("1.32", runOnce=True)) == 1


def test_enforcing_nothing_needs_no_cgroups_per_qos_since_1_32():
    nothing = {"cgroupsPerQOS": False, "enforceNodeAllocatable": ["none"]}
    assert "is not supported unless cgroupsPerQOS" in complaints("1.31", **nothing)[0]
    assert complaints("1.32", **nothing) == ()


def test_a_grace_period_by_priority_excludes_one_for_all():
    priorities = [{"priority": 0, "shutdownGracePeriodSeconds": 10}]
    assert complaints(shutdownGracePeriodByPodPriority=priorities) == ()
    (message,) = complaints(shutdownGracePeriodByPodPriority=priorities, shutdownGracePeriod="30s")
    assert "Cannot specify both" in message
    off = {"GracefulNodeShutdown": False, "GracefulNodeShutdownBasedOnPodPriority": False}
    off["WindowsGracefulNodeShutdown"] = False
    found = complaints(
        featureGates=off, shutdownGracePeriodByPodPriority=priorities, shutdownGracePeriod="30s"
    )
    assert [message.rpartition(" ")[2] for message in found] == [
        "GracefulNodeShutdown",
        "GracefulNodeShutdownBasedOnPodPriority",
    ]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"readOnlyPort": -1}, "readOnlyPort (--read-only-port) -1 must be between 0 and 65535, "),
        (
            {"healthzPort": 65536},
            "healthzPort (--healthz-port) 65536 must be between 1 and 65535, ",
        ),
        (
            {"iptablesDropBit": 32},
            "iptablesDropBit (--iptables-drop-bit) 32 must be between 0 and 31",
        ),
        (
            {"containerLogMonitorInterval": "2s"},
            "containerLogMonitorInterval must be a positive tim",
        ),
        (
            {"crashLoopBackOff": {"maxContainerRestartPeriod": "-1500ms"}},
            "CrashLoopBackOff.MaxContainerRestartPeriod (got: -1.5 seconds) must be set between 1s",
        ),
        (
            {"memoryThrottlingFactor": 12345678},
            "memoryThrottlingFactor 1.2345678e+07 must be great",
        ),
        (
            {"memoryThrottlingFactor": -0.00001},
            "memoryThrottlingFactor -1e-05 must be greater than",
        ),
        (
            {"memoryThrottlingFactor": 2},
            "memoryThrottlingFactor 2 must be greater than 0 and less ",
        ),
        (
            {"userNamespaces": {"idsPerPod": 2**32}},
            "userNamespaces.idsPerPod must not be more than ",
        ),
        ({"maxParallelImagePulls": 0}, "maxParallelImagePulls 0 must be a positive number"),
    ],
)
def test_values_out_of_range_stop_the_kubelet(fields, message):
    (found,) = complaints(**fields)
    assert found.startswith(f"invalid configuration: {message}")


def test_the_gates_of_a_kubelet_are_the_version_s_with_its_own_on_top():
    configuration = decode("1.36", featureGates={"MemoryQoS": True, "AllBeta": False})
    gates = kubelet_features(configuration, features("1.36"))
    assert gates.on("MemoryQoS")
    assert not gates.on("PodLevelResources")
    cluster = features("1.36", {"QOSReserved": True})
    assert kubelet_features(decode(), cluster).on("QOSReserved")


def test_no_more_is_complained_about_than_anybody_reads():
    many = ["pods"] * 100_000
    assert len(complaints(enforceNodeAllocatable=many)) == MAX_ERRORS
