"""What users of other tools complain about around priority, sidecars and init containers.

Each test names its source and shows that the complaint does not apply here. Pods of `helm test`
hooks (zegl/kube-score#548) come with charts, and disruption budgets (zegl/kube-score#536) are not
looked at.
"""

import pytest

POD = """
apiVersion: v1
kind: Pod
metadata: {name: app, namespace: shop}
spec:
"""
EQUAL = "{limits: {cpu: 100m, memory: 64Mi}}"


@pytest.fixture
def found(repository):
    """The rules found in a pod by the lines of its spec, under some settings."""

    def check(spec, settings=""):
        files = {"app.yaml": POD + spec}
        if settings:
            files[".qoslint.yaml"] = settings
        report = repository.write(files).check()
        return {(item.rule, item.location.span.start.line) for item in report.findings}

    return check


def test_a_class_that_is_not_among_the_known_ones_is_told_kube_linter_794(found):
    spec = (
        "  priorityClassName: system-node-criticl\n"
        f"  containers: [{{name: app, image: x, resources: {EQUAL}}}]\n"
    )
    settings = "clusters: [{name: c, paths: [.]}]\n"
    assert found(spec, settings) == {("QOS301", 5)}


def test_a_static_pod_with_an_unresolved_class_is_told_kubernetes_133535(repository):
    file = "files/etc/kubernetes/manifests/app.yaml"
    spec = "  priorityClassName: mine\n  containers: [{name: app, image: x, resources: %s}]\n"
    known = (
        "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: mine}\nvalue: 9\n"
    )
    report = repository.write({file: POD + spec % EQUAL, "class.yaml": known}).check()
    assert "QOS311" in {item.rule for item in report.findings}


SIDECARS = f"""\
  initContainers:
  - {{name: istio-init, image: x}}
  - {{name: own-init, image: x}}
  containers:
  - {{name: app, image: x, resources: {EQUAL}}}
"""


@pytest.mark.parametrize("source", ["polaris#408", "kube-linter#445", "clusterlint#74"])
def test_one_container_is_exempt_and_no_other(found, source):
    settings = (
        "rules:\n  exceptions:\n  - {rule: QOS102, object: shop/Pod/app, container: istio-init,"
        " reason: of the mesh}\n"
    )
    assert found(SIDECARS) == {("QOS102", 6), ("QOS102", 7)}
    assert found(SIDECARS, settings) == {("QOS102", 7)}


def test_init_containers_are_exempt_by_their_name_kube_score_533(found):
    settings = "rules:\n  exceptions:\n" + "".join(
        f"  - {{rule: QOS1, object: '*/*/*', container: {name}, reason: r}}\n"
        for name in ("istio-init", "own-init")
    )
    assert found(SIDECARS, settings) == set()


def test_an_init_container_that_has_ended_is_no_running_one_checkov_4807(found):
    """What only matters beside running containers is not asked of a plain init container."""
    settings = (
        "clusters: [{name: c, paths: [.], nodes: [{name: n16, capacity: {memory: 16Gi}}]}]\n"
        "rules: {select: [QOS501]}\n"
    )
    spec = (
        "  initContainers:\n"
        "  - {name: setup, image: x, resources: {requests: {memory: 1Mi}}MORE}\n"
        "  containers:\n"
        "  - {name: app, image: x, resources: {requests: {memory: 4Gi}}}\n"
    )
    assert found(spec.replace("MORE", ""), settings) == set()
    older = settings.replace("paths: [.]", 'paths: [.], kubernetes: "1.31"')
    assert found(spec.replace("MORE", ", restartPolicy: Always"), older) == {("QOS501", 6)}


def test_an_injector_that_takes_the_class_is_told_linkerd2_10848(repository):
    """Without sizes for its proxy, Linkerd leaves no pod Guaranteed."""
    injected = POD.replace("shop}", "shop, annotations: {linkerd.io/inject: enabled}}")
    spec = f"  containers: [{{name: app, image: x, resources: {EQUAL}}}]\n"
    settings = "injectors: [linkerd]\nrules: {select: [QOS151]}\n"
    for pod, expected in ((POD, set()), (injected, {"QOS151"})):
        report = repository.write({"app.yaml": pod + spec, ".qoslint.yaml": settings}).check()
        assert {item.rule for item in report.findings} == expected
