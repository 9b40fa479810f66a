"""Input made to crash or to hang: everything is answered, and in time."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest

from qoslint.kernel.admission import admit, admit_object
from qoslint.kernel.decode import decode_pod_spec
from qoslint.kernel.features import features
from qoslint.kernel.jsonvalue import DecodeError
from qoslint.kernel.scope import load_scope
from qoslint.kernel.validation.field import MAX_ERRORS

FEATURES = features("1.36")
MANY = 5000


@pytest.fixture(autouse=True)
def in_time():
    start = time.process_time()
    yield
    assert time.process_time() - start < 10


def outcomes(spec, **objects):
    return admit(decode_pod_spec(spec), load_scope(FEATURES, **objects).scope)


def containers(**fields):
    return [{"name": f"c{n}", "image": "i", **fields} for n in range(MANY)]


def test_a_pod_of_thousands_of_containers_is_admitted():
    resources = {"limits": {"cpu": "1", "memory": "1Gi"}}
    spec = {"containers": containers(resources=resources), "resources": {"limits": {"cpu": "9k"}}}
    item = {"type": "Container", "default": {"ephemeral-storage": "1Gi"}, "max": {"cpu": "2"}}
    limits = [{"metadata": {"name": "l"}, "spec": {"limits": [item]}}]
    quota = [{"metadata": {"name": "q"}, "spec": {"hard": {"cpu": "1M"}}}]
    (outcome,) = outcomes(spec, limit_ranges=limits, quotas=quota)
    assert outcome.admitted


def test_a_pod_of_thousands_of_sidecars_is_admitted():
    resources = {"requests": {"cpu": "1", "memory": "1Gi"}}
    sidecars = containers(resources=resources, restartPolicy="Always")
    (outcome,) = outcomes({"containers": [{"name": "c", "image": "i"}], "initContainers": sidecars})
    assert outcome.admitted


def test_no_more_errors_are_told_than_anybody_reads():
    (outcome,) = outcomes({"containers": containers(image="", resources={"limits": {"x": "-1"}})})
    assert len(outcome.rejections) == MAX_ERRORS


def test_thousands_of_claims_that_do_not_exist_are_refused():
    claims = [{"name": f"x{n}"} for n in range(MANY)]
    known = [{"name": f"y{n}"} for n in range(MANY)]
    spec = {"containers": containers()[:1], "resourceClaims": known}
    spec["containers"][0]["resources"] = {"claims": claims}
    (outcome,) = outcomes(spec)
    assert len(outcome.rejections) == MAX_ERRORS


def test_thousands_of_resources_in_one_container_are_refused():
    names = {f"r{n}": "1" for n in range(MANY)}
    (outcome,) = outcomes(
        {"containers": [{"name": "c", "image": "i", "resources": {"limits": names}}]}
    )
    assert len(outcome.rejections) == MAX_ERRORS


def test_thousands_of_scopes_of_a_quota_are_refused():
    spec = {"hard": {f"r{n}": "1" for n in range(MANY)}, "scopes": ["x"] * MANY}
    loaded = load_scope(FEATURES, quotas=[{"metadata": {"name": "q"}, "spec": spec}])
    assert len(loaded.errors) == MAX_ERRORS


@pytest.mark.parametrize(
    "text", ["9" * 10_000, "1e9999999999", "0." + "0" * 10_000 + "1", "-" * 10_000]
)
def test_endless_quantities_are_refused(text):
    spec = {"containers": [{"name": "c", "image": "i", "resources": {"limits": {"cpu": text}}}]}
    with pytest.raises(DecodeError):
        decode_pod_spec(spec)


@pytest.mark.parametrize("text", ["1" * 1000, "1e1000", "1e-1000", "9" * 999 + "Ei"])
def test_the_longest_quantities_are_added_and_compared(text):
    limits = {"limits": {"cpu": text, "memory": text}}
    spec = {"containers": containers(resources=limits)[:3], "resources": limits}
    item = {"type": "Pod", "maxLimitRequestRatio": {"cpu": text}, "max": {"memory": text}}
    ranges = [{"metadata": {"name": "l"}, "spec": {"limits": [item]}}]
    quotas = [{"metadata": {"name": "q"}, "spec": {"hard": {"limits.cpu": text}}}]
    assert outcomes(spec, limit_ranges=ranges, quotas=quotas)


NESTED: object = "x"
for _ in range(500):
    NESTED = {"a": [NESTED]}


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        "x",
        1,
        -1.5,
        float("nan"),
        float("inf"),
        10**400,
        True,
        "\ud800",
        "\0",
        "-" * 10_000,
        "a-" * 100_000,
        [None],
        [{}],
        {"": None},
        {"a": {"b": {}}},
        NESTED,
    ],
    ids=lambda value: type(value).__name__,
)
def test_any_value_in_any_field_is_answered(value):
    fields = (
        *("containers", "initContainers", "ephemeralContainers", "resources", "overhead"),
        *("priority", "priorityClassName", "preemptionPolicy", "runtimeClassName", "os"),
        *("nodeSelector", "tolerations", "affinity", "volumes", "resourceClaims", "nodeName"),
        *("activeDeadlineSeconds", "terminationGracePeriodSeconds", "restartPolicy"),
    )
    for field in fields:
        answer({field: value})
    for field in ("name", "image", "resources", "resizePolicy", "restartPolicy"):
        answer({"containers": [{field: value}]})
    for field in ("limits", "requests", "claims"):
        answer({"containers": [{"resources": {field: value}}]})
        answer({"containers": [{"resources": {field: {"cpu": value}}}]})
    for kind in ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"):
        for field in ("selector", "template", "replicas", "strategy", "updateStrategy"):
            answer_object("apps/v1", kind, {field: value})
    for field in ("selector", "template", "parallelism", "schedule", "jobTemplate", "timeZone"):
        answer_object("batch/v1", "Job", {field: value})
        answer_object("batch/v1", "CronJob", {field: value})
    objects = [value, {"metadata": value}, {"spec": value}, {"spec": {"limits": value}}]
    objects += [{"spec": {"hard": value}}, {"overhead": value}, {"value": value}]
    load_scope(
        FEATURES,
        limit_ranges=objects,
        priority_classes=objects,
        runtime_classes=objects,
        quotas=objects,
    )


def answer(spec):
    with suppress(DecodeError):
        assert outcomes(spec)


def answer_object(version, kind, spec):
    data = {"apiVersion": version, "kind": kind, "metadata": {"name": "w"}, "spec": spec}
    for rejection in admit_object(data, FEATURES):
        assert rejection.message
