"""The story of a refusal: who cannot create what, why, and where the amounts come from."""

from __future__ import annotations

import pytest

from tests.report.test_explain import pod, told

RANGES = """
    apiVersion: v1
    kind: LimitRange
    metadata: {name: a}
    spec: {limits: [{type: Container, default: {cpu: "1"}, max: {memory: 2Gi}}]}
    ---
    apiVersion: v1
    kind: LimitRange
    metadata: {name: b}
    spec: {limits: [{type: Container, default: {cpu: "2"}}]}
    ---"""


def test_an_order_that_is_not_defined_gives_each_result(repository):
    text = told(repository, RANGES + pod("{requests: {cpu: 1500m}, limits: {memory: 1Gi}}"))
    assert "- LimitRange a comes before b: refused" in text
    assert "- LimitRange b comes before a: Burstable" in text
    assert "What follows is for: LimitRange b comes before a." in text
    assert "LimitRange default/b fills in limits.cpu 2 (a.yaml:9)" in text
    assert "LimitRange default/a (a.yaml:3) finds nothing to fill in." in text
    assert "it is within the bounds of LimitRange default/a" in text
    assert "Refused under some orders" in text
    first, second = text.split("  Or set:")
    assert "limits.cpu 1500m (a.yaml:17)" in first
    assert "requests.cpu 2 instead of 1500m" in second


def test_pods_that_are_not_known_and_objects_that_are_refused_tell_why(repository):
    text = told(repository, pod('{requests: {memory: "${SIZE}"}}'))
    assert "depends on what the files do not hold: placeholder in containers[0]" in text
    text = told(repository, """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: p}
        spec:
          selector: {matchLabels: {a: b}}
          template: {metadata: {labels: {a: c}}, spec: {containers: [{name: c, image: x}]}}
    """)  # fmt: skip
    assert "The API server refuses Deployment default/p itself, so it makes no pods:" in text
    assert "is not refused" not in text


def test_what_stands_in_the_way_of_guaranteed_is_told(repository):
    quota = """
    apiVersion: v1
    kind: ResourceQuota
    metadata: {name: q}
    spec: {hard: {requests.cpu: "1"}}
    ---"""
    text = told(repository, quota + pod("{requests: {cpu: 1}, limits: {cpu: 2, memory: 1Gi}}"))
    assert (
        "Recomputed by qoslint: the API server would refuse the pod: ResourceQuota: exceeded "
        "quota: q, "
        "requested: requests.cpu=2, used: requests.cpu=0, limited: requests.cpu=1" in text
    )
    first, second = text.split("  Or set:")
    assert "requests.cpu 2 instead of 1" in first
    assert "limits.cpu 1 instead of 2" in second
    assert (
        "Recomputed by qoslint: the API server would accept the pod, and it would be Guaranteed."
        in second
    )
    assert "How much is left of ResourceQuota default/q (a.yaml:3) cannot be known" in text


WORKLOAD = """
    apiVersion: {api}
    kind: {kind}
    metadata: {{name: p}}
    spec:
      {more}
      template:
        metadata: {{labels: {{a: b}}}}
        spec:
          priorityClassName: gone
          restartPolicy: {restart}
          containers: [{{name: c, image: x}}]
"""
SELECTING = "selector: {matchLabels: {a: b}}"


@pytest.mark.parametrize(
    ("api", "kind", "more", "restart", "maker"),
    [
        ("apps/v1", "Deployment", SELECTING, "Always", "its ReplicaSet"),
        ("apps/v1", "ReplicaSet", SELECTING, "Always", "it"),
        ("apps/v1", "DaemonSet", SELECTING, "Always", "it"),
        ("apps/v1", "StatefulSet", f"{SELECTING}\n      serviceName: p", "Always", "it"),
        ("batch/v1", "Job", "parallelism: 1", "Never", "it"),
    ],
)
def test_who_cannot_create_the_pods_of_a_workload_is_told(
    repository, api, kind, more, restart, maker
):
    text = told(repository, WORKLOAD.format(api=api, kind=kind, more=more, restart=restart))
    assert (
        f"  The {kind} itself is not refused for this; {maker} cannot create any pod (event "
        "FailedCreate):\n  - Priority: no PriorityClass with name gone was found (a.yaml:" in text
    )


def test_the_jobs_of_a_cron_job_cannot_create_its_pods(repository):
    text = told(
        repository,
        """
        apiVersion: batch/v1
        kind: CronJob
        metadata: {name: p}
        spec:
          schedule: "@daily"
          jobTemplate:
            spec:
              template:
                spec:
                  restartPolicy: Never
                  priorityClassName: gone
                  containers: [{name: c, image: x}]
        """,
    )
    assert "The CronJob itself is not refused for this; its Jobs cannot create any pod" in text


def test_a_bare_pod_is_refused_itself(repository):
    text = told(repository, pod("{}", "priorityClassName: gone"))
    assert "  The API server refuses Pod default/p:\n" in text
    assert "FailedCreate" not in text


def test_a_kind_of_somebody_elses_has_no_controller_that_is_known(repository):
    text = told(
        repository,
        """
        apiVersion: apps.kruise.io/v1alpha1
        kind: DaemonSet
        metadata: {name: p}
        spec:
          template: {spec: {priorityClassName: gone, containers: [{name: c, image: x}]}}
        """,
    )
    assert "  The API server refuses every pod of DaemonSet default/p:\n" in text


CLASS = """
    apiVersion: scheduling.k8s.io/v1
    kind: PriorityClass
    metadata: {name: batch-low}
    value: 7
    ---"""


def test_a_mistyped_class_is_told_as_in_check(repository):
    text = told(repository, CLASS + pod("{}", "priorityClassName: batch-lo"))
    assert "(a.yaml:10); did you mean 'batch-low'?\n" in text
    text = told(repository, CLASS + pod("{}", "priorityClassName: zzz"))
    assert "did you mean" not in text


def test_a_limit_that_no_manifest_states_says_where_it_comes_from(repository):
    limits = """
    apiVersion: v1
    kind: LimitRange
    metadata: {name: d}
    spec: {limits: [{type: Container, default: {memory: 512Mi}}]}
    ---"""
    text = told(repository, limits + pod("{requests: {memory: 1Gi}}"))
    assert (
        "must be less than or equal to memory limit of 512Mi (a.yaml:12; limits.memory 512Mi from "
        "LimitRange default/d, a.yaml:4)" in text
    )


def test_a_default_of_one_limit_range_that_another_refuses_says_whose_it_is(repository):
    limits = """
    apiVersion: v1
    kind: LimitRange
    metadata: {name: a}
    spec: {limits: [{type: Container, default: {memory: 2Gi}}]}
    ---
    apiVersion: v1
    kind: LimitRange
    metadata: {name: b}
    spec: {limits: [{type: Container, max: {memory: 1Gi}}]}
    ---"""
    text = told(repository, limits + pod("{requests: {memory: 64Mi}}"))
    assert "usage per Container is 1Gi, but limit is 2Gi, if LimitRange a comes before b (" in text
    assert "; limits.memory 2Gi from LimitRange default/a, a.yaml:4)" in text


def test_under_some_orders_the_amount_is_that_of_the_order_that_refuses(repository):
    text = told(repository, RANGES + pod("{requests: {cpu: 1500m}, limits: {memory: 1Gi}}"))
    _, refused = text.split("Refused under some orders")
    assert "limit of 1, if LimitRange a comes before b (a.yaml:" in refused
    assert "; limits.cpu 1 from LimitRange default/a, a.yaml:4)" in refused


def test_an_amount_that_is_stated_has_no_other_source(repository):
    text = told(repository, RANGES + pod("{requests: {cpu: 3}, limits: {cpu: 2, memory: 1Gi}}"))
    assert "less than or equal to cpu limit of 2 (a.yaml:" in text
    assert " from LimitRange" not in text
