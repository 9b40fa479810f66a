"""Namespaces that kustomizations set: where one decides about the class, nothing is said."""

import pytest

from qoslint.model.admitting import admit_cluster
from qoslint.model.clusterspec import ClusterSpec

pytestmark = pytest.mark.usefixtures("unrendered")

POD = (
    "apiVersion: v1\nkind: Pod\nmetadata: {name: app}\nspec: {containers: [{name: a, image: i}]}\n"
)
LIMITS = """\
apiVersion: v1
kind: LimitRange
metadata: {name: sizes%s}
spec: {limits: [{type: Container, defaultRequest: {cpu: 1}}]}
"""
MESHED = (
    "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {istio-injection: enabled}}"
)


@pytest.fixture
def base(repository):
    repository.write("base/kustomization.yaml", "resources: [pod.yaml]")
    repository.write("base/pod.yaml", POD)
    return repository


IMPLICIT = ClusterSpec(complete=False, declared=False)


def classes(repository, spec=IMPLICIT):
    clusters, _ = repository.assemble(spec)
    (admitted,) = admit_cluster(clusters["default"])
    if admitted.hidden:
        assert admitted.hidden == (
            "the namespace, which decides the class and is not the one in the file",
        )
        return None
    return list(map(str, admitted.effective.classes))


def test_a_file_gets_the_namespaces_of_the_kustomizations_that_reach_it(base):
    base.write("a/kustomization.yaml", "namespace: a\nresources: [../base]")
    base.write("b/kustomization.yaml", "resources: [../a]\ncomponents: [../c]")
    base.write("c/kustomization.yaml", "kind: Component\nnamespace: c")
    base.write("d/kustomization.yaml", "namespace: [d]\nresources: [../base]")
    base.write("other/kustomization.yaml", "namespace: other\nresources: [pod.yaml]")
    assert base.discover().namespaces == {
        "base/pod.yaml": ("a", "c"),
        "other/pod.yaml": ("other",),
    }


def test_kustomizations_that_name_each_other_end(base):
    base.write("a/kustomization.yaml", "namespace: a\nresources: [../b, ../base]")
    base.write("b/kustomization.yaml", "resources: [../a]\ncomponents: [../a, ../b]")
    assert base.discover().namespaces == {"base/pod.yaml": ("a",)}


@pytest.mark.parametrize("declared", [True, False])
def test_a_mesh_in_that_namespace_leaves_the_class_open(base, declared):
    spec = ClusterSpec(complete=declared, declared=declared)
    base.write("overlay/kustomization.yaml", "namespace: shop\nresources: [../base]")
    assert classes(base, spec) == ["BestEffort"]
    base.write("ns.yaml", MESHED)
    assert classes(base, spec) is None


def test_a_limit_range_in_that_namespace_leaves_the_class_open(base):
    base.write("limits.yaml", LIMITS % ", namespace: shop")
    assert classes(base) == ["BestEffort"]
    base.write("base/kustomization.yaml", "namespace: shop\nresources: [pod.yaml]")
    assert classes(base) is None


@pytest.mark.parametrize("declared", [True, False])
def test_a_limit_range_that_comes_along_decides(base, declared):
    base.write("base/kustomization.yaml", "namespace: shop\nresources: [pod.yaml, limits.yaml]")
    base.write("base/limits.yaml", LIMITS % "")
    assert classes(base, ClusterSpec(complete=declared, declared=declared)) == ["Burstable"]


def test_a_namespace_that_changes_nothing_hides_nothing(base):
    base.write(
        "limits.yaml",
        LIMITS.replace("Container", "Pod").replace("defaultRequest", "max") % ", namespace: shop",
    )
    base.write("base/kustomization.yaml", "namespace: prod\nresources: [pod.yaml]")
    assert classes(base) == ["BestEffort"]
