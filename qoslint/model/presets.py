"""Node profiles that qoslint ships: the machines of providers that are used most.

The data is `qoslint/data/nodes/*.yaml`, one file a provider, as `schemas/nodes.schema.json`
describes it. A preset is approximate, for no two machines of a type report the same memory.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from qoslint.kernel.quantity import parse
from qoslint.model.reservations import RESERVATIONS, Machine
from qoslint.package_data import data
from qoslint.schema import Json
from qoslint.source.document import load

Provider: TypeAlias = Mapping[str, Any]
"""The data of one provider's machines."""

_KIB = 1024
_MIB = 1024 * 1024


def known_profiles(extra: Mapping[str, Json]) -> Mapping[str, Json]:
    """The presets by name, as data of node profiles, and those of plugins, which win."""
    return MappingProxyType({**presets(), **extra})


@functools.cache
def presets() -> Mapping[str, Json]:
    """The presets by name, such as `eks/m5.large`, in the order of the data."""
    return MappingProxyType({each["name"]: each for each in _profiles(shipped_providers())})


def shipped_providers() -> tuple[Provider, ...]:
    """The data of all providers, sorted by file."""
    pages = sorted(data("nodes").glob("*.yaml"))
    providers: tuple[Any, ...] = tuple(load(page.read_text("utf-8")) for page in pages)
    return providers


def instance_preset(instance_type: str) -> str | None:
    """The name of the preset of a provider's type of machine, such as `m5.large`; None if none."""
    return next((name for name in presets() if name.partition("/")[2] == instance_type), None)


def _profiles(providers: Iterable[Provider]) -> Iterator[Json]:
    for provider in providers:
        for shape, machine in provider["machines"].items():
            yield _profile(provider, shape, machine)


def _profile(provider: Provider, shape: str, machine: Mapping[str, Any]) -> Json:
    most = parse(machine["memory"]).value()
    pods = machine.get("pods") or provider["pods"]
    reserved = RESERVATIONS[provider["reservation"]](
        Machine(1000 * machine["cpu"], most // _MIB, pods)
    )
    kubelet = {"maxPods": pods, **provider.get("kubelet", {})}
    if reserved:
        kubelet["kubeReserved"] = dict(reserved)
    least = most * (1000 - provider["memoryOverheadPerMille"]) // 1000 // _KIB
    labels = {"kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64"}
    if provider["instanceTypes"]:
        labels["node.kubernetes.io/instance-type"] = shape
    return {
        "name": f"{provider['name']}/{shape}",
        "capacity": {"cpu": machine["cpu"], "memory": f"{least}Ki", "pods": pods},
        "labels": labels,
        "kubelet": kubelet,
        "approximate": {"source": provider["sources"][0], "memory": machine["memory"]},
    }
