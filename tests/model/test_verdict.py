"""The class that a pod would get without LimitRanges, against admission without any."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from qoslint.kernel.admission import admit
from qoslint.kernel.decode import decode_pod_spec
from qoslint.kernel.features import features
from qoslint.kernel.outcome import Stage
from qoslint.kernel.qos import QOSClass
from qoslint.kernel.scope import load_scope
from qoslint.model.effective import Effective
from qoslint.model.scopes import NamespaceScope
from qoslint.model.verdict import judge, qos_without_limit_ranges

PODS = 2000
RESOURCES = ("cpu", "memory", "ephemeral-storage")
AMOUNTS = ("0", "100m", "1", "2")


@pytest.mark.parametrize("version", ["1.34", "1.37"])
def test_the_class_without_limit_ranges_is_that_of_admission_without_any(version):
    choice = random.Random(205)
    asked = changed = 0
    for _ in range(PODS):
        before, after = classes(a_pod(choice), a_limit_range(choice), version)
        asked += after is not None
        changed += before is not after
    assert asked > PODS // 10
    assert changed > PODS // 50


def test_a_pod_level_request_follows_what_a_limit_range_fills_in():
    """Since v1.37; before, it is copied from the pod-level limit first."""
    spec = {
        "containers": [{"name": "c", "image": "i"}],
        "resources": {"limits": {"cpu": "1", "memory": "1Gi"}},
    }
    pod, filled = decode_pod_spec(spec), limits(defaultRequest={"cpu": "100m", "memory": "1Mi"})
    guaranteed, burstable = QOSClass.GUARANTEED, QOSClass.BURSTABLE
    assert classes(pod, filled, "1.36") == (guaranteed, guaranteed)
    assert classes(pod, filled, "1.37") == (guaranteed, burstable)


def classes(pod, limit_range, version):
    """The class without and with the LimitRange, if it is one that the rule asks about."""
    scope = load_scope(features(version), limit_ranges=[limit_range]).scope
    outcomes = admit(pod, scope)
    verdict = judge(Effective(pod, NamespaceScope(scope), outcomes, outcomes[0], "shop"), ())
    if verdict is None or not is_filled_in(outcomes[0]):
        return None, None
    (bare,) = admit(pod, replace(scope, limit_ranges=()))
    exists = bare.admitted is not False or bare.qos is verdict.qos
    before = qos_without_limit_ranges(verdict)
    assert before is (bare.qos if exists else None), pod
    return before, verdict.qos


def is_filled_in(outcome):
    """Whether a LimitRange set cpu or memory: the class is only asked for then."""
    filled = (change for change in outcome.changes if change.stage is Stage.LIMIT_RANGER)
    return any(change.path[-1] in ("cpu", "memory") for change in filled)


def a_pod(choice):
    spec = {"containers": [a_container(choice, n) for n in range(choice.randint(1, 3))]}
    if choice.random() < 0.3:
        spec["initContainers"] = [a_container(choice, 3)]
    if choice.random() < 0.5:
        spec["resources"] = some_resources(choice)
    return decode_pod_spec(spec)


def a_container(choice, number):
    return {"name": f"c{number}", "image": "i", "resources": some_resources(choice)}


def some_resources(choice):
    return {"requests": some_amounts(choice), "limits": some_amounts(choice)}


def some_amounts(choice):
    density = choice.choice((0, 0, 0.4, 1))
    return {name: choice.choice(AMOUNTS) for name in RESOURCES if choice.random() < density}


def a_limit_range(choice):
    return limits(default=some_amounts(choice), defaultRequest=some_amounts(choice))


def limits(**item):
    spec = {"limits": [{"type": "Container", **item}]}
    return {"metadata": {"name": "defaults"}, "spec": spec}
