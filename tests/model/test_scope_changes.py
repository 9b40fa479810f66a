"""Which changes of a scope are tried on a pod: none that matters is left out."""

import random
from itertools import count

import pytest

from qoslint.kernel.admission import Injection, admit
from qoslint.kernel.decode import decode_pod_spec
from qoslint.kernel.features import features
from qoslint.kernel.scope import load_scope
from qoslint.model.change.record import CauseKind
from qoslint.model.change.scopechanges import mattering, scope_changes

FEATURES = features("1.36")


def some(draw, most, make):
    """Objects of a few names, in any order."""
    names = draw.sample(["a", "b", "c", "d"], draw.randint(0, most))
    return [make(name) for name in names]


def amounts(draw):
    """Quantities that are often equal, and sometimes written otherwise."""
    every = {"cpu": ["1", "1000m", "2"], "memory": ["1Gi", "1024Mi", "3Gi"]}
    names = draw.sample(sorted(every), draw.randint(0, 2))
    return {name: draw.choice(every[name]) for name in names}


def objects(draw):
    """What a scope is loaded from: objects of each kind, all of them of few values."""

    def limit_range(name):
        items = [{"type": draw.choice(["Container", "Pod", "PersistentVolumeClaim"])}]
        for key in draw.sample(["max", "min", "default", "defaultRequest"], draw.randint(0, 2)):
            items[0][key] = amounts(draw)
        if items[0]["type"] != "Container":
            items[0].pop("default", None), items[0].pop("defaultRequest", None)
        return {"metadata": {"name": name}, "spec": {"limits": items}}

    def priority_class(name):
        made = {"metadata": {"name": name}, "value": draw.randint(1, 3)}
        return {**made, "globalDefault": draw.random() < 0.3}

    def runtime_class(name):
        overhead = {"podFixed": amounts(draw)} if draw.random() < 0.7 else None
        return {"metadata": {"name": name}, "handler": "runc", "overhead": overhead}

    def quota(name):
        keys = draw.sample(["limits.memory", "requests.cpu", "pods", "cpu"], draw.randint(1, 2))
        spec = {"hard": {key: draw.choice(["1", "2", "0", "2Gi"]) for key in keys}}
        operator = draw.choice(["In", "NotIn", "Exists", "DoesNotExist", "", "", "BestEffort"])
        if operator == "BestEffort":
            spec = {"hard": {"pods": draw.choice(["0", "1"])}, "scopes": ["BestEffort"]}
        elif operator:
            expression = {"scopeName": "PriorityClass", "operator": operator}
            if "In" in operator:
                expression["values"] = [draw.choice("abcd")]
            spec["scopeSelector"] = {"matchExpressions": [expression]}
        return {"metadata": {"name": name}, "spec": spec}

    return {
        "limit_ranges": some(draw, 2, limit_range),
        "priority_classes": some(draw, 4, priority_class),
        "runtime_classes": some(draw, 3, runtime_class),
        "quotas": some(draw, 3, quota),
    }


def pod(draw):
    """A pod that lacks much, and may name classes."""
    resources = {"requests": amounts(draw), "limits": amounts(draw)}
    spec = {"containers": [{"name": "app", "image": "app", "resources": resources}]}
    if draw.random() < 0.6:
        spec["priorityClassName"] = draw.choice("abcd")
    if draw.random() < 0.6:
        spec["runtimeClassName"] = draw.choice("abcd")
    return decode_pod_spec(spec, {})


def told(outcomes):
    """What a comparison looks at, of each outcome."""
    return [
        (
            each.admitted,
            bool(each.rejections),
            not each.rejections and (each.pod, each.qos),
            each.unknowns,
        )
        for each in outcomes
    ]


@pytest.mark.parametrize("seed", range(8))
def test_what_is_not_tried_on_a_pod_makes_no_difference(seed):
    draw = random.Random(seed)
    tried = left_out = 0
    for _ in range(60):
        older, newer = objects(draw), objects(draw)
        for kind in older:
            kept = {each["metadata"]["name"]: each for each in older[kind]}
            newer[kind] = [
                kept.get(each["metadata"]["name"], each) if draw.random() < 0.4 else each
                for each in newer[kind]
            ]
        complete = draw.random() < 0.5
        before, after = (
            load_scope(FEATURES, **each, complete=complete).scope for each in (older, newer)
        )
        authored = pod(draw)
        injections = draw.choice(
            [(), (Injection("mesh", priority_class_name=draw.choice("abcd")),)]
        )
        outcomes = admit(authored, after, (), injections)
        for kind in (*CauseKind,)[1:5]:
            found = scope_changes(kind, before, after)
            wanted = set(mattering(found, authored, injections, outcomes))
            for change in found.changes:
                without = admit(authored, found.reverted(change), (), injections)
                if change in wanted:
                    tried += 1
                else:
                    left_out += 1
                    assert told(without) == told(outcomes), change
    assert tried > 50
    assert left_out > 50


def test_records_of_one_name_are_paired_in_their_order():
    number = count(1)

    def made(*names):
        classes = [{"metadata": {"name": each}, "value": next(number)} for each in names]
        return load_scope(FEATURES, priority_classes=classes).scope

    before, after = made("a", "b", "a"), made("b", "a")
    found = scope_changes(CauseKind.PRIORITY_CLASS, before, after)
    assert [(each.name, each.earlier, each.later) for each in found.changes] == [
        ("a", 0, 1),
        ("b", 1, 0),
        ("a", 2, None),
    ]
    values = [
        [each.value for each in found.reverted(change).priority_classes] for change in found.changes
    ]
    assert values == [[4, 1], [2, 5], [4, 5, 3]]
