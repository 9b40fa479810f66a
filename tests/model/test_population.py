"""Which pods share a node of a profile."""

import pytest

from qoslint.finding import ObjectId, Place
from qoslint.kernel.features import Version
from qoslint.model.clusterspec import ClusterSpec
from qoslint.model.judged import judge_cluster
from qoslint.model.node import node_profile
from qoslint.model.population import PopulationKind, population

PLACE = Place(ObjectId("node.yaml", 0, ()), ())


def deployment(name, memory="1Gi", replicas=1, kind="Deployment"):
    count = f"replicas: {replicas}, " if kind == "Deployment" else ""
    return (
        f"apiVersion: apps/v1\nkind: {kind}\nmetadata: {{name: {name}}}\n"
        f"spec: {{{count}selector: {{matchLabels: {{app: {name}}}}}, template: {{metadata: "
        f"{{labels: {{app: {name}}}}}, spec: {{containers: [{{name: a, image: x, resources: "
        f"{{requests: {{memory: {memory}}}}}}}]}}}}}}\n---\n"
    )


@pytest.fixture
def populated(repository):
    def make(text, **profile):
        data = {"name": "node", "capacity": {"memory": "8Gi"}, **profile}
        node = node_profile(data, Version.parse("1.36"), PLACE)
        repository.write("all.yaml", text)
        clusters, _ = repository.assemble(ClusterSpec(nodes=(node,)))
        cluster = judge_cluster(clusters["default"])
        return population(cluster, cluster.kubelets[0])

    return make


def names(population):
    return [member.admitted.workload.object.name for member in population.members]


def test_without_more_knowledge_it_is_one_pod_of_each_that_may_share_it(populated):
    found = populated(deployment("a", replicas=3) + deployment("b"))
    assert found.kind is PopulationKind.POSSIBLE
    assert names(found) == ["a", "b"]
    assert found.fits


def test_on_the_only_node_every_replica_runs(populated):
    found = populated(deployment("a", replicas=3) + deployment("d", kind="DaemonSet"), count=1)
    assert found.kind is PopulationKind.ALL
    assert sorted(names(found)) == ["a", "a", "a", "d"]


@pytest.mark.parametrize("replicas", [8, 1000000000])
def test_if_the_only_node_does_not_take_them_all_one_of_each_is_shown(populated, replicas):
    found = populated(deployment("a", replicas=replicas), count=1)
    assert found.kind is PopulationKind.POSSIBLE
    assert names(found) == ["a"]


def test_pods_that_the_profile_lists_are_told_as_listed(populated):
    text = deployment("a") + deployment("b")
    found = populated(text, pods=[{"kind": "Deployment", "name": "b*"}])
    assert found.kind is PopulationKind.LISTED
    assert names(found) == ["b"]
    assert [(each.admitted.workload.object.name, each.why) for each in found.left_out] == [
        ("a", "the profile lists other pods")
    ]


def test_what_requests_more_than_is_allocatable_does_not_fit(populated):
    found = populated(deployment("a", "5Gi") + deployment("b", "4Gi"))
    assert not found.fits
    (excess,) = found.excess
    assert excess.resource == "memory"
    assert excess.requested == 9 * 2**30 * 10**9
    assert excess.allocatable == (8 * 2**30 - 100 * 2**20) * 10**9


def test_workloads_without_pods_are_left_out(populated):
    refused = deployment("c", "1Gi").replace("requests:", "limits: {memory: 1}, requests:")
    found = populated(deployment("a", replicas=0) + refused)
    assert names(found) == []
    assert [each.why for each in found.left_out] == ["it has no replicas", "its pods are refused"]
