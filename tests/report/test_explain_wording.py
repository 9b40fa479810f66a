"""The words of a workload's story: units, what is left to others, and what stands for what."""

from __future__ import annotations

import pytest

from tests.report.test_explain import pod, told


def test_bytes_that_are_no_whole_number_say_what_they_count_as(repository):
    text = told(repository, pod("{requests: {memory: 1500m}, limits: {memory: 1536Mi}}"))
    assert "states requests.memory 1500m (1.5 bytes, counted as 2 bytes; a.yaml:7)" in text
    assert "1000 * memory request 1500m (1.5 bytes, counted as 2 bytes) / node memory 16Gi" in text
    assert "(the quotient is below 1 and is cut to 0)" in text
    assert "reserves memory 1500m (1.5 bytes, counted as 2 bytes) for each pod" in text
    # Class and eviction compare the quantities themselves.
    assert "memory request 1500m (1.5 bytes) does not equal limit 1536Mi" in text
    assert "This pod: request 1500m (1.5 bytes), priority 0." in text
    assert "1536Mi instead of 1500m (1.5 bytes, counted as 2 bytes; a.yaml:7)" in text


def test_less_memory_than_any_process_has_is_told_to_be_a_slip(repository):
    slip = "less than 1 KiB is most often a slip of the unit (`qoslint explain QOS701`)."
    text = told(repository, pod("{requests: {memory: 1500m, cpu: 100m}, limits: {memory: 512}}"))
    assert f"  requests.memory 1500m and limits.memory 512: {slip}" in text
    assert slip not in told(
        repository, pod("{requests: {memory: 1Ki, cpu: 1}, limits: {memory: 0}}")
    )


def test_a_fraction_of_a_byte_is_accepted_with_a_warning(repository):
    text = told(repository, pod("{requests: {memory: 1500m}}"))
    assert (
        "Validation accepts the pod, and the API server adds a warning: "
        'spec.containers[0].resources.requests[memory]: fractional byte value "1500m" is invalid, '
        "must be an integer.\n" in text
    )


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
        "them too: a running pod keeps its class, but once such a default rises, new pods are no "
        "longer Guaranteed, and once it falls below the request, new pods are refused." in first
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
            "requests.memory 1Gi (its default counts as its defaultRequest; ",
        ),
        ("max: {memory: 1Gi}", "limits.memory 1Gi (its max counts as its default; "),
        ("max: {memory: 1Gi}", "1Gi (its max counts as its default and defaultRequest; "),
        ("min: {memory: 1Gi}", "requests.memory 1Gi (its min counts as its defaultRequest; "),
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
    assert (
        "cpu.shares 128 (passed to the runtime, whose version decides which cpu.weight this "
        "becomes), at most 0.25 CPU" in new
    )
    assert "cpu.weight 5 (cgroup v2), at most 0.25 CPU (25000 of each 100000 µs) and no" in new
    assert "cpu.shares 128 (passed to the runtime), at most 0.25 CPU" in old
    assert "cgroup of the pod: cpu.shares 128 (cgroup v1), " in old


def test_memory_that_no_suffix_fits_is_told_in_bytes(repository):
    text = told(repository, pod("{limits: {memory: 1000}}"))
    assert "no CPU limit and at most 1000 bytes of memory" in text
    assert "1000 * memory request 1k (1000) / node memory" in text


def test_what_fails_and_what_is_as_guaranteed_needs_it_stand_apart(repository):
    text = told(repository, pod("{limits: {cpu: 1, memory: 2Gi}, requests: {memory: 1Gi}}"))
    failing, passing = text.split("  Already as Guaranteed requires:\n")
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
    assert (
        ", 1 pod at a time for each run; runs may overlap unless concurrencyPolicy says otherwise\n"
        in text
    )


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


TWO = """
    apiVersion: v1
    kind: Pod
    metadata: {name: p}
    spec:
      initContainers:
        - {name: setup, image: x, resources: {limits: {ephemeral-storage: 4Gi}}}
      containers:
        - {name: app, image: x, resources: {limits: {ephemeral-storage: 1Gi}}}
"""


def test_a_limit_of_disk_is_what_the_pod_is_evicted_for(repository):
    sentence = (
        "The kubelet evicts the pod, from a healthy node too, if it uses more than {} of "
        "ephemeral-storage (writable layers, logs, emptyDir volumes on disk and the like){}."
    )
    text = told(repository, pod("{limits: {ephemeral-storage: 2Gi}}"))
    assert sentence.format("2Gi", "") in text
    text = told(repository, TWO)
    assert sentence.format("4Gi", ", or a container more than its own limit") in text
    assert "from a healthy node" not in told(repository, pod("{limits: {memory: 2Gi}}"))
    critical = pod(
        "{limits: {ephemeral-storage: 2Gi}}",
        "priorityClassName: system-node-critical",
        namespace="kube-system",
    )
    assert "from a healthy node" not in told(repository, critical)


def test_new_limits_are_told_with_what_comes_of_them_and_those_of_now(repository):
    text = told(
        repository, pod("{requests: {cpu: 100m, memory: 1Gi}, limits: {cpu: 500m, memory: 2Gi}}")
    )
    assert (
        "  New limits: container 'app' gets at most 100m CPU (now 500m) and is OOM-killed above "
        "1Gi of memory (now 2Gi).\n" in text
    )
    text = told(repository, pod("{requests: {cpu: 1m, memory: 1Gi}}"))
    # The kernel takes no smaller quota than 1000 of 100000 microseconds.
    assert "gets at most 10m CPU (now none) and is OOM-killed above 1Gi of memory" in text


def test_new_limits_on_windows_kill_nothing(repository):
    resources = "{requests: {memory: 1Gi}, limits: {memory: 2Gi, cpu: 1}}"
    text = told(repository, pod(resources, "os: {name: windows}"))
    assert "container 'app' can use at most 1Gi of memory (now 2Gi)" in text
    assert "OOM-killed" not in text


def test_the_order_of_eviction_is_told_step_by_step(repository):
    text = told(repository, pod("{requests: {memory: 1Gi}}"))
    assert (
        "(a) pods that use more memory than they request before the others; (b) within each group, "
        "lower priority first; (c) at equal priority, the pod first whose use minus its request is "
        "greatest. This pod: request 1Gi, priority 0.\n" in text
    )


def test_new_limits_of_the_pod_level_block_are_those_of_the_pod_as_a_whole(repository):
    level = "resources: {limits: {memory: 4Gi, cpu: 2}, requests: {memory: 3Gi, cpu: 1}}"
    assert (
        "  New limits: the pod as a whole gets at most 1 CPU (now 2) and loses a container to the "
        "OOM killer above 3Gi of memory (now 4Gi).\n" in told(repository, pod("{}", level))
    )
