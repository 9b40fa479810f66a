"""What managed Kubernetes reserves for the kubelet and the container runtime, as published.

Each formula is the provider's own. Memory is in MiB, CPU in millicores, without fractions of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

_GIB = 1024
_CORE = 1000
_CPU_STEPS = ((1 * _CORE, 600), (1 * _CORE, 100), (2 * _CORE, 50), (None, 25))
"""6% of the first core, 1% of the next, 0.5% of the next two, 0.25% of all others."""
_MEMORY_STEPS = (
    (4 * _GIB, 2500),
    (4 * _GIB, 2000),
    (8 * _GIB, 1000),
    (112 * _GIB, 600),
    (None, 200),
)
_AKS_CPU_STEPS = ((1 * _CORE, 600), (1 * _CORE, 400), (2 * _CORE, 200), (None, 100))


class Machine(NamedTuple):
    """What a formula may ask of a machine: its nominal size, and the kubelet's `maxPods`."""

    millicores: int
    mebibytes: int
    max_pods: int


Reservation: TypeAlias = Callable[[Machine], Mapping[str, str]]
"""The `kubeReserved` of a machine."""


def eks(machine: Machine) -> Mapping[str, str]:
    """Amazon EKS: `nodeadm/internal/kubelet/config.go` of awslabs/amazon-eks-ami.

    `getCPUMillicoresToReserve` and `getMemoryMebibytesToReserve`, read at 81fec2e8 (July 2026);
    the bootstrap script of the older images computes the same.
    """
    return {
        "cpu": f"{_stepwise(machine.millicores, _CPU_STEPS)}m",
        "memory": f"{255 + 11 * machine.max_pods}Mi",
        "ephemeral-storage": "1Gi",
    }


def gke(machine: Machine) -> Mapping[str, str]:
    """GKE Standard, which reserves more the larger the machine, and 255 MiB below 1 GiB.

    https://cloud.google.com/kubernetes-engine/docs/concepts/plan-node-sizes (2026). GKE takes the
    steps of what the machine reports, which is some percent less than its nominal size, and since
    1.37 may reserve less: this is the most.
    """
    small = machine.mebibytes < _GIB
    memory = 255 if small else _stepwise(machine.mebibytes, _MEMORY_STEPS)
    return {"cpu": f"{_stepwise(machine.millicores, _CPU_STEPS)}m", "memory": f"{memory}Mi"}


def aks(machine: Machine) -> Mapping[str, str]:
    """AKS since Kubernetes 1.29: 20 MB for each pod and 50 MB, at most a quarter of the memory.

    https://learn.microsoft.com/azure/aks/node-resource-reservations (2026); its nodes have the
    numbers as MiB. The table of CPU there grows by 40m, 20m and 10m a core.
    """
    memory = min(20 * machine.max_pods + 50, machine.mebibytes // 4)
    cpu = _stepwise(machine.millicores, _AKS_CPU_STEPS)
    return {"cpu": f"{cpu}m", "memory": f"{memory}Mi", "pid": "1000"}


def nothing(_: Machine) -> Mapping[str, str]:
    """What kubeadm, k3s and kind leave to their users."""
    return {}


RESERVATIONS: Mapping[str, Reservation] = MappingProxyType(
    {"eks": eks, "gke": gke, "aks": aks, "none": nothing}
)
"""By the name that the data of presets uses."""


def _stepwise(amount: int, steps: Iterable[tuple[int | None, int]]) -> int:
    """The sum of the shares of each step, which are in hundredths of a percent.

    A step without size is the rest.
    """
    reserved = 0
    for size, share in steps:
        part = amount if size is None else min(amount, size)
        reserved += part * share
        amount -= part
    return reserved // 10_000
