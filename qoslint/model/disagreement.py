"""Where the kubelets of a file and the node profile that stands for them are not alike."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from qoslint.finding import Place
from qoslint.kernel.duration import parse_duration
from qoslint.kernel.pod import CPU, EPHEMERAL_STORAGE
from qoslint.kernel.quantity import QuantityError, parse
from qoslint.model.kubelet import Kubelet
from qoslint.model.nodeconfiguration import RESERVED, NodeConfiguration
from qoslint.model.setting import Setting

_HARD = "evictionHard"
_AMOUNTS = ("evictionSoft", "evictionSoftGracePeriod", "evictionMinimumReclaim")
_SCALARS = {
    "maxPods": "max_pods",
    "podsPerCore": "pods_per_core",
    "podPidsLimit": "pod_pids_limit",
    "enforceNodeAllocatable": "enforce_node_allocatable",
    "reservedSystemCPUs": "reserved_system_cpus",
    "cgroupsPerQOS": "cgroups_per_qos",
    "cpuManagerPolicy": "cpu_manager_policy",
    "memoryThrottlingFactor": "memory_throttling_factor",
    "localStorageCapacityIsolation": "local_storage_capacity_isolation",
    "evictionMaxPodGracePeriod": "eviction_max_pod_grace_period",
}
"""Fields that change what is computed of a node, and what the configuration calls them."""

_OFF = ("0%", "100%")
_UNKNOWN = (CPU, EPHEMERAL_STORAGE, "pid")
_PERCENT = re.compile(r"(\d{1,9})(?:\.(\d{1,9}))?%")


class Difference(NamedTuple):
    """A setting of the file, and what the profile has instead."""

    place: Place
    field: str
    """With its key: `evictionHard memory.available`."""
    file: str
    profile: str
    """Empty for nothing."""


def differences(node: NodeConfiguration, kubelet: Kubelet) -> Iterator[Difference]:
    """What the file sets in another way than the profile has it, field by field.

    What the file does not write is left out: flags or a tool may set it. Where an evictionHard is
    all that the kubelet is given, the defaults that it makes vanish differ as well.
    """
    yield from _hard(node, kubelet)
    yield from _pairs(node, kubelet)
    for field, name in _SCALARS.items():
        if field in node.fields:
            own, other = (
                getattr(each, name) for each in (node.configuration, kubelet.configuration)
            )
            if _comparable(own) != _comparable(other):
                yield Difference(node.at(field), field, _told(own), _told(other))


def _hard(node: NodeConfiguration, kubelet: Kubelet) -> Iterator[Difference]:
    given = node.configuration.eviction_hard if node.configuration else None
    if _HARD not in node.fields or node.resources is None or given is None:
        return
    own, other = node.resources.eviction_hard, kubelet.resources.eviction_hard
    for signal in sorted({*own, *other} if node.is_whole else given):
        texts = _in_force(own.get(signal)), _in_force(other.get(signal))
        if not _alike(*texts):
            place = node.at(_HARD, signal) if signal in given else node.at(_HARD)
            yield Difference(place, f"{_HARD} {signal}", *texts)


def _in_force(text: str | None) -> str:
    return "" if text is None or text in _OFF else text


def _pairs(node: NodeConfiguration, kubelet: Kubelet) -> Iterator[Difference]:
    known = kubelet.node.capacity
    for field in (*RESERVED, *_AMOUNTS):
        for key, value in _written(node.fields, field).items():
            # What the profile does not state of its machine changes nothing that is computed.
            if field in RESERVED and key in _UNKNOWN and key not in known:
                continue
            other = _written(kubelet.node.kubelet, field).get(key, "")
            if not _alike(value, other):
                yield Difference(node.at(field, key), f"{field} {key}", value, other)


def _written(fields: Mapping[str, Setting], field: str) -> Mapping[str, str]:
    value = fields[field].value if field in fields else None
    return {key: str(each) for key, each in value.items()} if isinstance(value, Mapping) else {}


def _alike(one: str, other: str) -> bool:
    return one == other or _comparable(one) == _comparable(other)


def _comparable(value: object) -> object:
    """What equal settings have in common, however they are written; nothing is like zero."""
    if not isinstance(value, str):
        return frozenset(value) if isinstance(value, tuple) else value
    if found := _PERCENT.fullmatch(value):
        return int(found[1]), (found[2] or "").rstrip("0"), "%"
    try:
        return parse(value or "0").nanos
    except QuantityError:
        pass
    try:
        return parse_duration(value), "ns"
    except ValueError:
        return value


def _told(value: object) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)
