"""Who may preempt whom: by priority alone."""

import pytest

from qoslint.kernel.pod import Container, Pod
from qoslint.model.preemption import may_preempt, preemption


def pod(priority, policy="PreemptLowerPriority", **fields):
    containers = (Container("a"),)
    return Pod(containers, priority=priority, preemption_policy=policy, **fields)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (pod(10), pod(9), True),
        (pod(10), pod(10), False),
        (pod(9), pod(10), False),
        (pod(10, "Never"), pod(0), False),
        (pod(10), pod(0, "Never"), True),
        (pod(0), pod(-1), True),
        (pod(2_000_001_000), pod(2_000_000_000), True),
    ],
)
def test_only_a_lower_priority_can_be_preempted_and_never_by_who_never_does(one, other, expected):
    assert may_preempt(one, other) is expected


def test_levels_are_sorted_and_hold_every_pod_once():
    who = preemption([pod(0), pod(100), pod(0, "Never"), pod(100, "Never"), pod(2_000_000_000)])
    assert who.levels == ((2_000_000_000, (4,)), (100, (1, 3)), (0, (0, 2)))
    assert who.critical == (4,)


def test_who_never_preempts_is_only_told_where_others_are_below():
    assert preemption([pod(5, "Never"), pod(5)]).never == ()
    assert preemption([pod(5, "Never"), pod(4, "Never")]).never == (0,)


def test_a_static_pod_is_critical_whatever_its_priority():
    assert preemption([pod(None, static=True), pod(3)]).critical == (0,)


def test_no_pods_have_no_levels():
    assert preemption([]).levels == ()
