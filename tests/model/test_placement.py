"""Which kinds of node a pod may run on, as far as a profile tells."""

import pytest

from qoslint.finding import ObjectId, Place
from qoslint.kernel.features import Version
from qoslint.kernel.pod import NodeSelectorRequirement, NodeSelectorTerm, Pod, Toleration
from qoslint.model.node import node_profile
from qoslint.model.placement import HOSTNAME_LABEL, keeps_away

PLACE = Place(ObjectId("node.yaml", 0, ()), ())


def profile(**data):
    data = {"name": "node-1", "capacity": {"memory": "16Gi"}, **data}
    return node_profile(data, Version.parse("1.36"), PLACE)


def affine(*tests, fields=()):
    terms = NodeSelectorTerm(
        tuple(NodeSelectorRequirement(*test) for test in tests),
        tuple(NodeSelectorRequirement(*test) for test in fields),
    )
    return Pod((), required_node_affinity=(terms,))


def test_a_plain_pod_runs_anywhere():
    assert keeps_away(profile(), Pod(()), "Deployment") is None


@pytest.mark.parametrize(
    ("pod", "why"),
    [
        (Pod((), os="windows"), "it is for windows"),
        (
            Pod((), node_selector=(("disk", "ssd"),)),
            "its nodeSelector asks for disk: ssd, and the node has no such label",
        ),
        (
            Pod((), node_selector=(("zone", "b"),)),
            "its nodeSelector asks for zone: b, and the node has 'a'",
        ),
        (
            affine(("zone", "In", ("b",))),
            "no term of its required node affinity matches the labels of the node",
        ),
    ],
)
def test_labels_of_the_profile_keep_pods_away(pod, why):
    assert keeps_away(profile(labels={"zone": "a"}), pod, "Deployment") == why


def test_the_operating_system_is_a_label_of_every_node():
    assert (
        keeps_away(profile(), Pod((), node_selector=(("kubernetes.io/os", "linux"),)), "") is None
    )


@pytest.mark.parametrize(
    "pod",
    [
        Pod((), node_selector=((HOSTNAME_LABEL, "node-7"),)),
        affine((HOSTNAME_LABEL, "In", ("node-7",))),
        affine(fields=[("metadata.name", "In", ("node-7",))]),
        affine((HOSTNAME_LABEL, "In", ("node-7",)), ("zone", "In", ("a",))),
    ],
)
def test_a_pod_that_asks_for_a_name_may_find_it_on_one_of_the_nodes(pod):
    assert keeps_away(profile(labels={"zone": "a"}), pod, "Deployment") is None


def test_what_it_asks_for_beside_a_name_still_counts():
    pod = affine((HOSTNAME_LABEL, "In", ("node-7",)), ("zone", "In", ("b",)))
    assert keeps_away(profile(labels={"zone": "a"}), pod, "Deployment") is not None


def test_a_name_that_the_profile_states_is_known():
    pod = Pod((), node_selector=((HOSTNAME_LABEL, "node-7"),))
    assert keeps_away(profile(labels={HOSTNAME_LABEL: "node-1"}), pod, "Deployment") is not None


def test_taints_keep_away_what_does_not_tolerate_them():
    tainted = profile(taints=[{"key": "team", "value": "a", "effect": "NoSchedule"}])
    why = "it does not tolerate the taint team=a:NoSchedule"
    assert keeps_away(tainted, Pod(()), "Deployment") == why
    assert keeps_away(tainted, Pod((), tolerations=(Toleration("team", "Exists"),)), "") is None
    assert keeps_away(tainted, Pod((), node_name="node-1"), "Pod") is None


def test_pods_of_daemon_sets_run_on_unschedulable_nodes():
    taint = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}
    cordoned = profile(taints=[taint])
    assert keeps_away(cordoned, Pod(()), "DaemonSet") is None
    assert keeps_away(cordoned, Pod(()), "Deployment") is not None
