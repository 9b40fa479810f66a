"""The trace of an admission, what an incomplete scope leaves open, and pods that skip it."""

from __future__ import annotations

import pytest

from qoslint.kernel.admission import (
    Cause,
    Change,
    Rejection,
    Stage,
    Unknown,
    admit,
    read_static_pod,
    warnings,
)
from qoslint.kernel.decode import decode_pod_spec
from qoslint.kernel.features import features
from qoslint.kernel.qos import QOSClass
from qoslint.kernel.scope import Scope, load_scope

BOTH = {"cpu": "1", "memory": "1Gi"}
HIGH = {"metadata": {"name": "high"}, "value": 1000, "globalDefault": True}
KATA = {"metadata": {"name": "kata"}, "handler": "h", "overhead": {"podFixed": {"cpu": "250m"}}}


def pod_spec(of_container=None, /, **fields):
    container = {"name": "c", "image": "i", "resources": of_container or {}}
    return {"containers": [container], **fields}


def admitted(spec, *, version="1.36", complete=True, metadata=(), **objects):
    loaded = load_scope(features(version), complete=complete, **objects)
    assert not loaded.errors
    return admit(decode_pod_spec(spec), loaded.scope, metadata)


def only(spec, **options):
    (outcome,) = admitted(spec, **options)
    return outcome


def test_every_step_is_told_in_order_with_its_cause():
    item = {"type": "Container", "max": {"memory": "2Gi"}}
    outcome = only(
        pod_spec({"limits": {"cpu": "0.1m"}}, runtimeClassName="kata"),
        limit_ranges=[{"metadata": {"name": "l"}, "spec": {"limits": [item]}}],
        priority_classes=[HIGH],
        runtime_classes=[KATA],
    )
    resources = ("containers", 0, "resources")
    from_max = Cause(0, "LimitRange", ("spec", "limits", 0, "max", "memory"))

    def by_class(key):
        return Cause(0, "PriorityClass", (key,))

    overhead = Cause(0, "RuntimeClass", ("overhead", "podFixed", "cpu"))
    assert outcome.changes == (
        Change(Stage.DEFAULTS, (*resources, "requests", "cpu"), None, "1m"),
        Change(Stage.DEFAULTS, (*resources, "limits", "cpu"), "100u", "1m"),
        Change(Stage.LIMIT_RANGER, (*resources, "requests", "memory"), None, "2Gi", from_max),
        Change(Stage.LIMIT_RANGER, (*resources, "limits", "memory"), None, "2Gi", from_max),
        Change(Stage.PRIORITY, ("priorityClassName",), None, "high", by_class("globalDefault")),
        Change(Stage.PRIORITY, ("priority",), None, "1000", by_class("value")),
        Change(
            Stage.PRIORITY,
            ("preemptionPolicy",),
            None,
            "PreemptLowerPriority",
            by_class("preemptionPolicy"),
        ),
        Change(Stage.RUNTIME_CLASS, ("overhead", "cpu"), None, "250m", overhead),
    )
    assert outcome.admitted
    assert outcome.qos is QOSClass.GUARANTEED


def test_a_request_above_an_injected_limit_is_refused_by_validation_not_by_limit_ranger():
    item = {"type": "Container", "default": {"cpu": "1"}}
    outcome = only(
        pod_spec({"requests": {"cpu": "2"}}),
        limit_ranges=[{"metadata": {"name": "l"}, "spec": {"limits": [item]}}],
    )
    assert [rejection.by for rejection in outcome.rejections] == [Stage.VALIDATION]


def test_a_missing_class_refuses_a_pod_of_a_complete_scope():
    outcome = only(pod_spec(priorityClassName="x"))
    assert outcome.rejections == (
        Rejection(Stage.PRIORITY, "no PriorityClass with name x was found", ("priorityClassName",)),
    )
    assert outcome.qos is None


@pytest.mark.parametrize(
    ("field", "kind"),
    [("priorityClassName", "PriorityClass"), ("runtimeClassName", "RuntimeClass")],
)
def test_a_missing_class_is_unknown_in_an_incomplete_scope(field, kind):
    outcome = only(pod_spec({"limits": BOTH}, **{field: "x"}), complete=False)
    assert outcome.unknowns == (Unknown(kind, "x", (field,)),)
    assert outcome.admitted is None
    assert outcome.qos is QOSClass.GUARANTEED


def test_a_pod_with_an_unknown_class_can_still_be_refused():
    outcome = only(pod_spec({"limits": {"cpu": "-1"}}, priorityClassName="x"), complete=False)
    assert outcome.admitted is False


def test_overhead_of_a_pod_with_an_unknown_runtime_class_is_not_refused():
    spec = pod_spec(runtimeClassName="x", overhead={"cpu": "1"})
    assert only(spec, complete=False).admitted is None


def test_system_classes_exist_in_every_scope():
    outcome = only(pod_spec(priorityClassName="system-node-critical"))
    assert outcome.pod.priority == 2000001000


def test_of_several_global_defaults_the_lowest_value_counts():
    low = {"metadata": {"name": "low"}, "value": 1, "globalDefault": True}
    assert only(pod_spec(), priority_classes=[HIGH, low]).pod.priority_class_name == "low"


def test_equal_global_defaults_give_an_outcome_each():
    twin = {**HIGH, "metadata": {"name": "twin"}, "preemptionPolicy": "Never"}
    outcomes = admitted(pod_spec(), priority_classes=[HIGH, twin])
    assert [(o.pod.priority_class_name, o.global_default) for o in outcomes] == [
        ("high", 0),
        ("twin", 1),
    ]


def test_a_runtime_class_merges_its_node_selector_and_tolerations():
    toleration = {"key": "kata", "operator": "Exists"}
    scheduling = {"nodeSelector": {"kata": "yes"}, "tolerations": [toleration]}
    spec = pod_spec(runtimeClassName="kata", nodeSelector={"disk": "ssd"}, tolerations=[toleration])
    pod = only(spec, runtime_classes=[KATA | {"scheduling": scheduling}]).pod
    assert pod.node_selector == (("disk", "ssd"), ("kata", "yes"))
    assert len(pod.tolerations) == 1


def test_a_node_selector_against_that_of_the_runtime_class_is_refused():
    spec = pod_spec(runtimeClassName="kata", nodeSelector={"kata": "no"})
    scheduling = {"nodeSelector": {"kata": "yes"}}
    (rejection,) = only(spec, runtime_classes=[KATA | {"scheduling": scheduling}]).rejections
    assert rejection.message == (
        "conflict: runtimeClass.scheduling.nodeSelector[kata] = yes; "
        "pod.spec.nodeSelector[kata] = no"
    )
    assert rejection.cause == Cause(0, "RuntimeClass", ("scheduling", "nodeSelector", "kata"))


def test_what_is_wrong_with_the_metadata_counts_only_when_validation_is_reached():
    bad = (Rejection(Stage.VALIDATION, "metadata.name: Required value", ("metadata", "name")),)
    assert only(pod_spec(), metadata=bad).rejections == bad
    outcome = only(pod_spec(priorityClassName="x"), metadata=bad)
    assert [rejection.by for rejection in outcome.rejections] == [Stage.PRIORITY]


def test_objects_that_could_not_exist_are_left_out_and_told():
    bad = {"metadata": {"name": "b"}, "value": 2 * 10**9}
    loaded = load_scope(features("1.36"), priority_classes=[bad, HIGH, {"value": "1"}])
    assert [item.name for item in loaded.scope.priority_classes] == ["high"]
    assert loaded.kept.priority_classes == (1,)
    assert [(error.index, error.by, error.path) for error in loaded.errors] == [
        (0, Stage.VALIDATION, ("value",)),
        (2, Stage.DECODE, ("value",)),
    ]


def test_a_static_pod_is_defaulted_but_not_admitted():
    spec = pod_spec({"limits": BOTH}, priorityClassName="x", overhead={"cpu": "1"})
    outcome = read_static_pod(decode_pod_spec(spec), features("1.36"))
    assert outcome.admitted
    assert outcome.qos is QOSClass.GUARANTEED
    assert outcome.pod.priority is None
    assert outcome.pod.static


def block(outcome):
    resources = outcome.pod.resources
    return {
        key: {name: str(quantity) for name, quantity in items.items()}
        for key, items in (("requests", resources.requests), ("limits", resources.limits))
    }


@pytest.mark.parametrize(
    ("version", "limits", "qos"),
    [("1.36", {}, QOSClass.BURSTABLE), ("1.37", BOTH, QOSClass.GUARANTEED)],
)
def test_pod_limits_follow_the_containers_since_1_37(version, limits, qos):
    outcome = only(pod_spec({"limits": BOTH}, resources={"requests": BOTH}), version=version)
    assert block(outcome) == {"requests": BOTH, "limits": limits}
    assert outcome.qos is qos


@pytest.mark.parametrize(("version", "request_"), [("1.36", "2"), ("1.37", "1")])
def test_pod_level_defaults_see_what_a_limit_range_injects_since_1_37(version, request_):
    item = {"type": "Container", "default": {"cpu": "1"}}
    outcome = only(
        pod_spec(resources={"limits": {"cpu": "2"}}),
        version=version,
        limit_ranges=[{"metadata": {"name": "l"}, "spec": {"limits": [item]}}],
    )
    assert block(outcome)["requests"] == {"cpu": request_}


def test_a_pod_request_above_the_summed_limits_is_left_open_in_1_37():
    spec = pod_spec({"limits": BOTH}, resources={"requests": {"cpu": "2", "memory": "1Gi"}})
    outcome = only(spec, version="1.37")
    assert outcome.unknowns == (
        Unknown("PodLevelResources", "cpu", ("resources", "limits", "cpu")),
    )
    assert outcome.admitted is None


@pytest.mark.parametrize(
    ("version", "limits"),
    [("1.32", {}), ("1.33", {"hugepages-2Mi": "4Mi"}), ("1.34", {})],
)
def test_a_pod_request_of_huge_pages_gets_a_limit_in_1_33_only(version, limits):
    pages = {"memory": "1Gi", "hugepages-2Mi": "4Mi"}
    scope = Scope(features(version, {"PodLevelResources": True}))
    spec = pod_spec({"limits": pages}, resources={"requests": pages})
    (outcome,) = admit(decode_pod_spec(spec), scope)
    assert block(outcome)["limits"] == limits


@pytest.mark.parametrize(
    ("version", "policy", "refused"),
    [
        ("1.33", "Never", True),
        ("1.34", "Never", False),
        ("1.34", "Sometimes", False),
        ("1.35", "Never", False),
        ("1.35", "Sometimes", True),
    ],
)
def test_the_restart_policy_of_a_container_depends_on_the_version(version, policy, refused):
    spec = pod_spec()
    spec["containers"][0]["restartPolicy"] = policy
    assert bool(only(spec, version=version).rejections) is refused


def test_a_fraction_of_a_byte_is_a_warning():
    outcome = only(pod_spec({"limits": {"memory": "400m"}}))
    assert outcome.admitted
    texts = {warning.path[-2:]: warning.message for warning in warnings(outcome)}
    assert texts["limits", "memory"] == (
        'spec.containers[0].resources.limits[memory]: fractional byte value "400m" is invalid, '
        "must be an integer"
    )
