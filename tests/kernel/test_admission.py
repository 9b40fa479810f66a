"""Pods sent through the whole admission, against the answers of Kubernetes' own code.

Every field of every answer is compared. Up to v1.33 Kubernetes prints some bad values as Go dumps
or without quotes (`Invalid value: resource.Quantity{...}`): there the printed value is not
compared, but path, kind of error and explanation are. Where the order of a Go map decides which
one of several complaints is made, the answers hold them all, sorted.
"""

from __future__ import annotations

from itertools import groupby, permutations

import pytest

from qoslint.kernel.admission import Stage, admit, admit_object, default, warnings
from qoslint.kernel.decode import decode_pod_spec
from qoslint.kernel.defaults import set_defaults_pod
from qoslint.kernel.jsonvalue import DecodeError
from qoslint.kernel.limitrange import decode_limit_range
from qoslint.kernel.limitranger import mutate_pod
from qoslint.kernel.qos import compute_pod_qos
from qoslint.kernel.scope import load_scope

from .test_raw_pod import judged, printed

STAGES = {
    Stage.DECODE: "decode",
    Stage.PRIORITY: "priority",
    Stage.VALIDATION: "validation",
    Stage.LIMIT_RANGER: "limitranger-validate",
}
KINDS = ("limitRanges", "priorityClasses", "runtimeClasses")
LISTS = {
    "max": "max",
    "min": "min",
    "default": "default",
    "defaultRequest": "default_request",
    "maxLimitRequestRatio": "max_limit_request_ratio",
}


@pytest.mark.vectors("admission")
def test_pods_are_admitted_as_kubernetes_admits_them(vectors):
    vectors.check(lambda row: answer(row, vectors.features))


def answer(row, features):
    asked, pod = row["in"], row["in"]["pod"]
    loaded = loaded_scope(asked, features)
    result = object_answers(asked, loaded)
    try:
        decoded = decode_pod_spec(pod["spec"], pod["metadata"].get("annotations", {}))
    except DecodeError as error:
        refused = {"accepted": False, "stage": "decode", "errors": [error.message]}
        return reconciled(row, {**result, **refused}, features)
    metadata = admit_object(pod, features)
    got = {**result, **pod_answer(row, decoded, loaded.scope, metadata)}
    return reconciled(row, got, features)


def loaded_scope(asked, features):
    return load_scope(
        features,
        limit_ranges=asked.get("limitRanges", ()),
        priority_classes=asked.get("priorityClasses", ()),
        runtime_classes=asked.get("runtimeClasses", ()),
    )


def object_answers(asked, loaded):
    """What became of the LimitRanges and classes themselves."""
    kinds = {"limitRanges": "LimitRange", "priorityClasses": "PriorityClass"}
    result = {}
    for key in filter(asked.get, KINDS):
        kind = kinds.get(key, "RuntimeClass")
        result[key] = []
        for index, data in enumerate(asked[key]):
            errors = [e for e in loaded.errors if (e.kind, e.index) == (kind, index)]
            result[key].append(object_answer(data, errors))
            if key == "limitRanges" and not errors:
                result[key][-1]["limits"] = list(map(item_answer, decode_limit_range(data).limits))
    return result


def object_answer(data, errors):
    if not errors:
        return {"name": data["metadata"]["name"], "valid": True}
    if errors[0].by is Stage.DECODE:
        return {"valid": False, "errors": [f"decode: {errors[0].message}"]}
    texts = sorted(error.message for error in errors)
    return {"name": data["metadata"]["name"], "valid": False, "errors": texts}


def item_answer(item):
    lists = {key: printed(getattr(item, name)) for key, name in LISTS.items()}
    return {"type": item.type, **{key: value for key, value in lists.items() if value}}


def pod_answer(row, pod, scope, metadata):
    """What becomes of a pod that could be decoded, in the words of the answers."""
    outcomes = admit(pod, scope, metadata)
    first = outcomes[0]
    result = {"accepted": bool(first.admitted), **refusal(row, first, scope)}
    if "priority" not in result.get("stage", ""):
        result["priority"] = {
            "className": first.pod.priority_class_name,
            "value": first.pod.priority,
            "preemptionPolicy": first.pod.preemption_policy,
        }
    if annotation := limit_ranger_annotation(first):
        result["limitRangerAnnotation"] = annotation
    if len({outcome.global_default for outcome in outcomes}) > 1:
        result["priorityOrderMatters"] = True
    if first.qos is not None:
        result |= stored_answer(row, first, scope.features)
    return result | order_answer(pod, scope, outcomes)


def order_answer(pod, scope, outcomes):
    """What each order of the LimitRanges gives, all of them tried."""
    draft = default(pod, scope.features)
    orders = permutations(range(len(scope.limit_ranges)))
    pods = [mutate_pod(draft, scope.limit_ranges, order).pod for order in orders]
    choices = len({outcome.global_default for outcome in outcomes})
    different = {quantities(pod) for pod in pods}
    assert len(different) * choices == len(outcomes)
    if len(different) == 1:
        return {}
    classes = {str(compute_pod_qos(pod, scope.features)) for pod in pods}
    return {"limitRangeOrderMatters": True, "qosByOrder": sorted(classes)}


def quantities(pod):
    """All quantities of a pod's containers, as they are stored."""
    return tuple(
        tuple((name, str(quantity)) for name, quantity in resources.items())
        for _, container in pod.containers_with_paths()
        for resources in (container.resources.requests, container.resources.limits)
    )


def stored_answer(row, outcome, features):
    """The class, and the pod as it would be stored and read back, refused or not."""
    pod, _ = set_defaults_pod(outcome.pod, features)
    values = judged(row if "podCgroup" in row["out"] else brief(row), pod, features)
    for (_, container), value in zip(
        pod.containers_with_paths(), values["containers"], strict=True
    ):
        if container.resize_policy:
            value["resizePolicy"] = dict(container.resize_policy)
    if values["qos"] != outcome.qos:
        values["qosStatus"] = str(outcome.qos)
    if not outcome.admitted:
        keys = ("name", "kind", "requests", "limits", "resizePolicy")
        values["containers"] = [
            {key: value[key] for key in keys if key in value} for value in values["containers"]
        ]
        keep = ("qos", "qosStatus", "containers", "podResources")
        values = {key: value for key, value in values.items() if key in keep}
    if pod.overhead:
        values["overhead"] = printed(pod.overhead)
    if said := warnings(outcome):
        values["warnings"] = sorted(warning.message for warning in said)
    return values


def brief(row):
    """The row without the request for cgroup numbers, which refused pods do not get."""
    return {**row, "in": {**row["in"], "full": False}}


def refusal(row, outcome, scope):
    if not outcome.rejections:
        return {}
    by = outcome.rejections[0].by
    texts = [rejection.message for rejection in outcome.rejections]
    if by is Stage.LIMIT_RANGER:
        grouped = groupby(outcome.rejections, key=lambda rejection: rejection.cause.index)
        return {
            "stage": "limitranger-validate",
            "limitRangerErrors": [
                {
                    "limitRange": scope.limit_ranges[index].metadata.name,
                    "errors": sorted(rejection.message for rejection in group),
                }
                for index, group in grouped
            ],
        }
    if by is Stage.VALIDATION:
        return {"stage": "validation", "errors": sorted(texts)}
    stage = "priority" if by is Stage.PRIORITY else "runtimeclass"
    if outcome.qos is not None:
        stage = "runtimeclass-validate"
    return {"stage": stage, "errors": [f'pods "{pod_name(row["in"])}" is forbidden: {texts[0]}']}


def pod_name(asked):
    """The name that the answers give the pod; controllers add random letters, here always these."""
    if "pod" in asked:
        return asked["pod"]["metadata"]["name"]
    name = asked["object"]["metadata"]["name"]
    return f"{name}-28000000-abcde" if asked["object"]["kind"] == "CronJob" else f"{name}-abcde"


def limit_ranger_annotation(outcome):
    """The annotation as the last LimitRange that set something writes it, out of the changes."""
    changes = [change for change in outcome.changes if change.stage is Stage.LIMIT_RANGER]
    if not changes:
        return None
    last = max((change.cause.index for change in changes), key=outcome.order.index)
    mine = [change for change in changes if change.cause.index == last]
    mine.sort(key=lambda change: (change.path[0], change.path[1], change.path[3] != "requests"))
    parts = []
    for (key, index, block), group in groupby(
        mine, key=lambda change: (change.path[0], change.path[1], change.path[3])
    ):
        names = ", ".join(sorted(change.path[4] for change in group))
        containers = outcome.pod.containers
        word = "container"
        if key == "initContainers":
            containers, word = outcome.pod.init_containers, "init container"
        parts.append(f"{names} {block[:-1]} for {word} {containers[index].name}")
    return "LimitRanger plugin set: " + "; ".join(parts)


def reconciled(row, got, features):
    """The answer, with the expected text for each complaint that only differs in what is free."""
    if features.since(34):
        return got
    for key in ("errors", "limitRanges", "priorityClasses", "runtimeClasses"):
        if key in got and loosened(got[key]) == loosened(row["out"].get(key)):
            got = {**got, key: row["out"][key]}
    return got


def loosened(value):
    """The value, with field errors that do not show the bad value, lists of them sorted anew."""
    if isinstance(value, dict):
        return {key: loosened(item) for key, item in value.items()}
    if isinstance(value, list):
        items = [loosened(item) for item in value]
        return sorted(items) if all(isinstance(item, str) for item in items) else items
    if isinstance(value, str):
        path, _, rest = value.partition(": ")
        kind, _, rest = rest.partition(": ")
        if kind in ("Invalid value", "Unsupported value", "Duplicate value"):
            return ": ".join((path, kind, rest.partition(": ")[2]))
    return value
