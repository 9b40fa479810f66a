"""Incidents whose cause shows only beside nodes and neighbours, and the rule that tells each."""

from __future__ import annotations

import json

import pytest

NODE = {"name": "n16", "capacity": {"cpu": "4", "memory": "16Gi"}}
SOFT = {
    "evictionSoft": {"memory.available": "1Gi"},
    "evictionSoftGracePeriod": {"memory.available": "30s"},
}


def pod(name, requests, limits=None, **spec):
    resources = {"requests": requests} | ({"limits": limits} if limits else {})
    containers = [{"name": "app", "image": "x", "resources": resources}]
    metadata = {"labels": {"app": name}}
    return metadata, {"containers": containers, **spec}


def workload(kind, name, requests, limits=None, **spec):
    metadata, of_pods = pod(name, requests, limits, **spec)
    return {
        "apiVersion": "apps/v1",
        "kind": kind,
        "metadata": {"name": name},
        "spec": {
            "selector": {"matchLabels": metadata["labels"]},
            "template": {"metadata": metadata, "spec": of_pods},
        },
    }


@pytest.fixture
def told(repository):
    """The rules that speak of objects beside a node with this kubelet, each with the object."""

    def run(rule, *things, **kubelet):
        node = NODE | ({"kubelet": kubelet} if kubelet else {})
        settings = {"kubernetes": "1.36", "nodes": [node], "rules": {"select": [rule]}}
        files = {
            ".qoslint.yaml": json.dumps(settings),
            "all.json": json.dumps({"apiVersion": "v1", "kind": "List", "items": list(things)}),
        }
        found = repository.write(files).check().findings
        assert {each.rule for each in found} <= {rule}
        return {name for each in found for name in each.objects}

    return run


GOLD = {
    "apiVersion": "scheduling.k8s.io/v1",
    "kind": "PriorityClass",
    "metadata": {"name": "gold"},
    "value": 1000000,
}
SMALL = {"cpu": "100m", "memory": "100Mi"}


def test_a_million_of_priority_that_may_exceed_its_request(told):
    gold = workload("Deployment", "gold", SMALL, {"memory": "4Gi"}, priorityClassName="gold")
    plain = workload("Deployment", "plain", {"memory": "2Gi"}, {"memory": "2Gi"})
    assert told("QOS402", GOLD, gold, plain) == {"Deployment default/gold"}


def test_a_daemon_set_comes_back_to_the_node_that_evicts_it(told):
    """kubernetes/kubernetes#63005, #65240, kubernetes/kube-scheduler#5."""
    pressure = {"key": "node.kubernetes.io/disk-pressure", "operator": "Exists"}
    agent = workload("DaemonSet", "agent", SMALL, tolerations=[pressure])
    assert told("QOS408", agent) == {"DaemonSet default/agent"}


def test_a_deployment_bound_past_the_scheduler_comes_back_to_its_node(told):
    """kubernetes/kubernetes#94245, canonical/microk8s#3143."""
    app = workload("Deployment", "app", SMALL, nodeName="n16")
    assert told("QOS408", app) == {"Deployment default/app"}


def test_one_pinned_by_a_label_waits_until_the_taint_is_gone(told):
    pinned = {"nodeSelector": {"kubernetes.io/hostname": "n16"}}
    assert told("QOS408", workload("Deployment", "app", SMALL, **pinned)) == set()
    assert told("QOS408", workload("Deployment", "app", SMALL)) == set()


def test_a_limit_above_what_the_node_allots_is_no_limit(told):
    """kubernetes/kubernetes#82793, #74706: the node is out of memory before the container is."""
    reserved = {"kubeReserved": {"memory": "2Gi"}}
    app = workload("Deployment", "app", SMALL, {"memory": "15Gi"})
    assert told("QOS503", app, **reserved) == {"Deployment default/app"}
    less = workload("Deployment", "app", SMALL, {"memory": "13Gi"})
    assert told("QOS503", less, **reserved) == set()


@pytest.mark.parametrize("most", [None, -1])
def test_the_grace_that_a_pod_counts_on_is_not_given(told, most):
    """digitalocean/DOKS#19, kubernetes/kubernetes#107024, #118172."""
    app = workload("StatefulSet", "app", SMALL, terminationGracePeriodSeconds=300)
    kubelet = SOFT | ({} if most is None else {"evictionMaxPodGracePeriod": most})
    assert told("QOS409", app, **kubelet) == {"StatefulSet default/app"}
    given = SOFT | {"evictionMaxPodGracePeriod": 300}
    assert told("QOS409", app, **given) == set()


def test_nobody_misses_the_grace_of_a_pod_that_may_go(told):
    app = workload("Deployment", "app", SMALL, terminationGracePeriodSeconds=300)
    assert told("QOS409", app, **SOFT) == set()
