"""Node profiles of nodes that exist: what is printed can be taken into the settings."""

import copy
import json

import pytest

from qoslint.model.seennodes import SeenNodesError, as_yaml, seen_nodes
from qoslint.schema import check

# As `kubectl get node -o json` prints a node of EKS, shortened.
NODE = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {
        "name": "ip-10-0-1-7.ec2.internal",
        "labels": {
            "alpha.eksctl.io/instance-id": "i-0abc",
            "eks.amazonaws.com/nodegroup": "workers",
            "kubernetes.io/hostname": "ip-10-0-1-7.ec2.internal",
            "kubernetes.io/os": "linux",
            "node.kubernetes.io/instance-type": "m5.large",
        },
    },
    "spec": {
        "taints": [
            {"key": "dedicated", "value": "batch", "effect": "NoSchedule"},
            {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule", "timeAdded": "x"},
        ]
    },
    "status": {
        "allocatable": {"cpu": "1930m", "memory": "7245172Ki", "pods": "29"},
        "capacity": {
            "attachable-volumes-aws-ebs": "39",
            "cpu": "2",
            "ephemeral-storage": "83873772Ki",
            "hugepages-1Gi": "0",
            "memory": "7935348Ki",
            "nvidia.com/gpu": "1",
            "pods": "29",
        },
        "nodeInfo": {
            "kubeletVersion": "v1.33.5-eks-113cf36",
            "operatingSystem": "linux",
            "osImage": "Amazon Linux 2023",
        },
    },
}
CONFIGZ = {
    "kubeletconfig": {
        "evictionHard": {"memory.available": "100Mi", "nodefs.available": "10%"},
        "kubeReserved": {"cpu": "70m", "memory": "574Mi"},
        "maxPods": 29,
        "staticPodPath": "/etc/kubernetes/manifests",
        "systemReservedCgroup": "",
    }
}


def node(name, memory="7935348Ki", **labels):
    changed = copy.deepcopy(NODE)
    changed["metadata"]["name"] = name
    changed["metadata"]["labels"] |= {"kubernetes.io/hostname": name, **labels}
    changed["status"]["capacity"]["memory"] = memory
    return changed


def nodes(*items):
    return {"apiVersion": "v1", "kind": "List", "items": list(items)}


def test_a_node_is_a_profile_of_its_kind():
    (profile,) = seen_nodes([NODE]).profiles
    assert profile == {
        "name": "workers",
        "version": "v1.33.5-eks-113cf36",
        "os": "linux",
        "capacity": {
            "cpu": "2",
            "nvidia.com/gpu": "1",
            "pods": "29",
            "memory": "7935348Ki",
            "ephemeral-storage": "83873772Ki",
        },
        "labels": {
            "eks.amazonaws.com/nodegroup": "workers",
            "kubernetes.io/os": "linux",
            "node.kubernetes.io/instance-type": "m5.large",
        },
        "taints": [{"key": "dedicated", "value": "batch", "effect": "NoSchedule"}],
        "count": 1,
    }
    assert list(check(profile, "node-profile")) == []


def test_what_the_kubelet_withholds_is_asked_for_if_it_is_not_given():
    (remark,) = seen_nodes([NODE]).remarks
    assert remark.endswith(
        "`kubectl get --raw /api/v1/nodes/ip-10-0-1-7.ec2.internal/proxy/configz`."
    )
    assert seen_nodes([NODE, CONFIGZ]).remarks == ()


def test_a_node_that_withholds_what_kubernetes_does_needs_no_more():
    plain = copy.deepcopy(NODE)
    plain["status"]["allocatable"]["memory"] = f"{7935348 - 100 * 1024}Ki"
    assert seen_nodes([plain]).remarks == ()


def test_the_running_configuration_is_kept_where_it_decides_something():
    (profile,) = seen_nodes([nodes(NODE), CONFIGZ]).profiles
    assert profile["kubelet"] == {
        "evictionHard": {"memory.available": "100Mi", "nodefs.available": "10%"},
        "kubeReserved": {"cpu": "70m", "memory": "574Mi"},
        "maxPods": 29,
    }


def test_a_kubelet_that_prints_no_thresholds_has_none():
    (profile,) = seen_nodes([NODE, {"kubeletconfig": {"maxPods": 10}}]).profiles
    assert profile["kubelet"] == {"evictionHard": {}, "maxPods": 10}


def test_nodes_of_a_kind_are_one_profile_of_the_least_memory():
    seen = seen_nodes([nodes(node("a"), node("b", "7935340Ki"), node("c", "7935344Ki"))])
    (profile,) = seen.profiles
    assert profile["count"] == 3
    assert profile["capacity"]["memory"] == "7935340Ki"
    assert profile["approximate"] == {
        "source": "the capacities of 3 nodes, from a on",
        "memory": "7935348Ki",
    }


def test_nodes_of_other_labels_are_another_profile():
    first, second = seen_nodes([nodes(node("a"), node("b", zone="x"))]).profiles
    assert (first["name"], second["name"]) == ("workers", "workers-2")
    assert second["labels"]["zone"] == "x"


def test_what_is_printed_are_settings(repository):
    seen = seen_nodes([nodes(node("a"), node("b", zone="x"), node("c", "1Gi")), CONFIGZ])
    (spec,) = repository.settings(as_yaml(seen)).clusters
    first, second = spec.nodes
    assert (first.name, first.memory_bytes, first.count) == ("workers", 2**30, 2)
    assert first.most_memory_bytes == 7935348 * 1024
    assert str(second.version) == "1.33"
    assert second.kubelet["kubeReserved"].value == {"cpu": "70m", "memory": "574Mi"}
    assert second.taints[0].key == "dedicated"


def test_remarks_are_printed_as_comments():
    lines = as_yaml(seen_nodes([NODE])).splitlines()
    assert lines[0].startswith("# The kubelet of workers withholds more or less than Kubernetes' ")
    assert lines[1:3] == ["nodes:", "  - name: workers"]


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ([], "No node is described; give the output of `kubectl get nodes -o json`."),
        ([nodes()], "No node is described; give "),
        ([{"kind": "PodList", "items": [{"status": {}}, 3]}], "No node is described; give "),
        (["text", None, 3], "No node is described; give "),
        ([CONFIGZ], "A /configz does not say what its node has; give "),
        ([NODE, CONFIGZ, CONFIGZ], "There are 2 kubelet configurations: give "),
        ([{"status": {"capacity": {"cpu": "1"}}}], "The node '' reports no memory in "),
        (
            [{"status": {"capacity": {"memory": "much"}}}],
            "The node '' has 'much' as capacity of memory, which is no quantity.",
        ),
    ],
)
def test_what_describes_no_nodes_is_an_error(documents, message):
    with pytest.raises(SeenNodesError) as raised:
        seen_nodes(documents)
    assert str(raised.value).startswith(message)


def test_text_that_cannot_be_printed_is_an_error():
    seen = seen_nodes(
        [json.loads(json.dumps(node("a", **{"eks.amazonaws.com/nodegroup": "\x1b"})))]
    )
    with pytest.raises(SeenNodesError, match="cannot be printed"):
        as_yaml(seen)
