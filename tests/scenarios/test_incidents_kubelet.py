"""Incidents around the configuration of kubelets, and what tells each before it happens.

Each input is the smallest one with the cause of the report; `# ~ CODE` marks where the rule must
speak.
"""

from __future__ import annotations

import json

import pytest

HEAD = "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n"
RESERVED = HEAD + "systemReserved: {memory: 500Mi}\n"
SOFT = """evictionSoft:{}
  memory.available: 500Mi
evictionSoftGracePeriod: {{memory.available: 30s}}
"""
THRESHOLDS = """evictionSoft:
  nodefs.available: 80% # ~ QOS603
  imagefs.available: 80% # ~ QOS603, QOS606
evictionSoftGracePeriod: {nodefs.available: 30s, imagefs.available: 30s}
evictionMaxPodGracePeriod: 3600
"""

INCIDENTS = {
    "kubernetes/website#36960 one threshold zeroes the others": (
        RESERVED + "evictionHard: # ~ QOS601\n  memory.available: 500Mi\n"
    ),
    "kubernetes/website#36960 a threshold for disk takes the one for memory too": (
        RESERVED + "evictionHard: # ~ QOS601, QOS602\n  nodefs.available: 15%\n"
    ),
    "spatiumddi/spatiumddi#1012 a distribution with thresholds for disk only": (
        RESERVED + "evictionHard: # ~ QOS601, QOS602\n"
        "  nodefs.available: 5%\n  imagefs.available: 5%\n"
    ),
    "kubernetes/kubernetes#82793 nothing is kept for the system": (
        HEAD.replace("v1beta1\n", "v1beta1 # ~ QOS605\n") + "maxPods: 50\n"
    ),
    "kubernetes/kubernetes#74706 what is reserved is not enforced": (
        RESERVED + "enforceNodeAllocatable: [none] # ~ QOS605\n"
    ),
    "digitalocean/DOKS#19 a soft eviction without grace": RESERVED + SOFT.format(" # ~ QOS604"),
    "kubernetes/kubernetes#118172 a negative grace is documented as the grace of the pod": (
        RESERVED + SOFT.format("") + "evictionMaxPodGracePeriod: -1 # ~ QOS604\n"
    ),
    "kubernetes/kubernetes#107024 what may be used, written as what must be left": (
        RESERVED + THRESHOLDS
    ),
}


@pytest.mark.parametrize("text", INCIDENTS.values(), ids=INCIDENTS)
def test_the_cause_of_an_incident_is_told_at_its_line(marked_and_found, text):
    marked, found = marked_and_found({"kubelet.yaml": text})
    assert marked == found


def pod(name, request, limit=None, **spec):
    resources = {"requests": {"memory": request}} | ({"limits": {"memory": limit}} if limit else {})
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name},
        "spec": {"containers": [{"name": "app", "image": "x", "resources": resources}], **spec},
    }


LOW = {
    "apiVersion": "scheduling.k8s.io/v1",
    "kind": "PriorityClass",
    "metadata": {"name": "low"},
    "value": -1000,
}


@pytest.fixture
def on_node(answered):
    """A command on pods that share a node of 8Gi, whose kubelet is configured so."""

    def run(command, pods, *arguments, daemons="512Mi", **kubelet):
        profile = {
            "name": "n8",
            "count": 1,
            "capacity": {"memory": "8Gi"},
            "daemons": {"memory": daemons},
            "kubelet": kubelet,
        }
        files = {
            ".qoslint.yaml": json.dumps({"kubernetes": "1.36", "nodes": [profile]}),
            "all.json": json.dumps({"apiVersion": "v1", "kind": "List", "items": list(pods)}),
        }
        return answered(command, files, *arguments)

    return run


def evicted(document):
    outcome = document["outcome"]["evicted"]
    return [document["pods"][each["pod"]]["pod"].rpartition("/")[2] for each in outcome]


def test_one_threshold_leaves_the_other_signals_without_any(on_node):
    """kubernetes/website#36960."""
    (node,) = on_node("nodes", [], evictionHard={"memory.available": "500Mi"})["nodes"]
    signals = {each["signal"] for each in node["thresholds"]}
    assert signals == {"memory.available", "allocatableMemory.available"}


def test_without_a_threshold_for_memory_priority_counts_for_nothing(on_node):
    """spatiumddi/spatiumddi#1012: the kernel kills whom the kubelet would have kept longest."""
    pods = [LOW, pod("dns", "64Mi"), pod("filler", "2Gi", priorityClassName="low")]
    growing = ("--ramp", "dns=2Gi..3Gi@2Mi/s", "--ramp", "filler=2Gi..6Gi@5Mi/s")
    played = on_node("simulate", pods, *growing, evictionHard={"nodefs.available": "5%"})
    assert (evicted(played), played["outcome"]["by"]) == ([], "kernel")
    first = played["steps"][-1]["suspects"][0]
    assert played["pods"][first["pod"]]["pod"] == "default/Pod/dns"
    by_default = on_node("simulate", pods, *growing)
    assert evicted(by_default)[0] == "filler"


def test_a_reservation_does_not_move_the_threshold_of_the_node(on_node):
    """kubernetes/kubernetes#82793: 2Gi are reserved, and eviction waits for the last 100Mi."""
    reserved = {"kubeReserved": {"memory": "2Gi"}}
    growing = ("--daemons", "2Gi..4Gi@5Mi/s")
    played = on_node("simulate", [pod("app", "4Gi")], *growing, **reserved)
    assert (played["node"]["allocatable"], played["node"]["kubepodsLimit"]) == ("6044Mi", "6Gi")
    (step,) = [each for each in played["steps"] if each["evicted"]]
    left = {each["signal"]: each["available"] for each in step["signals"]}
    assert step["daemons"] == "3998Mi"
    assert left == {"memory.available": "98Mi", "allocatableMemory.available": "2Gi"}


def test_pods_that_grow_fast_are_killed_at_the_reservation_with_memory_left_on_the_node(on_node):
    """kubernetes/kubernetes#74706: the cgroup of all pods is full before the kubelet looks."""
    reserved = {"kubeReserved": {"memory": "2Gi"}}
    growing = ("--ramp", "stress=1Gi..8Gi@150Mi/s")
    played = on_node("simulate", [pod("stress", "1Gi"), pod("db", "4Gi")], *growing, **reserved)
    kill = played["steps"][-1]
    assert (played["outcome"]["by"], kill["full"], kill["limit"]) == ("kernel", "kubepods", "6Gi")
    assert played["pods"][kill["suspects"][0]["pod"]]["pod"] == "default/Pod/stress"


@pytest.mark.parametrize(("most", "grace"), [(None, 1), (-1, 1), (20, 20), (3600, 30)])
def test_a_soft_eviction_gives_the_smaller_of_two_graces_and_a_negative_one_gives_none(
    on_node, most, grace
):
    """digitalocean/DOKS#19, kubernetes/kubernetes#118172 with #141017 and #141570."""
    soft = {
        "evictionSoft": {"memory.available": "1Gi"},
        "evictionSoftGracePeriod": {"memory.available": "30s"},
    }
    if most is not None:
        soft["evictionMaxPodGracePeriod"] = most
    played = on_node("simulate", [pod("app", "7Gi")], **soft)
    (step,) = [each for each in played["steps"] if each["evicted"]]
    assert (step["second"], step["evicted"][0]["gracePeriodSeconds"]) == (30, grace)
