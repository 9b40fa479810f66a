"""What becomes of the kubelet settings of a profile."""

import pytest

from qoslint.finding import ObjectId, Place
from qoslint.kernel.features import Version, features
from qoslint.model.kubelet import kubelet
from qoslint.model.node import ProfileError, node_profile

PLACE = Place(ObjectId("node.yaml", 0, ()), ())


def made(version="1.36", **data):
    data = {"name": "n", "capacity": {"memory": "16Gi"}, **data}
    return kubelet(node_profile(data, Version.parse(version), PLACE), features(version))


def allocatable(node, name="memory"):
    return node.resources.allocatable.allocatable[name]


def test_allocatable_is_the_capacity_less_what_is_reserved_and_the_hard_threshold():
    node = made(kubelet={"kubeReserved": {"memory": "1Gi"}, "systemReserved": {"memory": "512Mi"}})
    assert allocatable(node).value() == 14748 << 20


def test_settings_that_are_set_replace_all_default_thresholds():
    node = made(kubelet={"evictionHard": {"nodefs.available": "10%"}})
    assert allocatable(node).value() == 16 << 30
    assert node.configuration.eviction_hard == {"nodefs.available": "10%"}


def test_the_pods_of_the_capacity_are_those_that_the_kubelet_takes():
    assert allocatable(made(capacity={"memory": "1Gi", "pods": 58}), "pods").value() == 58
    both = made(capacity={"memory": "1Gi", "pods": 58}, kubelet={"maxPods": 20})
    assert allocatable(both, "pods").value() == 20
    assert allocatable(made(), "pods").value() == 110


def test_what_is_reserved_of_something_that_the_profile_does_not_name_reserves_nothing():
    node = made(kubelet={"kubeReserved": {"cpu": "100m", "memory": "1Gi"}})
    assert "cpu" not in node.resources.allocatable.allocatable
    assert allocatable(node).value() == 15260 << 20


def test_gates_of_the_kubelet_count_on_its_node():
    node = made("1.34", kubelet={"featureGates": {"PodLevelResources": False}})
    assert not node.features.on("PodLevelResources")
    assert made("1.34").features.on("PodLevelResources")


@pytest.mark.parametrize(
    ("fields", "path", "message"),
    [
        ({"kubeReserved": {"memory": "20Gi"}}, "kubeReserved", "capacity of 16Gi"),
        ({"kubeReserved": {"memory": "-1"}}, "kubeReserved", "cannot be negative: -1"),
        ({"kubeReserved": {"disk": "1"}}, "kubeReserved", 'cannot reserve "disk"'),
        ({"evictionHard": {"memory.available": "-1%"}}, "evictionHard", "must be >= 0%"),
        ({"evictionHard": {"memory.available": "101%"}}, "evictionHard", "must be <= 100%"),
        ({"evictionHard": {"memory.free": "1Gi"}}, "evictionHard", "memory.free"),
        ({"evictionSoft": {"memory.available": "1Gi"}}, "evictionSoft", "grace period must be"),
        ({"maxPods": "many"}, None, "maxPods"),
    ],
)
def test_a_configuration_that_stops_the_kubelet_is_refused_at_its_field(fields, path, message):
    with pytest.raises(ProfileError, match=r"lets no kubelet of Kubernetes 1\.36 start") as caught:
        made(kubelet=fields)
    assert caught.value.path == (("kubelet", path) if path else ("kubelet",))
    assert message in caught.value.message


def test_a_machine_too_small_for_the_default_threshold_has_nothing_to_give():
    node = made(capacity={"memory": "64Mi"})
    assert allocatable(node).value() == 0
    assert [failure.step for failure in node.resources.failures] == ["nodeAllocatable"]
