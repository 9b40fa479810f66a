"""The words of a workload's story: units, what is left to others, and what stands for what."""

from __future__ import annotations

import pytest

from tests.report.test_explain import pod, told


def test_bytes_that_are_no_whole_number_say_what_they_count_as(repository):
    text = told(repository, pod("{requests: {memory: 1500m}, limits: {memory: 1536Mi}}"))
    assert "states requests.memory 1500m (1.5 bytes, counted as 2 bytes)" in text
    assert "1000 * memory request 1500m (1.5 bytes, counted as 2 bytes) / node memory 16Gi" in text
    assert "(the quotient is below 1 and is cut to 0)" in text
    assert "reserves memory 1500m (1.5 bytes, counted as 2 bytes) for each pod" in text
    # Class and eviction compare the quantities themselves.
    assert "memory request 1500m (1.5 bytes) does not equal limit 1536Mi" in text
    assert "(this one requests 1500m (1.5 bytes))" in text


def test_cpu_in_thousandths_is_no_part_of_a_byte(repository):
    assert "states requests.cpu 1500m (a.yaml" in told(repository, pod("{requests: {cpu: 1500m}}"))


DEFAULTS = """
    apiVersion: v1
    kind: LimitRange
    metadata: {name: d}
    spec: {limits: [{type: Container, CHANGES}]}
    ---"""


def test_a_proposal_says_what_it_leaves_to_a_limit_range_and_to_defaulting(repository):
    both = "default: {cpu: 500m, memory: 1Gi}, defaultRequest: {cpu: 100m, memory: 64Mi}"
    text = told(repository, DEFAULTS.replace("CHANGES", both) + pod("{}"))
    first, second = text.split("  Or set:")
    assert (
        "The cpu and memory limits of container 'app' come from LimitRange default/d; state "
        "them too, for a change of its default limits can take the class away, or get the pod "
        "refused." in first
    )
    assert "follow the limits" not in first
    assert "Requests that are not stated then follow the limits." in second
    assert "come from" not in second


def test_a_proposal_that_states_everything_leaves_nothing_to_others(repository):
    text = told(repository, pod("{requests: {cpu: 1, memory: 1Gi}, limits: {cpu: 2, memory: 2Gi}}"))
    assert (
        "Recomputed by qoslint: the API server would accept the pod, and it would be Guaranteed."
        in text
    )
    assert "follow the limits" not in text
    assert "come from" not in text


@pytest.mark.parametrize(
    ("authored", "sentence"),
    [
        (
            "default: {memory: 1Gi}",
            "requests.memory 1Gi (its default counts as its defaultRequest)",
        ),
        ("max: {memory: 1Gi}", "limits.memory 1Gi (its max counts as its default)"),
        ("max: {memory: 1Gi}", "1Gi (its max counts as its default and defaultRequest)"),
        ("min: {memory: 1Gi}", "requests.memory 1Gi (its min counts as its defaultRequest)"),
    ],
)
def test_a_derived_default_says_what_it_is_derived_from(repository, authored, sentence):
    assert sentence in told(repository, DEFAULTS.replace("CHANGES", authored) + pod("{}"))


def test_a_default_that_is_stated_is_not_derived(repository):
    stated = "default: {memory: 1Gi}, defaultRequest: {memory: 1Gi}"
    assert "counts as" not in told(repository, DEFAULTS.replace("CHANGES", stated) + pod("{}"))


def test_the_units_of_each_cgroup_version_are_named(repository):
    text = told(repository, pod("{limits: {cpu: 250m}, requests: {cpu: 125m, memory: 1}}"))
    new, old = text.split("On node old")
    assert "On node n16: 16Gi of memory (17179869184 bytes), kubelet 1.36" in new
    assert "cpu.shares 128 (asked of the runtime, which converts it on cgroup v2), 0.25 CPU" in new
    assert "cpu.weight 5 (cgroup v2), 0.25 CPU (25000 of each 100000 µs) at most and no" in new
    assert "cpu.shares 128 (asked of the runtime), 0.25 CPU" in old
    assert "cgroup of the pod: cpu.shares 128 (cgroup v1), " in old


def test_memory_that_no_suffix_fits_is_told_in_bytes(repository):
    text = told(repository, pod("{limits: {memory: 1000}}"))
    assert "no CPU limit and 1000 bytes of memory at most" in text
    assert "1000 * memory request 1k (1000) / node memory" in text


def test_what_fails_and_what_is_as_guaranteed_needs_it_stand_apart(repository):
    text = told(repository, pod("{limits: {cpu: 1, memory: 2Gi}, requests: {memory: 1Gi}}"))
    failing, passing = text.split("  As Guaranteed needs it:\n")
    assert failing.endswith(
        "  Not Guaranteed, because:\n  - container 'app': memory request 1Gi does not equal limit "
        "2Gi\n"
    )
    assert passing.startswith(
        "  - container 'app': CPU request 1 equals limit 1\n  Not BestEffort, because a request or "
        "limit of CPU or memory is above zero. So Burstable.\n"
    )


def test_the_pods_of_a_cron_job_are_those_of_a_run(repository):
    text = told(repository, """
        apiVersion: batch/v1
        kind: CronJob
        metadata: {name: p}
        spec:
          schedule: "@daily"
          jobTemplate:
            spec:
              template: {spec: {restartPolicy: Never, containers: [{name: c, image: x}]}}
    """)  # fmt: skip
    assert ", 1 pod at a time for each run\n" in text


def test_a_refusal_leads_to_the_rule_about_it(repository):
    text = told(repository, pod("{requests: {cpu: 2}, limits: {cpu: 1}}"))
    assert text.endswith("  `qoslint check` says how to correct it.\n")


def test_the_smallest_request_that_bounds_a_sidecar_is_told_as_it_is_stated(repository):
    text = told(repository, """
        apiVersion: v1
        kind: Pod
        metadata: {name: p}
        spec:
          initContainers:
            - name: proxy
              image: x
              restartPolicy: Always
              resources: {requests: {memory: 64Mi}}
          containers:
            - {name: app, image: x, resources: {requests: {memory: 1Gi}}}
            - {name: tiny, image: x, resources: {requests: {memory: 500m}}}
    """)  # fmt: skip
    assert (
        "the regular container that requests least: 1000 - 1000 * memory request 500m (0.5 bytes, "
        "counted as 1 byte) / node memory 16Gi (17179869184) = 1000 - 0 = 1000" in text
    )
