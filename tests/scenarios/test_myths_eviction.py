"""What is often said of eviction and of kubelets and is not so, each with the answer of Kubernetes.

What is said of classes and scores themselves (limits alone, a score of 2) is in `test_myths.py`.
"""

from __future__ import annotations

import json

import pytest

from qoslint.kernel.features import features
from qoslint.kernel.kubeletdecode import decode_kubelet_configuration
from qoslint.kernel.memoryqos import MemoryQoS, MemoryQoSSettings, container_memory_qos
from qoslint.kernel.pod import Container, Pod, ResourceList, Resources
from qoslint.kernel.qos import QOSClass
from qoslint.kernel.quantity import parse

HEAD = {"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration"}
PRESSURE = {"key": "node.kubernetes.io/memory-pressure", "effect": "NoSchedule"}


def container(name, request=None, limit=None, **more):
    amounts = {"requests": request, "limits": limit}
    resources = {field: {"memory": each} for field, each in amounts.items() if each}
    return {"name": name, "image": "x", "resources": resources, **more}


def pod(name, *containers, **spec):
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name},
        "spec": {"containers": list(containers), **spec},
    }


@pytest.fixture
def told(answered, repository):
    """A command on pods that share a node of 4Gi, with what they use if that was measured."""

    def run(command, *things, arguments=(), usage=None, version="1.36", **profile):
        node = {
            "name": "n4",
            "count": 1,
            "version": version,
            "capacity": {"memory": "4Gi"},
            "daemons": {"memory": "512Mi"},
            **profile,
        }
        files = {
            ".qoslint.yaml": json.dumps({"kubernetes": "1.36", "nodes": [node]}),
            "all.json": json.dumps({"apiVersion": "v1", "kind": "List", "items": list(things)}),
        }
        if usage is not None:
            used = {f"default/Pod/{name}": {"memory": amount} for name, amount in usage.items()}
            files["usage.txt"] = json.dumps({"usage": used})
            measured = str(repository.root / "usage.txt")
            arguments = ("--scenario", "usage", "--usage", measured, *arguments)
        return answered(command, files, *arguments)

    return run


def order(document):
    (ranking,) = document["rankings"]
    return [row["pod"].rpartition("/")[2] for row in ranking["rows"]]


def evictions(played):
    return [
        (played["pods"][each["pod"]]["pod"].rpartition("/")[2], each["gracePeriodSeconds"])
        for step in played["steps"]
        if step["by"] == "kubelet"
        for each in step["evicted"]
    ]


def test_myth_best_effort_pods_are_evicted_first(told):
    pods = (pod("best-effort", container("a")), pod("burstable", container("a", "64Mi")))
    assert order(told("rank", *pods, usage={"best-effort": "1Mi", "burstable": "500Mi"})) == [
        "burstable",
        "best-effort",
    ]


def test_myth_guaranteed_pods_are_evicted_last(told):
    amounts = {"cpu": "1", "memory": "1Gi"}
    guaranteed = container("a") | {"resources": {"limits": amounts}}
    pods = (pod("guaranteed", guaranteed), pod("burstable", container("a", "1Gi")))
    assert order(told("rank", *pods, usage={"guaranteed": "1Gi", "burstable": "500Mi"})) == [
        "guaranteed",
        "burstable",
    ]


def test_myth_a_pod_within_its_request_is_never_evicted(told):
    within = pod("within", container("a", "3Gi"))
    played = told("simulate", within, arguments=("--daemons", "512Mi..2Gi@1Mi/s"))
    assert evictions(played) == [("within", 1)]
    (step,) = [each for each in played["steps"] if each["evicted"]]
    assert [each["exceedsRequest"] for each in step["ranking"]] == [False]


def test_myth_a_hard_eviction_kills_without_a_second_of_grace(told):
    growing = pod("a", container("a"), terminationGracePeriodSeconds=30)
    played = told("simulate", growing, arguments=("--ramp", "a=1Gi..3500Mi@10Mi/s"))
    assert evictions(played) == [("a", 1)]


@pytest.mark.parametrize(
    ("version", "request_", "first"), [("1.33", "512Mi", "mesh"), ("1.34", "1Gi", "plain")]
)
def test_myth_a_kubelet_always_counts_what_a_sidecar_requests(told, version, request_, first):
    sidecar = container("proxy", "512Mi", restartPolicy="Always")
    mesh = pod("mesh", container("a", "512Mi"), initContainers=[sidecar])
    pods = (mesh, pod("plain", container("a", "256Mi")))
    document = told("rank", *pods, version=version, usage={"mesh": "1Gi", "plain": "300Mi"})
    assert order(document)[0] == first
    requests = {row["pod"]: row["request"] for row in document["rankings"][0]["rows"]}
    assert requests["default/Pod/mesh"] == request_


def test_myth_only_bytes_of_the_image_filesystem_have_a_default_threshold(told):
    (node,) = told("nodes")["nodes"]
    hard = {each["signal"]: each["value"] for each in node["thresholds"]}
    assert (hard["imagefs.available"], hard["imagefs.inodesFree"]) == ("15%", "5%")
    assert "pid.available" not in hard


@pytest.mark.parametrize("memory", [None, "64Mi"])
def test_myth_pods_that_request_memory_tolerate_memory_pressure(told, memory):
    """The toleration is added by PodTolerationRestriction only, which is off by default."""
    mine = pod("mine", container("a", memory), tolerations=[{"operator": "Exists"}])
    plain = pod("plain", container("a", memory))
    document = told("rank", mine, plain, taints=[PRESSURE])
    assert order(document) == ["mine"]
    (away,) = document["rankings"][0]["population"]["leftOut"]
    assert (away["pod"], PRESSURE["key"] in away["why"]) == ("default/Pod/plain", True)


def test_myth_memory_is_throttled_by_default_since_memory_qos_is_on():
    """The gate is on in 1.37 and `memoryThrottlingFactor` has lost its default of 0.9."""
    known = features("1.37")
    factor = decode_kubelet_configuration(HEAD, known).memory_throttling_factor
    memory = {
        field: ResourceList({"memory": parse(amount)})
        for field, amount in (("requests", "256Mi"), ("limits", "512Mi"))
    }
    app = Container("app", resources=Resources(**memory))
    settings = MemoryQoSSettings(2**32, factor)
    found = container_memory_qos(Pod((app,)), app, QOSClass.BURSTABLE, settings, known)
    assert known.on("MemoryQoS")
    assert found == MemoryQoS(min=0, low=0)
