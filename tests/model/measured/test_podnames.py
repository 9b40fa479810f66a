"""Which workload made a pod, by its name."""

import pytest

from qoslint.model.admitting import admit_cluster
from qoslint.model.cluster import Cluster
from qoslint.model.measured.podnames import Owners, pod_owner

LONG = "a" * 50


@pytest.mark.parametrize(
    ("label", "pod"),
    [
        ("Pod api", "api"),
        ("Deployment api", "api-5f7d8c9b4-x2k4z"),
        ("Deployment api", "api-6b8bf4d6b5-bbbbb"),
        ("Rollout api", "api-5f7d8c9b4-x2k4z"),
        ("ReplicaSet api", "api-x2k4z"),
        ("ReplicationController api", "api-x2k4z"),
        ("DeploymentConfig api", "api-12-x2k4z"),
        ("StatefulSet api", "api-0"),
        ("StatefulSet api-1", "api-1-10"),
        ("DaemonSet api", "api-x2k4z"),
        ("Job api", "api-x2k4z"),
        ("Job api", "api-3-x2k4z"),
        ("CronJob api", "api-28391520-x2k4z"),
        ("CronJob api", "api-1603450020-x2k4z"),
        ("CronJob api", "api-28391520-0-x2k4z"),
        # 58 characters are kept before the random ones.
        (f"Deployment {LONG}", f"{LONG}-5f7d8c9x2k4z"),
        (f"Deployment {LONG}aaaaaaa", f"{LONG}aaaaaaa-x2k4z"),
        (f"Deployment {LONG}aaaaaaaaaaaa", f"{LONG}aaaaaaaax2k4z"),
        (f"DaemonSet {LONG}aaaaaaaaaaaa", f"{LONG}aaaaaaaax2k4z"),
        (f"CronJob {LONG}", f"{LONG}-2839152x2k4z"),
        (f"Job {LONG}aaaaaaaaa", f"{LONG}aaaaa-3-x2k4z"),
    ],
)
def test_the_name_of_a_pod_tells_its_workload(owner, label, pod):
    assert Owners([owner(label)]).of_pod("shop", pod) == [owner(label)]


@pytest.mark.parametrize(
    ("label", "pod"),
    [
        ("Pod api", "api-0"),
        ("Deployment api", "api"),
        ("Deployment api", "api-x2k4z"),
        ("Deployment api", "api-web-x2k4z"),  # a hash has neither w nor e
        ("Deployment api", "api-5f7d8c9b4-x2k4a"),  # nor have the random characters a
        ("Deployment api", "api-5f7d8c9b4fff-x2k4z"),
        ("Deployment api", "api-web-5f7d8c9b4-x2k4z"),
        ("Deployment api", "web-5f7d8c9b4-x2k4z"),
        ("StatefulSet api", "api-01"),
        ("StatefulSet api", "api-x2k4z"),
        ("DaemonSet api", "api-5f7d8c9b4-x2k4z"),
        ("CronJob api", "api-2839152-x2k4z"),
        ("CronJob api", "api-x2k4z"),
        ("Canary api", "api-x2k4z"),
        (f"DaemonSet {LONG}", f"{LONG}-5f7d8c9x2k4z"),
    ],
)
def test_a_name_that_a_workload_cannot_give_is_not_its_pod(owner, label, pod):
    assert Owners([owner(label)]).of_pod("shop", pod) == []


def test_only_workloads_of_the_namespace_count(owner):
    owners = Owners([owner("DaemonSet a/log"), owner("DaemonSet b/log")])
    assert owners.of_pod("b", "log-x2k4z") == [owner("DaemonSet b/log")]
    assert len(owners.of_pod(None, "log-x2k4z")) == 2


def test_a_pod_object_is_the_pod_of_its_name(owner):
    owners = Owners([owner("StatefulSet db"), owner("Pod db-0"), owner("StatefulSet other/db")])
    assert owners.of_pod("shop", "db-0") == [owner("Pod db-0")]
    assert owners.of_pod(None, "db-0") == [owner("Pod db-0"), owner("StatefulSet other/db")]


def test_a_hostile_name_takes_no_time(owner):
    owners = Owners([owner("Deployment api")])
    assert owners.of_pod("shop", "-4" * 10_000_000) == []
    assert owners.of_pod("shop", "-4" * 100 + "-bbbbb") == []


def test_the_containers_of_a_workload_are_those_of_its_effective_pods(repository):
    repository.write(
        "a.yaml",
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: shop}
        spec:
          initContainers:
          - {name: setup, image: i}
          - {name: proxy, image: i, restartPolicy: Always}
          containers:
          - {name: main, image: i}
        """,
    )
    clusters, _ = repository.assemble()
    cluster: Cluster
    (cluster,) = clusters.values()
    (found,) = map(pod_owner, admit_cluster(cluster))
    assert found.label == "Pod shop/p"
    assert (found.running, found.ended) == ({"main", "proxy"}, {"setup"})
