"""The cases of the priority rules that are too small for their pages."""

import pytest

CLASS = (
    "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {{name: {name}}}\n{rest}\n"
)


def found(repository, rule, settings="", **files):
    repository.write({f"{name}.yaml": text for name, text in files.items()})
    repository.write(
        {".git/HEAD": "", ".qoslint.yaml": f"{settings}\nrules: {{select: [{rule}]}}\n"}
    )
    return [(each.location.file, str(each.severity)) for each in repository.check().findings]


DECLARED = "clusters: [{name: c, paths: [.], complete: true}]"


@pytest.mark.parametrize("settings", ["", DECLARED])
def test_a_class_of_two_values_in_one_folder_is_told_once(repository, settings):
    one, two = CLASS.format(name="x", rest="value: 1"), CLASS.format(name="x", rest="value: 2")
    assert found(repository, "QOS302", settings, a=one, b=two) == [("b.yaml", "error")]


def test_definitions_that_differ_in_their_default_alone_are_a_warning(repository):
    one = CLASS.format(name="x", rest="value: 1")
    two = CLASS.format(name="x", rest="value: 1\nglobalDefault: true")
    assert found(repository, "QOS302", DECLARED, a=one, b=two) == [("b.yaml", "warning")]


def test_a_definition_that_cannot_be_read_contradicts_nothing(repository):
    one, two = CLASS.format(name="x", rest="value: 1"), CLASS.format(name="x", rest="value: [2]")
    assert found(repository, "QOS302", DECLARED, a=one, b=two) == []


def test_of_two_defaults_the_one_outside_the_context_is_told(repository):
    settings = "clusters: [{name: c, paths: [a.yaml], context: [b.yaml], complete: true}]"
    low = CLASS.format(name="low", rest="value: 1\nglobalDefault: true")
    high = CLASS.format(name="high", rest="value: 2\nglobalDefault: true")
    assert found(repository, "QOS302", settings, a=low, b=high) == [("a.yaml", "error")]


def test_defaults_that_perhaps_belong_to_two_clusters_are_a_warning(repository):
    low = CLASS.format(name="low", rest="value: 1\nglobalDefault: true")
    high = CLASS.format(name="high", rest="value: 2\nglobalDefault: true")
    assert found(repository, "QOS302", a=low, b=high) == [("b.yaml", "warning")]


def test_only_what_was_asked_for_is_told_to_contradict(repository):
    one, two = CLASS.format(name="x", rest="value: 1"), CLASS.format(name="x", rest="value: 2")
    found(repository, "QOS302", DECLARED, a=one, b=two)
    assert [each.rule for each in repository.check("b.yaml").findings] == ["QOS302"]
    assert repository.check("a.yaml").findings == ()


WORKLOAD = """
---
apiVersion: {api}
kind: {kind}
metadata: {{name: serving}}
spec:
  {more}
  selector: {{matchLabels: {{a: b}}}}
  template:
    metadata: {{labels: {{a: b}}}}
    spec:
      {spec}
      containers: [{{name: c, image: x}}]
"""
JOB = """
---
apiVersion: batch/v1
kind: Job
metadata: {name: job}
spec:
  template:
    spec:
      restartPolicy: Never
      priorityClassName: x
      containers: [{name: c, image: x}]
"""


@pytest.mark.parametrize(
    ("kind", "more", "spec", "told"),
    [
        ("Deployment", "replicas: 1", "", True),
        ("StatefulSet", "serviceName: s", "", True),
        ("Deployment", "replicas: 0", "", False),
        ("DaemonSet", "minReadySeconds: 0", "", False),
        ("Deployment", "replicas: 1", "priorityClassName: x", False),
        ("Deployment", "replicas: 1", "priorityClassName: system-cluster-critical", False),
    ],
)
def test_batch_work_outranks_what_serves_with_less_priority(repository, kind, more, spec, told):
    serving = WORKLOAD.format(api="apps/v1", kind=kind, more=more, spec=spec)
    text = CLASS.format(name="x", rest="value: 5") + JOB + serving
    assert bool(found(repository, "QOS308", a=text)) is told


@pytest.mark.parametrize("mounts", ["5", "[5, {name: 7}, {}]", "[{name: other}]"])
def test_mounts_of_the_wrong_type_mount_nothing(repository, mounts):
    text = f"""
apiVersion: v1
kind: Pod
metadata: {{name: p}}
spec:
  containers:
    - {{name: c, image: x, volumeMounts: {mounts}}}
  volumes: [{{name: v, emptyDir: {{medium: Memory}}}}]
"""
    assert found(repository, "QOS505", a=text) == []
