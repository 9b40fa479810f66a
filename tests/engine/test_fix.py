"""Which findings keep a fix when several objects share one place."""

POD = """
apiVersion: v1
kind: Pod
metadata: {{name: {name}}}
spec:
  containers: [{{name: c, image: x, resources: {{requests: {{memory: {memory}}}}}}}]
"""
SHARED = """
apiVersion: v1
kind: List
items:
- apiVersion: apps/v1
  kind: Deployment
  metadata: {name: a}
  spec: &spec
    selector: {matchLabels: {a: b}}
    template:
      metadata: {labels: {a: b}}
      spec: {containers: [{name: c, image: x, resources: {requests: {memory: 500m}}}]}
- apiVersion: apps/v1
  kind: Deployment
  metadata: {name: b}
  spec: *spec
"""


def fixes(report, rule="QOS701"):
    (finding,) = (it for it in report.findings if it.rule == rule)
    return [(it.file, *it.span.start, it.text) for it in finding.fixes], finding.objects


def test_a_finding_has_its_fix(repository):
    repository.write({"a.yaml": POD.format(name="a", memory="500m")})
    assert fixes(repository.check()) == ([("a.yaml", 5, 67, "500Mi")], ("Pod default/a",))


def test_objects_that_share_a_line_have_one_fix(repository):
    repository.write({"a.yaml": SHARED})
    found, objects = fixes(repository.check())
    assert [(line, text) for _, line, _, text in found] == [(11, "500Mi")]
    assert objects == ("Deployment default/a", "Deployment default/b")


def test_an_exception_for_one_of_them_leaves_no_fix(repository):
    exception = "{rule: QOS701, object: default/Deployment/b, reason: it is meant}"
    repository.write({"a.yaml": SHARED, ".qoslint.yaml": f"rules: {{exceptions: [{exception}]}}"})
    assert fixes(repository.check()) == ([], ("Deployment default/a",))


def test_what_may_mean_many_things_has_no_fix(repository):
    repository.write({"a.yaml": POD.format(name="a", memory="512")})
    assert fixes(repository.check())[0] == []
    for memory in ("1e", "512b", "1g", "8GB", "5 m", "5 x", '"5,5Gi"', "100000m"):
        repository.write({"a.yaml": POD.format(name="a", memory=memory)})
        report = repository.check()
        assert report.findings
        assert [it.fixes for it in report.findings] == [()] * len(report.findings)


def test_a_class_that_may_live_elsewhere_is_not_replaced(repository):
    classes = (
        "apiVersion: scheduling.k8s.io/v1\n"
        "kind: PriorityClass\n"
        "metadata: {name: team-high}\n"
        "value: 1\n"
    )
    pod = POD.format(name="a", memory="1Gi").replace(
        "spec:", "spec:\n  priorityClassName: team-hihg"
    )
    repository.write({"a.yaml": pod, "classes.yaml": classes})
    assert fixes(repository.check(), "QOS301")[0] == []
    repository.write({".qoslint.yaml": "clusters: [{name: prod, paths: [.]}]"})
    assert fixes(repository.check(), "QOS301")[0] == [("a.yaml", 5, 22, "team-high")]


def test_memory_beside_cpu_of_memory_may_be_cpu(repository):
    pod = POD.format(name="a", memory="500m, cpu: 256Mi")
    repository.write({"a.yaml": pod})
    assert fixes(repository.check())[0] == []
