"""What other values change, in the words of the story: rows, refusals, and what stays as it was."""

from __future__ import annotations

import pytest

from tests.report.test_explain import pod, told

CLASS = """
    apiVersion: scheduling.k8s.io/v1
    kind: PriorityClass
    metadata: {name: batch-low}
    value: -100
    preemptionPolicy: Never
    ---"""
LIMITS = """
    apiVersion: v1
    kind: LimitRange
    metadata: {name: d}
    spec: {limits: [{type: Container, default: {cpu: 500m, memory: 512Mi}}]}
    ---"""
NONE = "No pod is created, so it has no class, priority or score."


def changed(repository, text, *what_if):
    """The lines of the comparison without the blanks of its table."""
    return [" ".join(line.split()) for line in told(repository, text, what_if=what_if).splitlines()]


def test_a_class_changes_the_preemption_policy_too(repository):
    lines = changed(repository, CLASS + pod("{}"), "priorityClassName=batch-low")
    assert "priority 0 -> -100" in lines
    assert "preemptionPolicy PreemptLowerPriority -> Never" in lines
    lines = changed(repository, CLASS + pod("{}"), "requests.memory=1Gi")
    assert not [line for line in lines if line.startswith(("preemptionPolicy", "cpu."))]


def test_a_cpu_request_changes_shares_and_weight_by_the_cgroup_version(repository):
    lines = changed(repository, pod("{requests: {cpu: 100m}}"), "requests.cpu=1")
    assert "cpu.shares of container 'app' on n16 102 -> 1024" in lines
    assert "cpu.weight of the pod's cgroup on n16 4 -> 39" in lines
    assert "cpu.shares of the pod's cgroup on old 102 -> 1024" in lines


def test_nodes_that_agree_are_told_in_one_row(repository):
    settings = "nodes: [{name: a, capacity: {memory: 1Gi}}, {name: b, capacity: {memory: 2Gi}}]"
    repository.write({".qoslint.yaml": settings, "a.yaml": pod("{requests: {cpu: 100m}}")})
    text = explained_text(repository, "requests.cpu=1")
    assert "cpu.shares of container 'app' 102 -> 1024" in text
    assert "cpu.weight of the pod's cgroup 4 -> 39" in text


def explained_text(repository, *what_if):
    from qoslint.report.explain import render
    from qoslint.report.style import Style
    from tests.report.test_explain import explained

    document = explained(repository.root, "p", *what_if)
    return " ".join(render(document, Style(width=10_000)).split())


def test_a_value_that_is_there_already_is_no_change(repository):
    lines = changed(repository, pod("{requests: {memory: 1Gi}}"), "requests.memory=1Gi")
    assert "- container 'app': requests.memory: 1Gi, as before (a.yaml:7)" in lines


@pytest.mark.parametrize("resources", ["{}", "{requests: {cpu: 700m}}"])
def test_a_refused_pod_has_no_numbers(repository, resources):
    lines = changed(repository, LIMITS + pod(resources), "requests.memory=1Gi")
    assert NONE in lines
    assert not [line for line in lines if line.startswith(("class", "priority", "oom_score_adj"))]
    assert not [line for line in lines if "none" in line]


def test_a_pod_that_was_refused_so_far_has_its_numbers_alone(repository):
    lines = changed(repository, LIMITS + pod("{requests: {cpu: 700m}}"), "limits.cpu=1")
    assert "admission refused -> accepted" in lines
    assert "class Burstable" in lines
    assert "cpu.weight of the pod's cgroup on n16 28" in lines
    assert (
        "Without the change no pod is created, so there is no class, priority or score to compare "
        "with." in lines
    )


def test_a_new_reason_is_told_apart_from_those_that_are_there(repository):
    text = LIMITS + pod("{requests: {cpu: 700m, memory: 64Mi}}")
    lines = changed(repository, text, "requests.memory=1Gi")
    assert "admission refused, now for 2 reasons (before: 1)" in lines
    (old,) = (line for line in lines if line.startswith("Refused as before by Validation: "))
    (new,) = (line for line in lines if line.startswith("Newly refused by Validation: "))
    assert "cpu limit of 500m" in old
    assert "memory limit of 512Mi (a.yaml:12; limits.memory 512Mi from LimitRange default/d," in new
    lines = changed(repository, text, "requests.memory=128Mi")
    assert "admission refused, as before" in lines


def test_a_refusal_of_a_pod_that_was_accepted_is_just_a_refusal(repository):
    lines = changed(repository, CLASS + pod("{}"), "priorityClassName=batch-lo")
    (line,) = (line for line in lines if line.startswith("Refused by Priority: "))
    assert line.endswith("; did you mean 'batch-low'?")


def test_a_warning_of_the_api_server_is_quoted(repository):
    quoted = 'spec.containers[0].resources.requests[memory]: fractional byte value "1500m" is'
    lines = changed(repository, pod("{}"), "requests.memory=1500m")
    assert [line for line in lines if line.startswith(f"The API server warns: {quoted}")]
    lines = changed(repository, pod("{requests: {memory: 1500m}}"), "requests.cpu=1")
    assert [line for line in lines if line.startswith(f"The API server warns as before: {quoted}")]


def test_an_init_container_is_one_in_every_row(repository):
    text = pod("{}").replace(
        "containers:", "initContainers: [{name: setup, image: x}]\n      containers:"
    )
    lines = changed(repository, text, "setup:requests.memory=1Gi")
    assert "- init container 'setup': requests.memory: not stated -> 1Gi (a.yaml:6)" in lines
    assert "oom_score_adj of init container 'setup' on n16 1000 -> 938" in lines
