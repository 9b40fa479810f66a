"""What facts and explanations tell of nodes follows the configuration of each kubelet."""

import json

import pytest
from click.testing import CliRunner

from qoslint.cli.main import cli
from qoslint.schema import check

POD = """
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  initContainers:
    - {name: proxy, image: x, restartPolicy: Always, resources: {requests: {memory: 1Gi}}}
  containers:
    - name: app
      image: x
      resources: {requests: {memory: 2Gi, cpu: 500m}, limits: {memory: 2Gi, cpu: 500m}}
"""


@pytest.fixture
def told(repository):
    """The facts of the one cluster with nodes, each of 16Gi, that have these other fields."""

    def run(**nodes):
        profiles = [
            {"name": name, "capacity": {"memory": "16Gi"}, **fields}
            for name, fields in nodes.items()
        ]
        settings = {"kubernetes": "1.36", **({"nodes": profiles} if profiles else {})}
        repository.write({"app.yaml": POD, ".qoslint.yaml": json.dumps(settings)})
        facts = repository.facts()
        assert list(check(facts, "facts")) == []
        (cluster,) = facts["clusters"]
        return cluster

    return run


def explained(repository, form):
    arguments = ["explain", "p", str(repository.root), "--format", form]
    printed = CliRunner().invoke(cli, arguments, catch_exceptions=False).stdout
    return " ".join(printed.split())


def test_nodes_tell_what_they_allocate_and_when_they_evict(told):
    (node,) = told(n={"kubelet": {"kubeReserved": {"memory": "1Gi"}}})["nodes"]
    assert node["allocatable"] == {"memory": "15260Mi", "pods": "110"}
    assert node["thresholds"][0] == {
        "signal": "imagefs.available",
        "value": "15%",
        "kind": "hard",
    }
    copies = {each["signal"]: each["value"] for each in node["thresholds"][-3:]}
    assert copies == {
        "allocatableMemory.available": "100Mi",
        "containerfs.available": "10%",
        "containerfs.inodesFree": "5%",
    }


def test_a_soft_threshold_without_grace_is_a_hard_one_with_its_own_text(told):
    soft = {
        "evictionSoft": {"memory.available": "300Mi"},
        "evictionSoftGracePeriod": {"memory.available": "0s"},
    }
    (node,) = told(n={"kubelet": soft})["nodes"]
    memory = [each for each in node["thresholds"] if each["signal"] == "memory.available"]
    assert [(each["value"], each["kind"]) for each in memory] == [
        ("100Mi", "hard"),
        ("300Mi", "hard"),
    ]


def test_eviction_requests_are_one_answer_where_kubelets_agree(told):
    (pod,) = told(a={}, b={"version": "1.34"})["pods"]
    assert pod["evictionRequests"]["memory"] == "3Gi"
    assert "evictionRequestsByNode" not in pod
    (pod,) = told()["pods"]
    assert pod["evictionRequests"]["memory"] == "3Gi"


def test_eviction_requests_are_told_by_node_where_kubelets_differ(told, repository):
    (pod,) = told(new={}, old={"version": "1.33"})["pods"]
    assert pod["evictionRequests"] is None
    by_node = {name: each["memory"] for name, each in pod["evictionRequestsByNode"].items()}
    assert by_node == {"new": "3Gi", "old": "2Gi"}
    assert list(check(json.loads(explained(repository, "json")), "explain")) == []
    assert "3Gi" in explained(repository, "text")


def test_cpu_quota_is_of_the_period_of_the_kubelet(told, repository):
    short = {
        "cpuCFSQuotaPeriod": "10ms",
        "featureGates": {"CustomCPUCFSQuotaPeriod": True},
    }
    cluster = told(plain={}, off={"kubelet": {"cpuCFSQuota": False}}, short={"kubelet": short})
    periods = {node["name"]: node["cpuCFSQuotaPeriod"] for node in cluster["nodes"]}
    assert periods == {"plain": 100_000, "off": None, "short": 10_000}
    app = cluster["pods"][0]["containers"][-1]
    quotas = {name: values["cpu.quota"] for name, values in app["cgroup"].items()}
    assert quotas == {"plain": 50_000, "off": 0, "short": 5_000}
    text = explained(repository, "text")
    assert "0.5 CPU (5000 of each 10000 µs)" in text
    assert "no CPU limit (cpuCFSQuota is off)" in text


def test_without_cgroups_per_qos_only_containers_have_cgroups(told, repository):
    flat = {"cgroupsPerQOS": False, "enforceNodeAllocatable": []}
    (pod,) = told(n={"kubelet": flat})["pods"]
    assert pod["cgroup"] == {}
    assert all(list(container["cgroup"]) == ["n"] for container in pod["containers"])
    assert "The pod as a whole has no cgroup" in explained(repository, "text")


def test_scores_on_approximate_nodes_are_a_range(told, repository):
    approximate = {"source": "https://example.org", "memory": "32Gi"}
    (pod,) = told(exact={}, varying={"approximate": approximate})["pods"]
    app = pod["containers"][-1]
    assert app["oomScoreAdj"] == {"exact": 875, "varying": 875}
    assert app["oomScoreAdjOfLargest"] == {"varying": 938}
    assert list(check(json.loads(explained(repository, "json")), "explain")) == []
    text = explained(repository, "text")
    assert text.count("oom_score_adj 875, and 938 on a node with 32Gi of memory") == 2
