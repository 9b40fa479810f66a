"""Several LimitRanges that disagree, and where their defaults were authored."""

from __future__ import annotations

import time

import pytest

from qoslint.kernel.admission import Cause, Stage, Unknown, admit
from qoslint.kernel.decode import decode_pod_spec
from qoslint.kernel.features import features
from qoslint.kernel.limitrangeorder import MAX_ORDERS
from qoslint.kernel.qos import QOSClass
from qoslint.kernel.scope import load_scope

EMPTY = {"containers": [{"name": "c", "image": "i"}]}


def limit_range(**lists):
    item = {"type": "Container", **lists}
    return {"metadata": {"name": "l"}, "spec": {"limits": [item]}}


def outcomes(*limit_ranges, spec=EMPTY):
    loaded = load_scope(features("1.36"), limit_ranges=limit_ranges)
    assert not loaded.errors
    return admit(decode_pod_spec(spec), loaded.scope)


def limits(outcome):
    return {name: str(q) for name, q in outcome.pod.containers[0].resources.limits.items()}


def causes(outcome):
    return {
        change.path[-2:]: change.cause
        for change in outcome.changes
        if change.stage is Stage.LIMIT_RANGER
    }


def test_two_limit_ranges_with_other_defaults_give_two_outcomes_the_given_order_first():
    first, second = outcomes(
        limit_range(default={"memory": "1Gi"}), limit_range(default={"memory": "2Gi"})
    )
    assert [limits(first), limits(second)] == [{"memory": "1Gi"}, {"memory": "2Gi"}]
    assert [first.order, second.order] == [(0, 1), (1, 0)]


def test_an_order_can_decide_the_class():
    both = {"cpu": "1", "memory": "1Gi"}
    result = outcomes(
        limit_range(default=both), limit_range(default=both, defaultRequest={"cpu": "100m"})
    )
    assert [outcome.qos for outcome in result] == [QOSClass.GUARANTEED, QOSClass.BURSTABLE]


def test_limit_ranges_for_other_resources_do_not_make_the_order_matter():
    (only,) = outcomes(limit_range(default={"memory": "1Gi"}), limit_range(default={"cpu": "1"}))
    assert limits(only) == {"cpu": "1", "memory": "1Gi"}


def test_equal_values_that_print_differently_are_two_outcomes():
    binary, decimal = "1Gi", "1073741824"
    found = outcomes(
        limit_range(default={"memory": binary}), limit_range(default={"memory": decimal})
    )
    assert [limits(each) for each in found] == [{"memory": binary}, {"memory": decimal}]


def test_the_order_does_not_matter_to_a_pod_that_lacks_nothing():
    spec = {"containers": [{"name": "c", "image": "i", "resources": {"limits": {"cpu": "1"}}}]}
    assert len(outcomes(*(limit_range(default={"cpu": n}) for n in "234"), spec=spec)) == 1


def test_resources_of_one_limit_range_stay_together():
    result = outcomes(
        limit_range(default={"cpu": "1", "memory": "1Gi"}),
        limit_range(default={"cpu": "2", "memory": "2Gi"}),
    )
    assert [limits(outcome) for outcome in result] == [
        {"cpu": "1", "memory": "1Gi"},
        {"cpu": "2", "memory": "2Gi"},
    ]


def test_overlapping_limit_ranges_mix_as_some_order_allows():
    result = outcomes(
        limit_range(default={"cpu": "1"}),
        limit_range(default={"cpu": "2", "memory": "2Gi"}),
        limit_range(default={"memory": "3Gi"}),
    )
    assert {tuple(limits(outcome).values()) for outcome in result} == {
        ("1", "2Gi"),
        ("1", "3Gi"),
        ("2", "2Gi"),
        ("2", "3Gi"),
    }


def test_more_orders_than_anybody_reads_are_told_as_unknown():
    many = (limit_range(default={"cpu": str(n)}) for n in range(1, MAX_ORDERS + 10))
    result = outcomes(*many)
    assert len(result) == MAX_ORDERS
    assert result[0].unknowns == (Unknown("LimitRange", "order", ()),)


def test_hundreds_of_conflicting_limit_ranges_take_no_time():
    names = [f"example.com/r{n}" for n in range(60)]
    ranges = [
        limit_range(default={name: str(n + k) for k, name in enumerate(names)})
        for n in range(1, 200)
    ]
    start = time.process_time()
    outcomes(*ranges)
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("lists", "limit_from", "request_from"),
    [
        ({"max": {"cpu": "1"}}, "max", "max"),
        ({"default": {"cpu": "1"}, "max": {"cpu": "2"}}, "default", "default"),
        ({"max": {"cpu": "1"}, "defaultRequest": {"cpu": "1"}}, "max", "defaultRequest"),
        ({"min": {"cpu": "1"}, "max": {"cpu": "1"}}, "max", "max"),
        ({"min": {"cpu": "1"}}, None, "min"),
    ],
)
def test_a_derived_default_points_at_the_key_that_was_authored(lists, limit_from, request_from):
    (outcome,) = outcomes(limit_range(**lists))
    path = ("spec", "limits", 0)
    expected = {("requests", "cpu"): Cause(0, "LimitRange", (*path, request_from, "cpu"))}
    if limit_from:
        expected["limits", "cpu"] = Cause(0, "LimitRange", (*path, limit_from, "cpu"))
    assert causes(outcome) == expected


def test_each_complaint_of_a_limit_range_is_a_rejection_at_its_field():
    spec = {
        "containers": [
            {"name": "c", "image": "i", "resources": {"limits": {"cpu": "4", "memory": "1Mi"}}}
        ]
    }
    bounds = limit_range(max={"cpu": "2"}, min={"memory": "2Mi"})
    (outcome,) = outcomes(bounds, spec=spec)
    resources = ("containers", 0, "resources")
    assert [(r.path, r.cause.path, r.message) for r in outcome.rejections] == [
        (
            (*resources, "requests", "memory"),
            ("spec", "limits", 0, "min", "memory"),
            "minimum memory usage per Container is 2Mi, but request is 1Mi",
        ),
        (
            (*resources, "limits", "cpu"),
            ("spec", "limits", 0, "max", "cpu"),
            "maximum cpu usage per Container is 2, but limit is 4",
        ),
    ]
