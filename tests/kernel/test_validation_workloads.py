"""What the API server refuses in workload objects, beyond what the vectors show."""

from __future__ import annotations

import pytest

from qoslint.kernel.admission import Stage, admit_object
from qoslint.kernel.features import features

POD = {"containers": [{"name": "c", "image": "i"}]}
LABELS = {"app": "w"}
TEMPLATE = {"metadata": {"labels": LABELS}, "spec": POD}
JOB_TEMPLATE = {"spec": POD | {"restartPolicy": "Never"}}
CONTROLLERS = ("Deployment", "ReplicaSet", "StatefulSet", "DaemonSet")


def controller(kind="Deployment", name="w", **spec):
    given = {"selector": {"matchLabels": LABELS}, "template": TEMPLATE, **spec}
    kept = {key: value for key, value in given.items() if value is not None}
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": name}, "spec": kept}


def job(name="w", **spec):
    given = {"template": JOB_TEMPLATE, **spec}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name}, "spec": given}


def cron_job(name="w", job_spec=None, **spec):
    given = {
        "schedule": "@daily",
        "jobTemplate": {"spec": {"template": JOB_TEMPLATE, **(job_spec or {})}},
        **spec,
    }
    return {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": name}, "spec": given}


def replication_controller(**spec):
    metadata = {"name": "w"}
    given = {"template": TEMPLATE, **spec}
    return {
        "apiVersion": "v1",
        "kind": "ReplicationController",
        "metadata": metadata,
        "spec": given,
    }


def messages(data, version="1.36"):
    rejections = admit_object(data, features(version))
    assert all(rejection.by is Stage.VALIDATION for rejection in rejections)
    return [rejection.message for rejection in rejections]


@pytest.mark.parametrize("kind", CONTROLLERS)
def test_a_plain_controller_is_accepted(kind):
    assert messages(controller(kind)) == []


@pytest.mark.parametrize("data", [job(), cron_job(), replication_controller()])
def test_a_plain_job_cron_job_or_replication_controller_is_accepted(data):
    assert messages(data) == []


def test_kinds_that_make_no_pods_are_not_judged():
    assert messages({"apiVersion": "v1", "kind": "Service", "spec": []}) == []
    assert messages({"apiVersion": "argoproj.io/v1alpha1", "kind": "Deployment"}) == []


@pytest.mark.parametrize("kind", CONTROLLERS)
def test_a_controller_must_select_its_own_pods(kind):
    other = controller(kind, selector={"matchLabels": {"app": "other"}})
    assert messages(other) == [
        'spec.template.metadata.labels: Invalid value: {"app":"w"}: `selector` does not match '
        "template `labels`"
    ]


def test_expressions_select_as_labels_do():
    def selecting(operator, values):
        expression = {"key": "app", "operator": operator, "values": values}
        return controller(selector={"matchExpressions": [expression]})

    assert messages(selecting("In", ["v", "w"])) == []
    assert messages(selecting("Exists", [])) == []
    assert len(messages(selecting("NotIn", ["w"]))) == 1
    assert len(messages(selecting("DoesNotExist", []))) == 1


def test_an_unreadable_selector_ends_the_validation():
    bad = {"matchExpressions": [{"key": "app", "operator": "in", "values": ["w"]}]}
    empty = {"metadata": {"labels": LABELS}, "spec": {}}
    assert messages(controller(selector=bad, template=empty)) == [
        'spec.selector.matchExpressions[0].operator: Invalid value: "in": not a valid selector '
        "operator",
        "spec.selector: Invalid value: "
        '{"matchExpressions":[{"key":"app","operator":"in","values":["w"]}]}: '
        "invalid label selector",
    ]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (controller(name=""), ["metadata.name: Required value: name or generateName is required"]),
        (controller(replicas=-1), ["spec.replicas: Invalid value: -1: must be greater than or "]),
        (
            controller(selector=None),
            [
                "spec.template.metadata.labels: Invalid value: ",
                "spec.selector: Required value",
            ],
        ),
        (
            controller("StatefulSet", selector={}),
            ["spec.selector: Invalid value: {}: empty selector is invalid for statefulset"],
        ),
        (
            controller(strategy={"type": "Recreate", "rollingUpdate": {"maxSurge": 1}}),
            [
                "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy "
                "`type` is 'Recreate'"
            ],
        ),
        (
            controller(strategy={"type": "recreate"}),
            ['spec.strategy: Unsupported value: "recreate": supported values: "Recreate", '],
        ),
        (
            controller("StatefulSet", podManagementPolicy="Serial"),
            ["spec.podManagementPolicy: Invalid value: \"Serial\": must be 'OrderedReady' or "],
        ),
        (
            controller("StatefulSet", name="a.b"),
            ['metadata.name: Invalid value: "a.b": must not contain dots'],
        ),
        (
            controller("DaemonSet", template=TEMPLATE | {"spec": POD | {"restartPolicy": "Never"}}),
            [
                'spec.template.spec.restartPolicy: Unsupported value: "Never": supported '
                'values: "Always"'
            ],
        ),
        (
            controller(template=TEMPLATE | {"spec": POD | {"activeDeadlineSeconds": 5}}),
            [
                "spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in "
                "ReplicaSet is not Supported"
            ],
        ),
        (
            controller(template=TEMPLATE | {"spec": POD | {"ephemeralContainers": [{}]}}),
            [
                "spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not "
                "allowed in pod template"
            ],
        ),
        (replication_controller(template=None), ["spec.template: Required value"]),
        (
            replication_controller(template={"spec": POD}),
            ["spec.selector: Required value"],
        ),
        (
            replication_controller(selector={"app": "other"}),
            ["spec.template.metadata.labels: Invalid value: "],
        ),
        (
            job(template={"spec": POD}),
            ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "N'],
        ),
        (job(parallelism=-1), ["spec.parallelism: Invalid value: -1: "]),
        (job(completionMode="Indexed"), ["spec.completions: Required value: when completion mode"]),
        (
            job(selector={"matchLabels": LABELS}),
            [
                'spec.selector: Invalid value: {"matchLabels":{"app":"w"}}: `selector` not '
                "auto-generated",
                "spec.template.metadata.labels: Invalid value: ",
            ],
        ),
        (job(manualSelector=True), ["spec.selector: Required value", "spec.template.metadata.la"]),
        (
            job(name="a" * 64),
            ["spec.template.labels: Invalid value: ", "spec.template.labels: Invalid value: "],
        ),
        (cron_job(schedule=""), ["spec.schedule: Required value"]),
        (
            cron_job(schedule="* * * *"),
            [
                'spec.schedule: Invalid value: "* * * *": expected exactly 5 fields, found 4: '
                "[* * * *]"
            ],
        ),
        (
            cron_job(schedule="CRON_TZ=UTC * * * * *"),
            [
                'spec.schedule: Invalid value: "CRON_TZ=UTC * * * * *": cannot use TZ or CRON_TZ '
                "in schedule, use timeZone field instead"
            ],
        ),
        (cron_job(timeZone="Mars/-X"), ['spec.timeZone: Invalid value: "Mars/-X": unknown time']),
        (cron_job(timeZone="local"), ['spec.timeZone: Invalid value: "local": timeZone must be']),
        (
            cron_job(concurrencyPolicy="Never"),
            ['spec.concurrencyPolicy: Unsupported value: "Never": supported values: "Allow", '],
        ),
        (
            cron_job(name="a" * 53),
            [f'metadata.name: Invalid value: "{"a" * 53}": must be no more than 52 characters'],
        ),
        (
            cron_job(job_spec={"selector": {}}),
            [
                "spec.jobTemplate.spec.selector: Invalid value: {}: `selector` will be "
                "auto-generated"
            ],
        ),
    ],
)
def test_a_bad_workload_is_refused(data, expected):
    found = messages(data)
    assert len(found) == len(expected)
    for text, start in zip(found, expected, strict=True):
        assert text.startswith(start)


def test_a_job_that_repeats_its_generated_labels_is_accepted():
    labels = {"job-name": "w", "batch.kubernetes.io/job-name": "w"}
    template = JOB_TEMPLATE | {"metadata": {"labels": labels}}
    assert messages(job(template=template)) == []


def test_a_job_exported_with_its_uid_is_refused():
    template = JOB_TEMPLATE | {"metadata": {"labels": {"controller-uid": "1-2"}}}
    (message,) = messages(job(template=template))
    assert message.startswith("spec.template.metadata.labels[controller-uid]: Invalid value: ")


@pytest.mark.parametrize(("version", "refused"), [("1.33", False), ("1.34", True)])
def test_the_pods_of_a_stateful_set_are_validated_since_1_34(version, refused):
    bad = controller("StatefulSet", template=TEMPLATE | {"spec": {"containers": []}})
    assert bool(messages(bad, version)) is refused


def test_a_field_of_the_wrong_type_is_refused_at_its_path_from_the_root():
    template = {"spec": {"containers": [{"name": "c", "resources": []}]}}
    (rejection,) = admit_object(job(template=template), features("1.36"))
    assert rejection.by is Stage.DECODE
    assert rejection.path == ("spec", "template", "spec", "containers", 0, "resources")


def test_an_unquoted_label_is_refused():
    data = controller(template={"metadata": {"labels": {"app": "w", "on": True}}, "spec": POD})
    (rejection,) = admit_object(data, features("1.36"))
    assert rejection.path == ("spec", "template", "metadata", "labels", "on")
    assert rejection.message == "'on' must be a string, not true. Put it in quotes."


def test_labels_are_told_at_the_label():
    labels = {"app": "w", "team": "a b"}
    data = controller(template={"metadata": {"labels": labels}, "spec": POD})
    (rejection,) = admit_object(data, features("1.36"))
    assert rejection.path == ("spec", "template", "metadata", "labels", "team")
    assert rejection.message.startswith('spec.template.labels: Invalid value: "a b": a valid label')


@pytest.mark.parametrize(
    ("metadata", "start"),
    [
        ({}, "metadata.name: Required value: name or generateName is required"),
        ({"generateName": "a-"}, None),
        ({"name": "A"}, 'metadata.name: Invalid value: "A": a lowercase RFC 1123 subdomain'),
        ({"name": "p", "labels": {"a/b/c": ""}}, 'metadata.labels: Invalid value: "a/b/c": a '),
        ({"name": "p", "annotations": {"/x": ""}}, 'metadata.annotations: Invalid value: "/x": '),
        ({"name": "p", "annotations": {"x": "y" * 2**18}}, "metadata.annotations: Too long: may "),
        (
            {"name": "p", "annotations": {"kubernetes.io/config.mirror": "m"}},
            'metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "m": must set '
            "spec.nodeName if mirror pod annotation is set",
        ),
    ],
)
def test_the_metadata_of_a_pod_is_validated(metadata, start):
    found = messages({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": POD})
    assert bool(found) is (start is not None)
    assert all(text.startswith(start) for text in found)
