"""Node profiles, from data that is valid by their schema."""

import pytest

from qoslint.finding import ObjectId, Place
from qoslint.kernel.features import Version
from qoslint.kernel.quantity import parse
from qoslint.model.node import ProfileError, Taint, node_profile, supported_version

VERSION = Version(1, 36)


def place(line=0):
    return Place(ObjectId("nodes.yaml", line, ()), ())


def profile(capacity, **changes):
    return node_profile({"name": "n1", "capacity": capacity, **changes}, VERSION, place())


def test_capacity_is_quantities_as_kubernetes_reads_them():
    node = profile({"memory": "16Gi", "cpu": 3.5, "pods": 110, "nvidia.com/gpu": "8"})
    assert node.capacity["cpu"] == parse("3.5")
    assert node.capacity["pods"] == parse("110")
    assert node.memory_bytes == 17179869184


def test_a_fraction_of_a_byte_is_rounded_up():
    assert profile({"memory": "1500m"}).memory_bytes == 2


def test_a_profile_is_of_the_clusters_version_unless_it_names_one():
    assert profile({"memory": "1Gi"}).version == VERSION
    assert profile({"memory": "1Gi"}, version="v1.33.4-eks-1").version == Version(1, 33)


def test_a_profile_is_a_linux_node_with_cgroup_v2_unless_it_says_otherwise():
    node = profile({"memory": "1Gi"})
    assert (node.os, node.cgroup, node.labels, node.taints, node.count) == (
        "linux", "v2", {}, (), None,
    )  # fmt: skip


def test_a_profile_keeps_what_it_states():
    node = profile(
        {"memory": "1Gi"},
        os="windows",
        cgroup="v1",
        labels={"pool": "big"},
        taints=[{"key": "dedicated", "effect": "NoSchedule"}],
        kubelet={"evictionHard": {"memory.available": "1Gi"}, "reservedMemory": [1]},
        count=3,
    )
    assert (node.os, node.cgroup, node.count) == ("windows", "v1", 3)
    assert node.taints == (Taint("dedicated", "NoSchedule"),)
    assert node.labels == {"pool": "big"}
    assert node.kubelet == {"evictionHard": {"memory.available": "1Gi"}, "reservedMemory": (1,)}


def test_what_a_profile_keeps_cannot_be_changed():
    node = profile({"memory": "1Gi"}, kubelet={"evictionHard": {}})
    with pytest.raises(TypeError):
        node.kubelet["evictionHard"]["memory.available"] = "1Gi"


def test_profiles_that_differ_only_in_their_place_are_one_value():
    data = {"name": "n1", "capacity": {"memory": "1Gi"}, "labels": {"pool": "big"}}
    assert len({node_profile(data, VERSION, place(1)), node_profile(data, VERSION, place(2))}) == 1


@pytest.mark.parametrize(
    ("capacity", "path", "message"),
    [
        ({"memory": "0"}, "memory", "must be more than zero"),
        ({"memory": "-1"}, "memory", "must not be negative, not '-1'"),
        ({"memory": "1Gi", "cpu": -0.5}, "cpu", "must not be negative, not -0.5"),
        ({"memory": "10E"}, "memory", "must be less than 8Ei, not '10E'"),
        ({"memory": "1mK"}, "memory", "is no quantity: unable to parse quantity's suffix"),
    ],
)
def test_a_capacity_that_cannot_be_is_an_error(capacity, path, message):
    with pytest.raises(ProfileError) as raised:
        profile(capacity)
    assert raised.value.path == ("capacity", path)
    assert raised.value.message == message


def test_a_version_is_named_as_people_or_nodes_name_it():
    assert supported_version("1.31") == supported_version("v1.31.9+k3s1") == Version(1, 31)
    assert supported_version("1.37") == Version(1, 37)


@pytest.mark.parametrize("text", ["1.30", "1.38"])
def test_a_version_that_is_not_supported_is_an_error(text):
    with pytest.raises(ValueError, match=rf"^must be Kubernetes 1\.31 to 1\.37, not '{text}'$"):
        supported_version(text)
