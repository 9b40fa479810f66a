"""The class rules together: which of them speaks where, and what they say, to the letter."""

from __future__ import annotations

import json
import random

import pytest

from tests.conftest import Repository

PODS = 400
AMOUNTS = ("0", "100m", "1")
RESOURCES = ("cpu", "memory", "ephemeral-storage", "nvidia.com/gpu")
LIMIT_RANGES = (
    {},
    {"max": {"cpu": "1", "memory": "1"}},
    {"max": {"memory": "1"}, "default": {"cpu": "1"}},
    {"defaultRequest": {"memory": "100m", "ephemeral-storage": "1"}},
)


def a_container(choice, number):
    def amounts():
        names = choice.sample(RESOURCES, choice.randint(0, 2))
        return {name: "1" if "/" in name else choice.choice(AMOUNTS) for name in names}

    resources = {"requests": amounts(), "limits": amounts()}
    return {"name": f"c{number}", "image": "i", "resources": resources}


def a_pod(choice, number):
    containers = [a_container(choice, each) for each in range(choice.randint(1, 3))]
    spec = {"containers": containers}
    if len(containers) > 1 and choice.random() < 0.5:
        spec["initContainers"] = [containers.pop()]
    if choice.random() < 0.2:
        resources = choice.choice(({}, {"limits": {"cpu": "2", "memory": "2"}}))
        spec["resources"] = resources
    metadata = {"name": f"p{number}", "namespace": f"n{number % len(LIMIT_RANGES)}"}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """Many pods, each with its class and the rules that have found something."""
    repository = Repository(tmp_path_factory.mktemp("judged"))
    choice = random.Random(101)
    things = [a_pod(choice, number) for number in range(PODS)]
    for number, item in enumerate(LIMIT_RANGES):
        metadata = {"name": "l", "namespace": f"n{number}"}
        spec = {"limits": [{"type": "Container", **item}]}
        things.append(
            {"apiVersion": "v1", "kind": "LimitRange", "metadata": metadata, "spec": spec}
        )
    repository.write({"all.yaml": "\n---\n".join(map(json.dumps, things))})
    (cluster,) = repository.facts()["clusters"]
    rules = {f"Pod {pod['namespace']}/{pod['name']}": [] for pod in cluster["pods"]}
    for finding in repository.check().findings:
        for label in finding.objects:
            rules.setdefault(label, []).append(finding.rule)
    return [(pod, rules[f"Pod {pod['namespace']}/{pod['name']}"]) for pod in cluster["pods"]]


def test_exactly_one_rule_says_that_a_pod_is_best_effort(judged):
    found = [
        (pod["qosClass"] == "BestEffort", [rule for rule in rules if rule in ("QOS103", "QOS104")])
        for pod, rules in judged
    ]
    assert all(len(rules) == weakest for weakest, rules in found)
    assert {rule for _, rules in found for rule in rules} == {"QOS103", "QOS104"}


@pytest.mark.parametrize("pair", [("QOS110", "QOS205"), ("QOS105", "QOS106"), ("QOS102", "QOS105"),
                                  ("QOS102", "QOS106")])  # fmt: skip
def test_two_rules_never_say_the_same_of_a_pod(judged, pair):
    found = [{*rules} & {*pair} for _, rules in judged]
    assert {len(each) for each in found} == {0, 1}
    assert set.union(*found) == {*pair}


def test_what_is_said_of_a_class_is_so(judged):
    for pod, rules in judged:
        if {"QOS102", "QOS105"} & {*rules}:
            assert pod["qosClass"] == "Burstable"
        if "QOS110" in rules:
            assert pod["qosClass"] == "Guaranteed"
        if pod["admitted"] is False:
            assert not [rule for rule in rules if rule.startswith("QOS1")]


POD = """
apiVersion: {api}
kind: {kind}
metadata:
  name: p
  annotations: {{qoslint.dev/expect-qos: {expected}}}
spec:
  {spec}
"""
CONTAINERS = "containers: [{name: app, image: x, resources: {limits: {cpu: 1, memory: 1Gi}}}]"


def said(repository, text, settings="", rule="QOS101"):
    report = repository.write({"app.yaml": text, ".qoslint.yaml": settings}).check()
    assert report.failed_checks == ()
    return [(str(f.severity), f.message) for f in report.findings if f.rule == rule]


def expecting(expected, spec=CONTAINERS, api="v1", kind="Pod"):
    return POD.format(api=api, kind=kind, expected=expected, spec=spec)


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ("BURSTABLE", " Did you mean Burstable?"),
        ("best-effort", " Did you mean BestEffort?"),
        ('"Guaranteed "', " Did you mean Guaranteed?"),
        ("first", ""),
    ],
)
def test_a_value_that_is_no_class_is_told_with_the_nearest(repository, value, hint):
    ((severity, message),) = said(repository, expecting(value))
    assert severity == "error"
    assert message.endswith(f", which is none of Guaranteed, Burstable and BestEffort.{hint}")


@pytest.mark.parametrize("value", ["x" * 10_000, '"\\e[31mred"'])
def test_a_strange_value_is_shown_in_a_few_plain_characters(repository, value):
    ((_, message),) = said(repository, expecting(value))
    assert len(message) < 200
    assert "\x1b" not in message


def test_the_annotation_of_the_pods_and_of_their_owner_may_differ_and_then_one_is_wrong(repository):
    template = "template: {metadata: {annotations: {qoslint.dev/expect-qos: Guaranteed}, labels: " \
        "{a: b}}, spec: {" + CONTAINERS + "}}"  # fmt: skip
    text = expecting(
        "Burstable", f"selector: {{matchLabels: {{a: b}}}}\n  {template}", "apps/v1", "Deployment"
    )
    ((severity, message),) = said(repository, text)
    assert severity == "error"
    assert message == (
        "Deployment default/p is expected to be Burstable, but it is Guaranteed, since all CPU and "
        "memory requests equal their limits."
    )


def test_many_containers_in_the_way_are_counted(repository):
    names = [f"c{number}" for number in range(7)]
    containers = ", ".join(f"{{name: {name}, image: x}}" for name in names)
    ((_, message),) = said(repository, expecting("Guaranteed", f"containers: [{containers}]"))
    assert "container 'c3' has no CPU limit and no memory limit; and 3 more." in message


RANGE = """
---
apiVersion: v1
kind: LimitRange
metadata: {{name: {name}}}
spec: {{limits: [{{type: Container, default: {{cpu: {cpu}}}, defaultRequest: {{cpu: 1}}}}]}}
"""
NO_CPU = "containers: [{name: app, image: x, resources: {limits: {memory: 1Gi}}}]"
DOUBTS = {
    "an order": (
        expecting("Guaranteed", NO_CPU)
        + RANGE.format(name="a", cpu=1)
        + RANGE.format(name="b", cpu=2),
        "it is Burstable or Guaranteed, depending on an order that Kubernetes leaves undefined.",
    ),
    "a placeholder": (
        expecting("Guaranteed", NO_CPU.replace("1Gi", '"${MEMORY}"')),
        "it depends on what is not known: placeholder in containers[0].resources.limits.memory.",
    ),
    "a controller": (
        expecting("Guaranteed", f"template: {{spec: {{{CONTAINERS}}}}}", "acme.io/v1", "Gadget"),
        "it is Guaranteed as the template stands, but what the controller of a Gadget makes of it "
        "is unknown.",
    ),
}


@pytest.mark.parametrize("doubt", DOUBTS)
def test_a_class_that_is_not_known_is_a_note(repository, doubt):
    text, why = DOUBTS[doubt]
    ((severity, message),) = said(repository, text)
    assert severity == "note"
    assert message.startswith("Whether ")
    assert message.endswith(f"is Guaranteed, as expected, is not known: {why}")


def test_a_placeholder_expects_nothing_yet(repository):
    assert said(repository, expecting('"${QOS}"')) == []


def test_a_class_is_wrong_under_every_order(repository):
    text = expecting("BestEffort", NO_CPU) + RANGE.format(name="a", cpu=1)
    text += RANGE.format(name="b", cpu=2)
    ((severity, message),) = said(repository, text)
    assert severity == "error"
    assert "but it is Burstable or Guaranteed, since container 'app' has requests.cpu 1" in message


PODLEVEL = """
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  resources: %s
  containers: [{name: app, image: x, resources: {requests: {memory: 1Gi}}}]
"""
BLOCKS = ("{}", "{limits: {cpu: 1, memory: 1Gi}}", "{requests: {memory: 2Gi}}")


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("version", ["1.31", "1.33", "1.34", "1.36", "1.37"])
def test_the_class_by_version_is_the_class_on_that_version(repository, block, version):
    classes = {}
    for minor in range(31, 38):
        files = {"app.yaml": PODLEVEL % block, ".qoslint.yaml": f'kubernetes: "1.{minor}"'}
        (cluster,) = repository.write(files).facts()["clusters"]
        classes[f"1.{minor}"] = cluster["pods"][0]["qosClass"]
    found = said(repository, PODLEVEL % block, f'kubernetes: "{version}"', "QOS107")
    others = [each for each in classes if classes[each] not in (None, classes[version])]
    assert len(found) == bool(others)
    for severity, message in found:
        minor = int(version[2:])
        near = {f"1.{minor - 1}", f"1.{minor + 1}"} & {*others}
        assert severity == ("warning" if near else "note")
        assert f": {classes[version]} on {version}, where " in message
        assert {classes[each] for each in others} <= {*message.split()}


def test_feature_gates_of_the_cluster_are_named(repository):
    settings = "featureGates: {PodLevelResources: false}"
    ((severity, message),) = said(repository, PODLEVEL % BLOCKS[1], settings, "QOS107")
    assert severity == "warning"
    assert message == (
        "The class of Pod default/p depends on the version of Kubernetes: Burstable on 1.36 with "
        "the feature gates of this cluster, where the pod-level block is dropped; Guaranteed on "
        "1.34 to 1.36, where the pod-level block decides; Guaranteed on 1.37, where the pod-level "
        "block decides, filled in after the LimitRanges."
    )
