"""Shipped node profiles: the data, and that each provider's formula gives what it publishes."""

from importlib.resources import files

import pytest

from qoslint.finding import ObjectId, Place
from qoslint.kernel.features import SUPPORTED, features
from qoslint.model.kubelet import kubelet
from qoslint.model.node import node_profile
from qoslint.model.presets import instance_preset, known_profiles, presets, shipped_providers
from qoslint.model.reservations import Machine, aks, eks, gke
from qoslint.schema import check
from qoslint.source.document import load

PAGES = sorted((files("qoslint") / "data" / "nodes").iterdir(), key=lambda page: page.name)
PLACE = Place(ObjectId("settings.yaml", 0, ()), ())


def preset(name):
    return node_profile(presets()[name], SUPPORTED[-1], PLACE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_data_is_valid_by_its_schema(page):
    assert list(check(load(page.read_text("utf-8")), "nodes")) == []


@pytest.mark.parametrize("name", presets())
def test_every_preset_is_a_node_profile(name):
    assert list(check(presets()[name], "node-profile")) == []
    node = preset(name)
    assert node.memory_bytes < node.most_memory_bytes == node.approximate.memory.value()
    assert node.approximate.source.startswith("https://")
    assert node.kubelet["maxPods"].value == node.capacity["pods"].value()


@pytest.mark.parametrize("version", [SUPPORTED[0], SUPPORTED[-1]], ids=str)
@pytest.mark.parametrize("name", presets())
def test_the_kubelet_of_every_preset_starts_and_leaves_most_of_the_node_to_pods(name, version):
    node = preset(name)
    resources = kubelet(node, features(version)).resources
    assert resources.failures == ()
    assert resources.allocatable.allocatable["memory"].value() > node.memory_bytes // 2


def test_every_machine_says_how_many_pods_it_takes():
    for provider in shipped_providers():
        for machine in provider["machines"].values():
            assert "pods" in machine or "pods" in provider


# Allocatable memory and CPU as Karpenter publishes them for the AL2023 images, which is its
# estimate of capacity (7.5% below the nominal size), less kubeReserved and 100Mi for eviction:
# https://karpenter.sh/docs/reference/instance-types/ (generated August 2026).
@pytest.mark.parametrize(
    ("name", "millicores", "mebibytes", "pods"),
    [
        ("c5.large", 1930, 3114, 29),
        ("c5.4xlarge", 15890, 27381, 234),
        ("m5.large", 1930, 6903, 29),
        ("m5.4xlarge", 15890, 57691, 234),
        ("m6i.large", 1930, 6903, 29),
        ("m6i.4xlarge", 15890, 57691, 234),
        ("r5.large", 1930, 14481, 29),
    ],
)
def test_nodes_of_eks_have_the_allocatable_that_is_published(name, millicores, mebibytes, pods):
    node = preset(f"eks/{name}")
    allocatable = kubelet(node, features(node.version)).resources.allocatable.allocatable
    cpu, memory = allocatable["cpu"].milli_value(), allocatable["memory"].value()
    assert (cpu, memory // 2**20, node.capacity["pods"].value()) == (millicores, mebibytes, pods)


# nodeadm/internal/kubelet/config.go of awslabs/amazon-eks-ami, getCPUMillicoresToReserve.
@pytest.mark.parametrize(
    ("cores", "millicores"), [(1, 60), (2, 70), (4, 80), (8, 90), (16, 110), (48, 190), (96, 310)]
)
def test_eks_reserves_ever_less_of_each_core(cores, millicores):
    assert eks(Machine(1000 * cores, 4096, 29))["cpu"] == f"{millicores}m"


# https://cloud.google.com/kubernetes-engine/docs/concepts/plan-node-sizes: its node of 4 CPUs
# has 3920m allocatable; 25%, 20%, 10%, 6%, 2% of 4, 4, 8, 112 GiB and the rest. A calculator that
# cites the page reserves 9.8577 GiB of 150 GiB, the 100 MiB for eviction included
# (hatemosphere/gke-node-allocatable-memory-calculator).
@pytest.mark.parametrize(
    ("gibibytes", "mebibytes"),
    [(2, 512), (4, 1024), (8, 1843), (16, 2662), (128, 9543), (150, 9994)],
)
def test_gke_reserves_memory_in_steps(gibibytes, mebibytes):
    assert gke(Machine(4000, 1024 * gibibytes, 110)) == {"cpu": "80m", "memory": f"{mebibytes}Mi"}


def test_gke_reserves_255_mebibytes_of_the_smallest_machines():
    assert gke(Machine(1000, 1023, 110))["memory"] == "255Mi"


# https://learn.microsoft.com/azure/aks/node-resource-reservations: 8 GB and 30 pods, 650 MB; 4 GB
# and 70 pods, a quarter, for 1450 MB would be more. Nodes of 2 and 8 CPUs with 250 pods were seen
# with --kube-reserved=cpu=100m,memory=2048Mi,pid=1000 and cpu=180m,memory=5050Mi,pid=1000.
@pytest.mark.parametrize(
    ("cores", "gibibytes", "pods", "cpu", "memory"),
    [
        (2, 8, 30, "100m", "650Mi"),
        (2, 4, 70, "100m", "1024Mi"),
        (2, 8, 250, "100m", "2048Mi"),
        (8, 32, 250, "180m", "5050Mi"),
    ],
)
def test_aks_reserves_memory_by_pods_up_to_a_quarter(cores, gibibytes, pods, cpu, memory):
    machine = Machine(1000 * cores, 1024 * gibibytes, pods)
    assert aks(machine) == {"cpu": cpu, "memory": memory, "pid": "1000"}


# The table of the same page.
@pytest.mark.parametrize(
    ("cores", "millicores"),
    [(1, 60), (2, 100), (4, 140), (8, 180), (16, 260), (32, 420), (64, 740)],
)
def test_aks_reserves_the_cpu_of_its_table(cores, millicores):
    assert aks(Machine(1000 * cores, 4096, 30))["cpu"] == f"{millicores}m"


@pytest.mark.parametrize("name", [name for name in presets() if name.startswith(("k3s/", "kind/"))])
def test_k3s_and_kind_set_thresholds_for_disks_alone(name):
    hard = preset(name).kubelet["evictionHard"].value
    assert hard
    assert "memory.available" not in hard


def test_a_type_of_machine_leads_to_its_preset():
    assert instance_preset("m5.large") == "eks/m5.large"
    assert instance_preset("Standard_D4s_v5") == "aks/Standard_D4s_v5"
    assert instance_preset("m5.metal") is None


def test_the_profile_of_a_plugin_counts_instead_of_the_preset_of_its_name():
    own = {"name": "eks/m5.large", "capacity": {"memory": "1Gi"}}
    assert known_profiles({"eks/m5.large": own})["eks/m5.large"] == own
    assert len(known_profiles({"mine": own})) == len(presets()) + 1
