"""The clusters of a repository without settings: one, or one for each variant."""

import time

import pytest

from qoslint.model.cluster import assemble
from qoslint.model.clusterspec import ClusterSpec
from qoslint.model.inventory import Inventory
from qoslint.model.kinds import known_kinds, shipped_kinds
from qoslint.model.sameness import Numbering
from qoslint.model.variants import MOST_ENVIRONMENTS


def judged(cluster):
    return [f"{each.object.name} in {each.object.file}" for each in cluster.workloads]


def default_limits(cluster, namespace="default"):
    ranges = cluster.scope(namespace).scope.limit_ranges
    return [str(item.limits[0].default["cpu"]) for item in ranges]


def values(cluster):
    return [item.value for item in cluster.scope("default").scope.priority_classes]


def messages(notices):
    return [notice.message for notice in notices]


def test_what_conflicts_with_nothing_is_one_cluster(repository, deployment, limit_range):
    repository.write("a/a.yaml", deployment("a"))
    repository.write("b/b.yaml", deployment("b"))
    repository.write("c/limits.yaml", limit_range(namespace="default"))
    clusters, notices = repository.assemble()
    assert judged(clusters["default"]) == ["a in a/a.yaml", "b in b/b.yaml"]
    assert default_limits(clusters["default"]) == ["1"]
    assert (len(clusters), notices) == (1, ())


def test_the_implicit_cluster_may_know_less_than_the_real_one(repository):
    clusters, _ = repository.assemble()
    assert clusters["default"].complete is False


def test_overlays_are_variants_that_share_what_conflicts_with_nothing(repository, deployment):
    repository.write("overlays/staging/api.yaml", deployment(cpu="1"))
    repository.write("overlays/prod/api.yaml", deployment(cpu="2"))
    repository.write("monitoring/agent.yaml", deployment("agent"))
    clusters, _ = repository.assemble()
    assert {name: judged(cluster) for name, cluster in clusters.items()} == {
        "prod": ["agent in monitoring/agent.yaml", "api in overlays/prod/api.yaml"],
        "staging": ["agent in monitoring/agent.yaml", "api in overlays/staging/api.yaml"],
    }


def test_folders_that_share_the_distinguishing_segment_belong_together(
    repository, deployment, limit_range
):
    repository.write("apps/api/staging/a.yaml", deployment(cpu="1"))
    repository.write("apps/api/prod/a.yaml", deployment(cpu="2"))
    repository.write("apps/web/prod/a.yaml", deployment("web"))
    repository.write("platform/staging/limits/a.yaml", limit_range(namespace="default"))
    clusters, _ = repository.assemble()
    assert judged(clusters["staging"]) == ["api in apps/api/staging/a.yaml"]
    assert judged(clusters["prod"]) == [
        "api in apps/api/prod/a.yaml",
        "web in apps/web/prod/a.yaml",
    ]
    assert default_limits(clusters["staging"]) == ["1"]
    assert default_limits(clusters["prod"]) == []


def test_a_class_with_other_values_in_several_folders_makes_variants(
    repository, deployment, priority_class
):
    repository.write("a/classes.yaml", priority_class("high", 1))
    repository.write("b/classes.yaml", priority_class("high", 2))
    repository.write("app/app.yaml", deployment())
    clusters, _ = repository.assemble()
    assert {name: values(cluster) for name, cluster in clusters.items()} == {"a": [1], "b": [2]}
    assert all(judged(cluster) == ["api in app/app.yaml"] for cluster in clusters.values())


def test_equal_definitions_are_no_conflict(repository, deployment, priority_class):
    for folder in ("a", "b"):
        repository.write(f"{folder}/x.yaml", deployment(), priority_class("high", 1))
    clusters, notices = repository.assemble()
    assert judged(clusters["default"]) == ["api in a/x.yaml"]
    assert values(clusters["default"]) == [1]
    assert notices == ()


def test_a_variant_that_repeats_another_is_complete(repository, deployment):
    repository.write("overlays/dev/a.yaml", deployment(cpu="1"))
    repository.write("overlays/prod/a.yaml", deployment(cpu="2"))
    repository.write("overlays/test/a.yaml", deployment(cpu="1"))
    clusters, _ = repository.assemble()
    assert {name: judged(cluster) for name, cluster in clusters.items()} == {
        "dev": ["api in overlays/dev/a.yaml"],
        "prod": ["api in overlays/prod/a.yaml"],
        "test": ["api in overlays/test/a.yaml"],
    }


def test_several_distinguishing_segments_make_nested_variants(repository, deployment):
    for region, stage, cpu in (("eu", "prod", "1"), ("eu", "test", "2"), ("us", "prod", "3")):
        repository.write(f"clusters/{region}/{stage}/a.yaml", deployment(cpu=cpu))
    repository.write("clusters/eu/common/b.yaml", deployment("b"))
    clusters, _ = repository.assemble()
    assert {name: judged(cluster) for name, cluster in clusters.items()} == {
        "eu/prod": ["b in clusters/eu/common/b.yaml", "api in clusters/eu/prod/a.yaml"],
        "eu/test": ["b in clusters/eu/common/b.yaml", "api in clusters/eu/test/a.yaml"],
        "us/prod": ["api in clusters/us/prod/a.yaml"],
    }


def test_the_more_specific_definition_wins(repository, limit_range, deployment):
    repository.write("limits.yaml", limit_range(namespace="default", cpu="1"))
    repository.write("prod/limits.yaml", limit_range(namespace="default", cpu="2"))
    repository.write("prod/a.yaml", deployment())
    clusters, _ = repository.assemble()
    assert {name: default_limits(cluster) for name, cluster in clusters.items()} == {"prod": ["2"]}


def test_a_workload_that_every_variant_overrules_is_judged_for_itself(repository, deployment):
    repository.write("a.yaml", deployment(cpu="1"))
    repository.write("prod/a.yaml", deployment(cpu="2"))
    clusters, _ = repository.assemble()
    assert {name: judged(cluster) for name, cluster in clusters.items()} == {
        "default": ["api in a.yaml"],
        "prod": ["api in prod/a.yaml"],
    }


def test_definitions_in_one_folder_are_each_judged(repository, deployment):
    repository.write("a/1.yaml", deployment(cpu="1"))
    repository.write("a/2.yaml", deployment(cpu="2"))
    clusters, notices = repository.assemble()
    assert judged(clusters["default"]) == ["api in a/1.yaml", "api in a/2.yaml"]
    assert messages(notices) == [
        "Deployment default/api is defined in different ways in one place, in a/1.yaml and "
        "a/2.yaml; each definition is judged."
    ]


def test_what_decides_in_several_ways_in_one_folder_is_left_out(
    repository, deployment, limit_range
):
    repository.write("a/1.yaml", limit_range(namespace="default", cpu="1"), deployment())
    repository.write("a/2.yaml", limit_range(namespace="default", cpu="2"))
    clusters, notices = repository.assemble()
    assert default_limits(clusters["default"]) == []
    (message,) = messages(notices)
    assert message == (
        "LimitRange limits in a/1.yaml is in no cluster, for other files define it in other ways, "
        "and so are 1 more objects that decide; pods are judged without."
    )


def test_a_split_is_told_with_an_example_and_the_names(repository, deployment):
    repository.write("overlays/staging/api.yaml", "\n" + deployment(cpu="1"))
    repository.write("overlays/prod/api.yaml", deployment(cpu="2"))
    _, (notice,) = repository.assemble()
    assert (notice.file, notice.line) == ("overlays/prod/api.yaml", 1)
    assert notice.message == (
        "Objects are defined in different ways (1 of them, first Deployment default/api in "
        "overlays/prod/api.yaml and overlays/staging/api.yaml), so the files are taken for 2 "
        "clusters: prod, staging. Declare `clusters` in the settings to say which files belong "
        "together."
    )


def test_a_limit_range_without_a_namespace_counts_in_its_folder_and_below(
    repository, deployment, limit_range
):
    repository.write("a/limits.yaml", limit_range())
    repository.write("a/below/api.yaml", deployment())
    repository.write("b/web.yaml", deployment("web"))
    repository.write("a/named.yaml", deployment("named", namespace="other"))
    clusters, _ = repository.assemble()
    cluster = clusters["default"]
    ranges = {w.object.name: cluster.scope_of(w.object).limit_ranges for w in cluster.workloads}
    assert {name: len(found) for name, found in ranges.items()} == {"api": 1, "web": 0, "named": 0}


def test_other_namespaces_are_no_conflict(repository, deployment):
    repository.write("a/a.yaml", deployment(namespace="a", cpu="1"))
    repository.write("b/a.yaml", deployment(namespace="b", cpu="2"))
    clusters, _ = repository.assemble()
    assert list(clusters) == ["default"]


def test_a_namespace_that_is_named_and_one_that_is_default_are_the_same(repository, deployment):
    repository.write("a/a.yaml", deployment(namespace="default", cpu="1"))
    repository.write("b/a.yaml", deployment(cpu="2"))
    clusters, _ = repository.assemble()
    assert sorted(clusters) == ["a", "b"]


def test_built_names_do_not_conflict(repository, deployment):
    for folder, cpu in (("a", "1"), ("b", "2")):
        repository.write(
            f"{folder}/kustomization.yaml", f"resources: [x.yaml]\nnamePrefix: {folder}-"
        )
        repository.write(f"{folder}/x.yaml", deployment(cpu=cpu))
    clusters, notices = repository.assemble()
    assert judged(clusters["default"]) == [
        "a-api in a/kustomization.yaml",
        "b-api in b/kustomization.yaml",
    ]
    assert notices == ()


@pytest.mark.usefixtures("unrendered")
@pytest.mark.parametrize("key", ["namePrefix", "nameSuffix"])
def test_names_that_a_kustomization_changes_do_not_conflict(repository, deployment, key):
    for folder, cpu in (("a", "1"), ("b", "2")):
        repository.write(f"{folder}/kustomization.yaml", f"resources: [x.yaml]\n{key}: {folder}-")
        repository.write(f"{folder}/x.yaml", deployment(cpu=cpu))
    clusters, notices = repository.assemble()
    assert judged(clusters["default"]) == ["api in a/x.yaml", "api in b/x.yaml"]
    assert notices == ()


def test_kustomizations_that_keep_names_are_variants(repository, deployment):
    for folder, cpu in (("a", "1"), ("b", "2")):
        repository.write(f"{folder}/kustomization.yaml", "resources: [x.yaml]")
        repository.write(f"{folder}/x.yaml", deployment(cpu=cpu))
    clusters, _ = repository.assemble()
    assert sorted(clusters) == ["a", "b"]


def test_labels_of_a_namespace_make_no_variants(repository, deployment):
    for folder in ("a", "b"):
        text = (
            f"{{apiVersion: v1, kind: Namespace, metadata: {{name: ns, labels: {{of: {folder}}}}}}}"
        )
        repository.write(f"{folder}/n.yaml", text)
    clusters, notices = repository.assemble()
    assert clusters["default"].namespaces["ns"].labels == {"of": "a"}
    assert notices == ()


def test_names_that_happen_to_be_the_same_make_no_environments(repository, deployment):
    repository.write("teams/a/a.yaml", deployment(cpu="1"), deployment("one"), deployment("two"))
    repository.write("teams/b/a.yaml", deployment(cpu="2"), deployment("three"))
    repository.write("shared/a.yaml", deployment("shared"))
    clusters, _ = repository.assemble()
    assert {name: judged(cluster) for name, cluster in clusters.items()} == {
        "a": [f"{name} in teams/a/a.yaml" for name in ("api", "one", "two")],
        "b": [f"{name} in teams/b/a.yaml" for name in ("api", "three")],
        "default": ["shared in shared/a.yaml"],
    }


def test_each_workload_is_judged_with_each_definition_of_what_decides(
    repository, deployment, limit_range
):
    for folder, cpu in (("a", "1"), ("b", "2")):
        repository.write(
            f"{folder}/a.yaml", limit_range(namespace="default", cpu=cpu), deployment(folder)
        )
    repository.write("shared/a.yaml", deployment("shared"))
    clusters, _ = repository.assemble()
    assert {name: default_limits(cluster) for name, cluster in clusters.items()} == {
        "a": ["1"],
        "b": ["2"],
    }
    assert all("shared in shared/a.yaml" in judged(each) for each in clusters.values())


def test_a_repository_may_hold_only_what_decides(repository, priority_class):
    for number in range(MOST_ENVIRONMENTS + 1):
        repository.write(f"{number}/a.yaml", priority_class("high", number))
    clusters, notices = repository.assemble()
    assert values(clusters["default"]) == []
    assert "is in no cluster" in notices[0].message


def test_a_collection_is_judged_once(repository, deployment, limit_range):
    many = MOST_ENVIRONMENTS + 1
    for number in range(many):
        repository.write(f"examples/{number}/a.yaml", deployment(cpu=str(number)))
    repository.write("shared/a.yaml", deployment("shared"), limit_range(namespace="default"))
    clusters, _ = repository.assemble()
    assert judged(clusters["default"]) == ["shared in shared/a.yaml"]
    assert judged(clusters["3"]) == ["api in examples/3/a.yaml"]
    assert default_limits(clusters["3"]) == ["1"]
    assert len(clusters) == many + 1


def test_every_workload_of_real_repositories_is_judged(corpus):
    inventory = Inventory(corpus.discovery, known_kinds(shipped_kinds()))
    clusters, _ = assemble([ClusterSpec(complete=False, declared=False)], inventory)
    number = inventory.items[0].numbering.number
    judged = {number(each.object.data) for cluster in clusters for each in cluster.workloads}
    there = {item.content() for item in inventory.items if item.workloads}
    assert judged == there
    assert len(there) > 300


def test_thousands_of_conflicts_take_no_quadratic_time(repository, deployment, limit_range):
    for number in range(1500):
        text = [deployment(cpu=str(number)), limit_range(namespace="default", cpu=str(number))]
        repository.write(f"{number // 50}/{number}/a.yaml", *text)
    started = time.process_time()
    clusters, _ = repository.assemble()
    assert len(clusters) == 1500
    assert time.process_time() - started < 20


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"a": 1, "b": [1, 2]}, {"b": [1, 2], "a": 1}, True),
        ([1, 2], [2, 1], False),
        ({"a": True}, {"a": 1}, False),
        ({"a": 1}, {"a": 1.0}, False),
        ({"a": None}, {}, False),
        ({}, [], False),
        ([], "", False),
        ("1", 1, False),
    ],
)
def test_sameness_of_values(one, other, same):
    numbering = Numbering()
    assert (numbering.number(one) == numbering.number(other)) is same


def test_sameness_looks_at_a_shared_value_once():
    value = ["x"]
    for _ in range(200):
        value = [value, value]
    assert Numbering().number(value) == 201
