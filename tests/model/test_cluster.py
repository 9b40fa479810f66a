"""Declared clusters: what is in them, what decides, and which version of an object counts."""

import pytest

from qoslint.kernel.outcome import Cause
from qoslint.model.clusterspec import ClusterSpec
from qoslint.model.inventory import Inventory
from qoslint.model.kinds import known_kinds, shipped_kinds
from qoslint.model.workloads import KUSTOMIZED

QUOTA = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {pods: '1'}}\n"
RUNTIME_CLASS = "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: r}\nhandler: r\n"


def prod(*paths, **changes):
    return ClusterSpec(name="prod", paths=paths or (".",), **changes)


def judged(cluster):
    return [f"{cluster.qualified_name(w.object)} in {w.object.file}" for w in cluster.workloads]


def default_limits(cluster, namespace):
    """The default CPU limit of each LimitRange of a namespace."""
    ranges = cluster.scope(namespace).scope.limit_ranges
    return [str(item.limits[0].default["cpu"]) for item in ranges]


@pytest.fixture
def only(repository):
    """Gives the only cluster of some specs, and the messages of the notices."""

    def ask(*specs):
        clusters, notices = repository.assemble(*specs)
        (cluster,) = clusters.values()
        return cluster, [notice.message for notice in notices]

    return ask


def test_a_cluster_holds_what_is_below_its_paths(repository, only, deployment):
    for path in ("prod/a.yaml", "prod/deep/b.yaml", "prod-old/c.yaml", "d.yaml"):
        repository.write(path, deployment(path[-6]))
    assert judged(only(prod("prod"))[0]) == [
        "default/a in prod/a.yaml",
        "default/b in prod/deep/b.yaml",
    ]
    assert judged(only(prod("d.yaml"))[0]) == ["default/d in d.yaml"]
    assert len(judged(only(prod("."))[0])) == 4


def test_overlapping_paths_give_each_object_once(repository, only, deployment):
    repository.write("prod/a.yaml", deployment())
    assert len(judged(only(prod("prod", "prod/a.yaml", "."))[0])) == 1


def test_a_workload_may_be_in_several_clusters(repository, deployment):
    repository.write("base/a.yaml", deployment())
    clusters, _ = repository.assemble(
        ClusterSpec(name="x", paths=("base",)), ClusterSpec(name="y", paths=("base",))
    )
    assert clusters["x"].workloads[0].object is clusters["y"].workloads[0].object


def test_objects_without_a_namespace_are_in_that_of_the_cluster(
    repository, only, deployment, limit_range
):
    repository.write("a.yaml", deployment(), limit_range())
    repository.write("b.yaml", deployment("b", namespace="default"))
    cluster, _ = only(prod(namespace="shop"))
    assert judged(cluster) == ["shop/api in a.yaml", "default/b in b.yaml"]
    assert default_limits(cluster, "shop") == ["1"]
    assert default_limits(cluster, "default") == []


def test_a_limit_range_decides_in_its_namespace_only(repository, only, limit_range):
    repository.write("a.yaml", limit_range(namespace="a"), limit_range("x", namespace="b", cpu="2"))
    cluster, _ = only(prod())
    assert [default_limits(cluster, name) for name in "abc"] == [["1"], ["2"], []]


def test_classes_decide_in_every_namespace(repository, only, limit_range, priority_class):
    repository.write("a.yaml", priority_class("high", 7), RUNTIME_CLASS, limit_range(namespace="a"))
    cluster, _ = only(prod())
    for namespace in ("a", "b"):
        scope = cluster.scope(namespace).scope
        assert [item.value for item in scope.priority_classes] == [7]
        assert [item.name for item in scope.runtime_classes] == ["r"]


def test_a_quota_is_in_the_scope(repository, only):
    repository.write("a.yaml", QUOTA)
    cluster, _ = only(prod())
    assert [quota.name for quota in cluster.scope("default").scope.quotas] == ["q"]


def test_the_scope_tells_the_version_the_gates_and_whether_it_is_complete(repository, only):
    spec = prod(kubernetes="1.33", feature_gates={"PodLevelResources": True}, complete=False)
    scope = only(spec)[0].scope("default").scope
    assert str(scope.features.version) == "1.33"
    assert scope.features.on("PodLevelResources")
    assert scope.complete is False


def test_a_cause_is_an_object_of_the_repository(repository, only, limit_range, priority_class):
    repository.write("a.yaml", limit_range("bad", cpu="x"), limit_range("good"))
    repository.write("b.yaml", priority_class("low", 1), priority_class("high", 2))
    scope = only(prod())[0].scope("default")
    assert scope.object_of(Cause(0, "LimitRange", ())).name == "good"
    assert scope.object_of(Cause(1, "PriorityClass", ())).name == "high"


def test_namespaces_without_objects_of_their_own_share_a_scope(repository, only, limit_range):
    repository.write("a.yaml", limit_range(namespace="a"))
    cluster, _ = only(prod())
    assert cluster.scope("b") is cluster.scope("c")
    assert cluster.scope("a") is cluster.scope("a") is not cluster.scope("b")


@pytest.mark.parametrize(
    ("text", "path", "message"),
    [
        (
            "apiVersion: v1\nkind: LimitRange\nmetadata: {name: a}\n"
            "spec: {limits: [{type: Container, min: {cpu: 2}, max: {cpu: 1}}]}",
            ("spec", "limits", 0, "min", "cpu"),
            'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
        ),
        (
            "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: a}\n"
            "value: 1000000001",
            ("value",),
            "value: Forbidden: maximum allowed value of a user defined priority is 1000000000",
        ),
        (
            "apiVersion: scheduling.k8s.io/v1beta1\nkind: PriorityClass\nmetadata: {name: a}\n"
            "value: 1",
            ("apiVersion",),
            'no matches for kind "PriorityClass" in version "scheduling.k8s.io/v1beta1"',
        ),
        (
            "{apiVersion: v1, kind: LimitRange, metadata: {name: a}, spec: {limits: text}}",
            ("spec", "limits"),
            "'limits' must be a list, not a string.",
        ),
    ],
)
def test_an_object_that_cannot_exist_is_left_out_and_told(repository, only, text, path, message):
    repository.write("a.yaml", text)
    scope = only(prod())[0].scope("default")
    assert (scope.limit_ranges, scope.priority_classes) == ((), ())
    (invalid,) = scope.invalid
    assert (invalid.errors[0].path, invalid.errors[0].message) == (path, message)
    assert (invalid.object.file, invalid.unresolved) == ("a.yaml", False)


def test_an_object_with_placeholders_is_unresolved_rather_than_wrong(repository, only, limit_range):
    repository.write("a.yaml", limit_range(cpu="${CPU}"))
    (invalid,) = only(prod())[0].scope("default").invalid
    assert invalid.unresolved
    assert invalid.errors[0].path == ("spec", "limits", 0, "default", "cpu")


def test_a_limit_range_of_another_group_decides_nothing(repository, only, limit_range):
    repository.write("a.yaml", limit_range().replace("apiVersion: v1", "apiVersion: x.io/v1"))
    scope = only(prod())[0].scope("default")
    assert (scope.limit_ranges, scope.invalid) == ((), ())


def test_invalid_objects_of_every_namespace_are_told(repository, only, limit_range):
    bad = [limit_range(namespace=name).replace("Container", "Nonsense") for name in ("b", "a")]
    repository.write("a.yaml", *bad, limit_range(namespace="c"))
    invalid = only(prod())[0].invalid()
    assert sorted(each.object.namespace or "" for each in invalid) == ["a", "b"]


def test_only_what_is_asked_for_is_judged_and_all_of_it_decides(
    repository, only, deployment, limit_range
):
    repository.write("apps/a.yaml", deployment())
    repository.write("apps/b.yaml", deployment("b"))
    repository.write("platform/limits.yaml", limit_range())
    cluster = only(prod(".", namespace="default"))[0].under(["apps/a.yaml"])
    assert judged(cluster) == ["default/api in apps/a.yaml"]
    assert [obj.file for obj in cluster.objects] == ["apps/a.yaml"]
    assert default_limits(cluster, "default") == ["1"]


def test_context_decides_and_is_not_judged(repository, only, deployment, limit_range):
    repository.write("prod/a.yaml", deployment())
    repository.write("exported/b.yaml", limit_range(), deployment("other"))
    cluster, _ = only(prod("prod", context=("exported",)))
    assert judged(cluster) == ["default/api in prod/a.yaml"]
    assert default_limits(cluster, "default") == ["1"]
    assert [thing.kind for thing in cluster.objects] == ["Deployment"]


def test_context_inside_of_the_paths_is_context(repository, only, deployment):
    repository.write("prod/a.yaml", deployment())
    repository.write("prod/exported/b.yaml", deployment("b"))
    assert judged(only(prod("prod", context=("prod/exported",)))[0]) == [
        "default/api in prod/a.yaml"
    ]


def test_what_the_paths_define_wins_over_an_export(repository, only, limit_range):
    repository.write("prod/a.yaml", limit_range(cpu="2"))
    repository.write("exported/a.yaml", limit_range(cpu="1"))
    cluster, messages = only(prod("prod", context=("exported",)))
    assert default_limits(cluster, "default") == ["2"]
    assert messages == []


def test_an_exported_list_is_context_item_by_item(repository, only):
    repository.write(
        "exported.yaml",
        """
        apiVersion: v1
        kind: List
        items:
          - {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: a}, value: 1}
          - {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: b}, value: 2}
        """,
    )
    scope = only(prod("prod", context=("exported.yaml",)))[0].scope("default")
    assert [item.value for item in scope.scope.priority_classes] == [1, 2]


def test_equal_definitions_count_once_in_the_first_file(repository, only, deployment, limit_range):
    repository.write("b.yaml", deployment(), limit_range())
    repository.write("a.yaml", "# the same\n" + deployment(), limit_range())
    cluster, messages = only(prod())
    assert judged(cluster) == ["default/api in a.yaml"]
    assert [thing.file for thing in cluster.scope("default").limit_ranges] == ["a.yaml"]
    assert messages == []


def test_of_different_definitions_each_workload_is_judged(repository, only, deployment):
    repository.write("a.yaml", deployment(cpu="1"))
    repository.write("b.yaml", deployment(cpu="2"))
    cluster, messages = only(prod())
    assert judged(cluster) == ["default/api in a.yaml", "default/api in b.yaml"]
    assert messages == [
        "Deployment default/api is defined 2 times in cluster prod, in a.yaml and b.yaml; "
        "each is judged."
    ]


@pytest.mark.parametrize(("files", "limits"), [("12", ["2"]), ("121", ["1"]), ("112", ["2"])])
def test_of_different_limit_ranges_the_last_one_counts(
    repository, only, limit_range, files, limits
):
    for index, cpu in enumerate(files):
        repository.write(f"{index}.yaml", limit_range(cpu=cpu))
    cluster, messages = only(prod())
    assert default_limits(cluster, "default") == limits
    (message,) = messages
    assert "the last one counts" in message


def test_generated_names_never_collide(repository, only, deployment):
    job = "{apiVersion: batch/v1, kind: Job, metadata: {generateName: a-}, spec: {parallelism: %s}}"
    repository.write("a.yaml", job % 1 + "\n", job % 1 + "\n", job % 2)
    cluster, messages = only(prod())
    assert len(cluster.workloads) == 3
    assert messages == []


def test_namespaces_are_known_with_their_labels(repository, only):
    repository.write(
        "a.yaml", "{apiVersion: v1, kind: Namespace, metadata: {name: a, labels: {b: c}}}"
    )
    assert only(prod())[0].namespaces["a"].labels == {"b": "c"}


@pytest.mark.usefixtures("unrendered")
def test_a_workload_that_a_kustomization_may_change_is_tagged(repository, only, deployment):
    repository.write("kustomization.yaml", "resources: [a.yaml]")
    repository.write("a.yaml", deployment())
    repository.write("b/b.yaml", deployment("b"))
    assert [workload.tags for workload in only(prod())[0].workloads] == [(KUSTOMIZED,), ()]


def test_objects_to_check_are_in_the_order_of_files(repository, only, deployment, limit_range):
    repository.write("a.yaml", limit_range())
    repository.write("b.yaml", deployment())
    repository.write("c.yaml", limit_range("c"))
    things = only(prod())[0].objects
    assert [(thing.kind, thing.file) for thing in things] == [
        ("LimitRange", "a.yaml"),
        ("Deployment", "b.yaml"),
        ("LimitRange", "c.yaml"),
    ]


def test_a_cluster_without_files_is_empty(repository, only):
    cluster, messages = only(prod("nothing"))
    assert (cluster.workloads, messages) == ((), [])


def test_objects_without_pods_are_counted_by_kind(repository, deployment, limit_range):
    prometheus = "{apiVersion: monitoring.coreos.com/v1, kind: Prometheus, spec: {containers: []}}"
    repository.write("a.yaml", deployment(), limit_range(), prometheus)
    inventory = Inventory(repository.discover(), known_kinds(shipped_kinds()))
    assert [obj.kind for obj in inventory.podless] == ["LimitRange", "Prometheus"]
