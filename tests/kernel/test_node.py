"""Allocatable, thresholds and the pods' cgroup: every node vector, and what they leave out."""

from __future__ import annotations

import pytest

from qoslint.kernel.features import features
from qoslint.kernel.kubeletconfig import KubeletConfiguration
from qoslint.kernel.noderesources import NodeCapacity, StartFailure, Step, node_resources
from qoslint.kernel.pod import ResourceList
from qoslint.kernel.quantity import parse
from qoslint.kernel.signals import Filesystems, Signal
from qoslint.kernel.thresholds import KubeletStartError, parse_threshold_config

from .kubelet_answer import kubelet_answer


@pytest.mark.vectors("node")
def test_a_node_is_as_the_kubelet_makes_it(vectors):
    vectors.check(lambda row: kubelet_answer(row, vectors.features))


def resources(configuration=None, *, os="linux", filesystems=Filesystems.NODEFS, **capacity):
    given = {"cpu": "4", "memory": "16Gi", "ephemeral-storage": "100Gi", "pid": "32768"}
    listed = {name.replace("_", "-"): text for name, text in (given | capacity).items()}
    return node_resources(
        configuration or KubeletConfiguration(),
        NodeCapacity(ResourceList({name: parse(text) for name, text in listed.items()})),
        features("1.36"),
        os,
        filesystems,
    )


def texts(quantities):
    return {name: str(quantity) for name, quantity in quantities.items()}


def test_hugepages_are_withheld_from_what_pods_may_request_and_not_from_their_cgroup():
    configuration = KubeletConfiguration(
        kube_reserved={"memory": "1Gi"}, system_reserved={"memory": "512Mi"}
    )
    found = resources(configuration, **{"hugepages-2Mi": "1Gi"})
    assert str(found.allocatable.allocatable["memory"]) == "13724Mi"
    assert found.kubepods.memory_max == 14848 * 2**20
    assert str(found.allocatable.hugepages) == "1Gi"


def test_each_step_of_the_derivation_can_be_read():
    configuration = KubeletConfiguration(
        kube_reserved={"cpu": "100m", "memory": "1Gi"}, system_reserved={"memory": "500Mi"}
    )
    found = resources(configuration).allocatable
    assert texts(found.kube_reserved) == {"cpu": "100m", "memory": "1Gi"}
    assert texts(found.system_reserved) == {"memory": "500Mi"}
    assert texts(found.eviction_reserve) == {"ephemeral-storage": "10737418400", "memory": "100Mi"}
    assert texts(found.reservation) == {
        "cpu": "100m",
        "ephemeral-storage": "10737418400",
        "memory": "1624Mi",
    }


def test_without_pods_in_enforce_node_allocatable_their_cgroup_has_the_whole_capacity():
    configuration = KubeletConfiguration(
        enforce_node_allocatable=("none",), kube_reserved={"memory": "1Gi", "cpu": "1"}
    )
    found = resources(configuration)
    assert found.kubepods.memory_max == 16 * 2**30
    assert found.kubepods.cpu_shares == 4096
    assert str(found.allocatable.allocatable["memory"]) == "15260Mi"
    assert Signal.ALLOCATABLE_MEMORY not in {each.signal for each in found.thresholds}


def test_a_share_of_allocatable_memory_is_one_of_the_limit_of_the_cgroup():
    configuration = KubeletConfiguration(
        eviction_hard={"memory.available": "50%"}, kube_reserved={"memory": "4Gi"}
    )
    found = resources(configuration)
    resolved = {
        each.signal: each.resolved(found.capacities[each.signal]).value()
        for each in found.thresholds
        if each.signal in (Signal.MEMORY, Signal.ALLOCATABLE_MEMORY)
    }
    assert resolved == {Signal.MEMORY: 8 * 2**30, Signal.ALLOCATABLE_MEMORY: 6 * 2**30}


def test_windows_has_its_own_default_thresholds_and_no_cgroup_and_does_not_compare_reservations():
    configuration = KubeletConfiguration(kube_reserved={"memory": "1Ti"})
    found = resources(configuration, os="windows")
    assert found.eviction_hard["memory.available"] == "500Mi"
    assert "nodefs.inodesFree" not in found.eviction_hard
    assert found.kubepods is None
    assert found.allocatable.over_reserved == ("memory",)
    assert found.failures == ()


def test_a_reservation_above_the_capacity_is_told_with_both_amounts():
    configuration = KubeletConfiguration(system_reserved={"memory": "100Gi"})
    message = (
        'invalid Node Allocatable configuration. Resource "memory" has a reservation of 102500Mi '
        "but capacity of 16Gi. Expected capacity >= reservation."
    )
    assert resources(configuration).failures == (StartFailure(Step.NODE_ALLOCATABLE, (message,)),)


def test_what_is_configured_for_containerfs_gives_way_to_the_filesystem_of_the_layers():
    configuration = KubeletConfiguration(
        eviction_hard={
            "nodefs.available": "10%",
            "imagefs.available": "20%",
            "containerfs.available": "90%",
        }
    )

    def threshold(filesystems):
        found = resources(configuration, filesystems=filesystems).thresholds
        (only,) = [each for each in found if each.signal is Signal.CONTAINERFS]
        return round(only.value.percentage, 3)

    assert [threshold(each) for each in Filesystems] == [0.1, 0.2, 0.1]


def test_a_percentage_beyond_the_middle_of_two_float32_is_not_rounded_twice():
    middle = "100.000003814697265625"
    assert len(parse_threshold_config({"memory.available": f"{middle}%"})) == 1
    with pytest.raises(KubeletStartError, match="must be <= 100%"):
        parse_threshold_config({"memory.available": f"{middle}{'0' * 30}1%"})


@pytest.mark.parametrize(
    "text", ["1" * 100_000 + "%", "0x" + "f" * 100_000 + "p1%", "1e" + "9" * 5000 + "%"]
)
def test_a_hostile_percentage_is_refused_and_does_not_hang(text):
    with pytest.raises(KubeletStartError, match="value out of range"):
        parse_threshold_config({"memory.available": text})
