"""What findings say, to the letter, where it is easy to say something false."""

from __future__ import annotations

import pytest

POD = """
apiVersion: v1
kind: Pod
metadata: {{name: p}}
spec:
  containers:
    - {{name: app, image: x, resources: {resources}}}
"""
RANGE = """
---
apiVersion: v1
kind: LimitRange
metadata: {{name: {name}}}
spec: {{limits: [{{type: Container, {item}}}]}}
"""


def messages(repository, text, rule):
    report = repository.write({"app.yaml": text}).check()
    return [finding.message for finding in report.findings if finding.rule == rule]


@pytest.mark.parametrize(
    ("quantity", "hint"),
    [
        ('"100 m"', " Did you mean 100m?"),
        ("5 Gi", " Did you mean 5Gi?"),
        ("8GB", " Did you mean 8G?"),
        ("512mi", " Did you mean 512Mi?"),
        ("1K", " Did you mean 1k?"),
        ("much", ""),
        ("{a: b}", ""),
    ],
)
def test_a_hint_never_changes_the_amount(repository, quantity, hint):
    text = POD.format(resources=f"{{requests: {{memory: {quantity}}}}}")
    (message,) = messages(repository, text, "QOS702")
    assert message.endswith(f"so the API server refuses the whole object.{hint}")


@pytest.mark.parametrize(
    ("quantity", "said"),
    [
        ("500m", "is 500m, which is a fraction that Kubernetes rounds up to 1 byte."),
        ("512", "is 512, which is 512 bytes. Did you mean 512Mi?"),
        ("0.5", "is 0.5, which is a fraction that Kubernetes rounds up to 1 byte."),
    ],
)
def test_tiny_memory_is_quoted_as_written(repository, quantity, said):
    text = POD.format(resources=f"{{requests: {{memory: {quantity}}}}}")
    (message,) = messages(repository, text, "QOS701")
    hint = " Did you mean 500Mi?" if quantity == "500m" else ""
    assert message == f"requests.memory of Pod default/p {said}{hint}"


def test_a_larger_default_of_an_extended_resource_is_not_called_less(repository):
    text = POD.format(resources="{requests: {x.y/gpu: 1}}") + RANGE.format(
        name="gpus", item="default: {x.y/gpu: 4}"
    )
    assert messages(repository, text, "QOS202") == []
    (message,) = messages(repository, text, "QOS213")
    assert "must be equal to x.y/gpu limit of 4" in message


def test_each_limit_range_is_named_for_what_it_fills_in(repository):
    text = (
        POD.format(resources="{}")
        + RANGE.format(name="a", item="defaultRequest: {cpu: 100m, ephemeral-storage: 1Gi}")
        + RANGE.format(name="b", item="default: {memory: 1Gi}")
    )
    (message,) = messages(repository, text, "QOS205")
    assert message == (
        "Pod default/p is BestEffort as written and runs as Burstable: LimitRange default/a fills "
        "in requests.cpu 100m, among other things."
    )


def test_a_container_named_like_a_placeholder_keeps_its_name(repository):
    text = POD.format(resources="{limits: {cpu: 1, memory: 1Gi}}").replace(
        "  containers:", "  initContainers: [{name: '{object}', image: x}]\n  containers:"
    )
    (message,) = messages(repository, text, "QOS213")
    assert 'initContainers[0].name: Invalid value: "{object}"' in message


def test_facts_tell_on_standard_error_what_they_do_not_cover(repository, capfd):
    from click.testing import CliRunner

    from qoslint.cli.main import cli

    repository.write({"broken.yaml": "apiVersion: v1\nkind: Pod\nspec: [\n"})
    done = CliRunner().invoke(cli, ["facts", str(repository.root)])
    assert done.exit_code == 0
    assert "qoslint: not checked: 1 file not understood" in done.stderr


def pods(repository, text, **files):
    report = repository.write({"app.yaml": text, **files}).check()
    return report, {pod.name: pod for pod in report.pods}


@pytest.mark.parametrize(("first", "second"), [("1", "100m"), ("100m", "1")])
def test_a_refusal_under_one_order_only_says_under_which(repository, first, second):
    text = (
        POD.format(resources="{requests: {cpu: 500m}}")
        + RANGE.format(name="a", item=f"default: {{cpu: {first}}}")
        + RANGE.format(name="b", item=f"default: {{cpu: {second}}}")
    )
    report, found = pods(repository, text)
    assert found["p"].became == "unknown"
    assert report.coverage.gaps == {"pod unknown": 1}
    (finding,) = (item for item in report.findings if item.rule == "QOS202")
    order = "b comes before a" if second == "100m" else "a comes before b"
    assert finding.message.endswith(f"if LimitRange {order}.")


def test_a_placeholder_in_a_limit_range_leaves_the_class_unknown(repository):
    text = POD.format(resources="{}") + RANGE.format(name="a", item='default: {cpu: "${CPU}"}')
    report, found = pods(repository, text)
    assert (found["p"].became, found["p"].reason) == ("unknown", "placeholder in LimitRange a")
    assert report.findings == ()


def test_a_controller_of_a_custom_kind_may_fill_in_names_and_images(repository):
    text = """
        apiVersion: serving.knative.dev/v1
        kind: Service
        metadata: {name: s}
        spec: {template: {spec: {containers: [{resources: {requests: {memory: 1Gi}}}]}}}
    """
    report, found = pods(repository, text)
    assert found["s"].became == "Burstable"
    assert report.findings == ()


def test_a_windows_pod_has_no_score_on_a_linux_node(repository):
    nodes = {".qoslint.yaml": "nodes: [{name: lin, capacity: {memory: 8Gi}}]"}
    text = POD.format(resources="{}").replace("spec:", "spec:\n  os: {name: windows}", 1)
    _, found = pods(repository, text, **nodes)
    assert found["p"].scores == {}


def test_a_class_is_known_and_the_admission_is_not(repository):
    text = POD.format(resources="{requests: {memory: 1Gi}}")
    text = text.replace("spec:", "spec:\n  priorityClassName: elsewhere", 1)
    report, found = pods(repository, text)
    assert found["p"].became == "Burstable"
    assert report.coverage.gaps == {"pod of unknown admission": 1}


def test_a_pod_sum_names_only_the_containers_that_run_together(repository):
    text = (
        POD.format(resources="{limits: {memory: 1Gi}}").replace(
            "  containers:",
            "  initContainers:\n"
            "    - name: side\n      image: x\n      restartPolicy: Always\n"
            "      resources: {limits: {memory: 1Mi}}\n"
            "    - {name: init, image: x, resources: {limits: {memory: 2Gi}}}\n"
            "  containers:",
        )
        + "---\napiVersion: v1\nkind: LimitRange\nmetadata: {name: pods}\n"
        + "spec: {limits: [{type: Pod, max: {memory: 1Gi}}]}\n"
    )
    (message,) = messages(repository, text, "QOS207")
    assert message == (
        "LimitRange default/pods refuses Pod default/p: maximum memory usage per Pod is 1Gi, but "
        "limit is 2049Mi. Its memory requests add up to 2049Mi (init container 'init' 2Gi and "
        "sidecar 'side' 1Mi), and its limits add up to 2049Mi (init container 'init' 2Gi and "
        "sidecar 'side' 1Mi)."
    )


def test_the_default_of_which_limit_range_counts_is_said_with_every_value(repository):
    text = RANGE.format(name="a", item="default: {cpu: 1}") + RANGE.format(
        name="b", item="default: {cpu: 2}, maxLimitRequestRatio: {cpu: 1}"
    )
    (message,) = messages(repository, text, "QOS204")
    assert message == (
        "LimitRange default/a and LimitRange default/b fill in requests.cpu 1 or 2 and limits.cpu "
        "1 or 2, and Kubernetes applies them in no defined order. Two pods of one workload can get "
        "different values."
    )
