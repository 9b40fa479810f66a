"""Node profiles, from data that is valid by their schema."""

import pytest

from qoslint.finding import ObjectId, Place
from qoslint.kernel.features import Version
from qoslint.kernel.quantity import parse
from qoslint.kernel.signals import Filesystems
from qoslint.model.node import ProfileError, Taint, node_profile, supported_version
from qoslint.model.setting import settings_at

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
    assert {name: setting.value for name, setting in node.kubelet.items()} == {
        "evictionHard": {"memory.available": "1Gi"},
        "reservedMemory": (1,),
    }


def test_each_kubelet_setting_keeps_its_place():
    node = profile({"memory": "1Gi"}, kubelet={"maxPods": 10})
    assert node.kubelet["maxPods"].place == Place(place().object, ("kubelet", "maxPods"))


def test_the_kubelet_settings_of_a_profile_count_before_those_of_a_file():
    elsewhere = settings_at(place(7), {"maxPods": 20, "podsPerCore": 2})
    data = {"name": "n1", "capacity": {"memory": "1Gi"}, "kubelet": {"maxPods": 10}}
    kubelet = node_profile(data, VERSION, place(), elsewhere).kubelet
    assert {name: setting.value for name, setting in kubelet.items()} == {
        "maxPods": 10,
        "podsPerCore": 2,
    }
    assert kubelet["podsPerCore"].place.object.document == 7


def test_a_profile_says_what_is_outside_of_pods_and_which_pods_there_are():
    node = profile(
        {"memory": "16Gi"},
        daemons={"memory": "600Mi", "pid": 300},
        filesystems="split",
        pods=[{"namespace": "shop", "name": "api-*"}, {"labels": {"app": "web"}}],
    )
    assert node.daemons["memory"].value() == 600 * 2**20
    assert node.filesystems is Filesystems.SPLIT
    first, second = node.pods
    assert first.selects("shop", "Deployment", "api-1", {})
    assert not first.selects("bank", "Deployment", "api-1", {})
    assert second.selects("any", "Pod", "any", {"app": "web", "tier": "front"})
    assert not second.selects("any", "Pod", "any", {"app": "api"})


def test_sizes_of_disks_stand_beside_what_a_node_reports():
    sizes = {"memory": "1Gi", "inodes": "1M", "imagefs": "10Gi", "imagefs-inodes": 1000}
    node = profile(sizes, filesystems="imagefs")
    assert [*node.capacity] == ["memory"]
    assert {name: size.value() for name, size in node.disks.items()} == {
        "inodes": 10**6,
        "imagefs": 10 * 2**30,
        "imagefs-inodes": 1000,
    }


def test_an_approximate_profile_has_a_range_of_memory():
    node = profile({"memory": "7Gi"}, approximate={"source": "a page", "memory": "8Gi"})
    assert (node.memory_bytes, node.most_memory_bytes) == (7 * 2**30, 8 * 2**30)
    assert profile({"memory": "7Gi"}).most_memory_bytes == 7 * 2**30


@pytest.mark.parametrize(
    ("changes", "path", "message"),
    [
        (
            {"approximate": {"source": "a page", "memory": "3Gi"}},
            ("approximate", "memory"),
            "must be at least the least memory, '4Gi' in capacity",
        ),
        ({"daemons": {"memory": "-1"}}, ("daemons", "memory"), "must not be negative, not '-1'"),
        (
            {"daemons": {"memory": "5Gi"}},
            ("daemons", "memory"),
            "must be at most the '4Gi' that the node has",
        ),
        (
            {"daemons": {"imagefs": "1Gi"}},
            ("daemons", "imagefs"),
            "needs `filesystems: imagefs` or `filesystems: split`: else images lie beside the "
            "files of the kubelet, whose sizes are ephemeral-storage and inodes",
        ),
    ],
)
def test_daemons_and_ranges_that_cannot_be_are_errors(changes, path, message):
    with pytest.raises(ProfileError) as raised:
        profile({"memory": "4Gi"}, **changes)
    assert (raised.value.path, raised.value.message) == (path, message)


def test_no_more_can_be_used_of_a_disk_than_it_has():
    with pytest.raises(ProfileError) as raised:
        profile({"memory": "4Gi", "inodes": 10}, daemons={"inodes": 11})
    assert raised.value.message == "must be at most the 10 that the node has"


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
