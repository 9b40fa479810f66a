"""Tolerations against taints."""

import pytest

from qoslint.kernel.pod import Toleration
from qoslint.kernel.taints import DAEMON_TOLERATIONS, Taint, tolerates, untolerated

TAINT = Taint("gpu", "NoSchedule", "yes")


@pytest.mark.parametrize(
    ("toleration", "expected"),
    [
        (Toleration("gpu", "Exists"), True),
        (Toleration("", "Exists"), True),
        (Toleration("gpu", "Equal", "yes"), True),
        (Toleration("gpu", "", "yes"), True),
        (Toleration("gpu", "Equal", "no"), False),
        (Toleration("gpu", "Exists", effect="NoExecute"), False),
        (Toleration("gpu", "Exists", effect="NoSchedule"), True),
        (Toleration("cpu", "Exists"), False),
        (Toleration("gpu", "Odd", "yes"), False),
    ],
)
def test_a_toleration_is_meant_for_a_taint_by_key_value_and_effect(toleration, expected):
    assert tolerates(toleration, TAINT) is expected


def test_the_first_taint_that_nothing_tolerates_keeps_a_pod_away():
    other = Taint("team", "NoExecute", "a")
    assert untolerated((), (TAINT, other)) == TAINT
    assert untolerated((Toleration("gpu", "Exists"),), (TAINT, other)) == other
    assert untolerated((Toleration(operator="Exists"),), (TAINT, other)) is None


def test_a_preference_keeps_nothing_away():
    assert untolerated((), (TAINT._replace(effect="PreferNoSchedule"),)) is None


def test_pods_of_daemon_sets_tolerate_nodes_under_pressure_but_no_taint_of_people():
    pressure = Taint("node.kubernetes.io/memory-pressure", "NoSchedule")
    assert untolerated(DAEMON_TOLERATIONS, (pressure,)) is None
    assert untolerated(DAEMON_TOLERATIONS, (TAINT,)) == TAINT
