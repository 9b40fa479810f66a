"""What people complain of in other tools: defaults from the cluster, effective values, the class.

Each test names where the complaint stands, and shows that qoslint has no such problem.
"""

from __future__ import annotations

import pytest

RANGE = """
apiVersion: v1
kind: LimitRange
metadata: {{name: defaults, namespace: shop}}
spec: {{limits: [{{type: {type}, {item}}}]}}
---
"""
POD = """
apiVersion: v1
kind: Pod
metadata: {{name: {name}, namespace: shop}}
spec:
  {more}
  containers:
    - {{name: app, image: x, resources: {resources}}}
"""
EQUAL = "{limits: {cpu: 1, memory: 1Gi}}"
NODE = """
clusters:
  - name: c
    paths: [app.yaml]
    nodes: [{name: n16, capacity: {cpu: "4", memory: 16Gi}}]
"""


def limit_range(item, type="Container"):
    return RANGE.format(item=item, type=type)


def pod(resources="{}", name="app", more=""):
    return POD.format(resources=resources, name=name, more=more)


@pytest.fixture
def check(repository):
    def run(text, settings=""):
        files = {"app.yaml": text} | ({".qoslint.yaml": settings} if settings else {})
        return repository.write(files).check()

    return run


@pytest.fixture
def facts(repository):
    def run(text):
        (cluster,) = repository.write({"app.yaml": text}).facts()["clusters"]
        return cluster["pods"][0]

    return run


def rules(report):
    return [finding.rule for finding in report.findings]


def messages(report, rule):
    return [finding.message for finding in report.findings if finding.rule == rule]


def test_a_limit_range_that_supplies_requests_silences_what_misses_them(check):
    """FairwindsOps/polaris#163: missing requests, although the namespace supplies them."""
    defaults = limit_range("default: {cpu: 1, memory: 1Gi}, defaultRequest: {cpu: 1, memory: 1Gi}")
    assert "QOS103" in rules(check(pod()))
    report = check(defaults + pod())
    assert "QOS103" not in rules(report)
    assert [line.became for line in report.pods] == ["Guaranteed"]


@pytest.mark.parametrize(
    ("item", "requests", "limits"),
    [
        ("max: {cpu: 2}", {"cpu": "2"}, {"cpu": "2"}),
        ("min: {cpu: 100m}", {"cpu": "100m"}, {}),
        ("min: {cpu: 100m}, max: {cpu: 2}", {"cpu": "2"}, {"cpu": "2"}),
        ("min: {cpu: 100m}, default: {cpu: 500m}", {"cpu": "500m"}, {"cpu": "500m"}),
    ],
)
def test_bounds_imply_the_defaults_that_the_api_server_derives(facts, item, requests, limits):
    """FairwindsOps/polaris#165: an open question was what min and max imply."""
    made = facts(limit_range(item) + pod())
    assert (made["requests"], made["limits"]) == (requests, limits)


def test_a_pod_typed_limit_gives_no_defaults_and_bounds_the_sum(check):
    """FairwindsOps/polaris#165: the other open question was type Pod."""
    bound = limit_range("max: {memory: 1Gi}", type="Pod")
    assert messages(check(bound + pod("{limits: {memory: 1Gi}}")), "QOS207") == []
    (message,) = messages(check(bound + pod()), "QOS207")
    assert "No limit is specified" in message
    (message,) = messages(check(bound + pod("{limits: {memory: 2Gi}}")), "QOS207")
    assert "limits add up to 2Gi (container 'app' 2Gi)" in message


@pytest.mark.parametrize(
    ("resources", "rule"),
    [
        ("{requests: {cpu: 700m}}", "QOS202"),
        ("{requests: {cpu: 700m}, limits: {cpu: 900m}}", None),
        ("{requests: {cpu: 700m}, limits: {cpu: 2}}", "QOS203"),
        ("{limits: {cpu: 900m}}", None),
    ],
)
def test_the_default_is_a_cap_only_for_those_who_state_no_limit(check, resources, rule):
    """ministryofjustice/cloud-platform#4490: is it the default or the max that refuses a pod?"""
    text = limit_range("default: {cpu: 500m}, defaultRequest: {cpu: 10m}, max: {cpu: 1}")
    refused = {"QOS202", "QOS203"} & set(rules(check(text + pod(resources))))
    assert refused == ({rule} if rule else set())


def test_a_policy_can_ask_for_a_limit_range_in_some_namespaces(check):
    """redhat-cop/rego-policies#54: each namespace should have a LimitRange."""
    settings = "rules: {select: [QOS209], options: {QOS209: {namespaces: ['shop*']}}}\n"
    assert rules(check(pod(), settings)) == ["QOS209"]
    assert rules(check(limit_range("max: {cpu: 1}") + pod(), settings)) == []
    assert rules(check(pod().replace("shop", "tools"), settings)) == []


def test_what_only_looks_like_a_limit_range_or_quota_is_left_alone(check):
    """aquasecurity/trivy#8635: checks of LimitRanges fired on kinds such as HelmRelease."""
    settings = "rules: {preset: strict}\n"
    text = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: app, namespace: shop}
spec:
  limits: [{type: Container, default: {memory: 2Gi}, max: {memory: 1Gi}}]
  values: {kind: LimitRange, spec: {limits: [{type: Container, max: {cpu: 1}}]}}
---
apiVersion: example.com/v1
kind: LimitRange
metadata: {name: other, namespace: shop}
spec: {limits: [{type: Container, default: {memory: 2Gi}, max: {memory: 1Gi}}]}
"""
    assert [
        rule for rule in rules(check(text, settings)) if rule.startswith(("QOS2", "QOS8"))
    ] == []


@pytest.mark.parametrize(
    ("resources", "became"),
    [
        ("{}", "BestEffort"),
        ("{limits: {x.y/gpu: 1}}", "BestEffort"),
        ("{requests: {ephemeral-storage: 1Gi}}", "BestEffort"),
        ('{requests: {cpu: "0", memory: "0"}}', "BestEffort"),
        ("{requests: {memory: 1}}", "Burstable"),
        (EQUAL, "Guaranteed"),
    ],
)
def test_the_class_decides_and_not_whether_there_is_a_resources_block(check, resources, became):
    """stakater/Chowkidar#26: judge by the class, not by the presence of resources."""
    report = check(pod(resources))
    assert [line.became for line in report.pods] == [became]
    assert bool({"QOS103", "QOS104"} & set(rules(report))) == (became == "BestEffort")


def test_what_is_not_guaranteed_says_which_container_and_which_resource(check):
    """redhat-best-practices-for-k8s/certsuite#816: "not Guaranteed" alone helps nobody."""
    (message,) = messages(
        check(pod("{limits: {cpu: 1, memory: 1Gi}, requests: {memory: 512Mi}}")), "QOS105"
    )
    assert "'app' has memory request 512Mi below its limit 1Gi" in message


INITS = "initContainers: [{name: init, image: x, resources: {limits: {cpu: 1}}}]"


def test_an_init_container_that_spoils_the_class_is_named_with_the_price(check):
    """ytsaurus/ytsaurus-k8s-operator#835 and UKGovernmentBEIS/inspect_k8s_sandbox#120."""
    report = check(pod(EQUAL, more=INITS), NODE)
    (message,) = messages(report, "QOS102")
    assert "Init container 'init'" in message
    assert "no memory limit" in message
    assert "instead of -997" in message


def test_the_class_of_every_pod_stands_in_the_report(check):
    """kubernetes/kubernetes#32468: the class is spread over many fields, and easily lost."""
    text = (
        pod(EQUAL, name="a") + "---" + pod(name="b") + "---" + pod("{requests: {cpu: 1}}", name="c")
    )
    became = {line.name: line.became for line in check(text).pods}
    assert became == {"a": "Guaranteed", "b": "BestEffort", "c": "Burstable"}


def test_each_filled_in_number_names_the_field_that_it_comes_from(facts):
    """kubernetes/kubernetes#71184 and #74507: nobody can tell where their numbers came from."""
    text = """
apiVersion: v1
kind: LimitRange
metadata: {name: defaults, namespace: shop}
spec:
  limits:
    - type: Container
      max: {cpu: 1}
      default: {memory: 1Gi}
---
"""
    trace = facts(text + pod("{requests: {cpu: 1}}"))["trace"]
    filled = [step for step in trace if step["by"] == "LimitRange shop/defaults"]
    assert [
        (step["container"], step["field"], step["after"], step["at"]["line"]) for step in filled
    ] == [
        ("app", "requests.memory", "1Gi", 8),
        ("app", "limits.cpu", "1", 7),
        ("app", "limits.memory", "1Gi", 8),
    ]
