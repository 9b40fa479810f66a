"""A node profile explained: what is left of its machine for pods, and when its kubelet evicts.

Where somebody set a number stands in the document as a `Place`, or whatever `at` makes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from qoslint.finding import Place
from qoslint.kernel.allocatable import PID, PODS, Allocatable
from qoslint.kernel.duration import format_duration
from qoslint.kernel.features import Version
from qoslint.kernel.pod import CPU, EPHEMERAL_STORAGE, MEMORY
from qoslint.kernel.quantity import ZERO
from qoslint.kernel.thresholds import PODS_ENFORCEMENT, Threshold, default_eviction_hard
from qoslint.model.facts import quantities
from qoslint.model.kubelet import Kubelet
from qoslint.model.nodethresholds import EVICTION_HARD, Reason, configured_text, reason

Document: TypeAlias = dict[str, object]
At: TypeAlias = Callable[[Place], object]
"""What a place is in the document."""

OLDEST_KUBELET = 3
"""Minor versions that a kubelet may be older than the API server, by the version skew policy."""
_ASKED = (CPU, MEMORY, EPHEMERAL_STORAGE, PID)
_MERGE = "mergeDefaultEvictionSettings"
_RESERVED_CPUS = "reservedSystemCPUs"
_EVICTION_SIGNAL = {MEMORY: "memory.available", EPHEMERAL_STORAGE: "nodefs.available"}


def node_document(kubelet: Kubelet, at: At) -> Document:
    """One profile with everything that follows from its capacity and its kubelet's settings."""
    node, resources = kubelet.node, kubelet.resources
    allocatable, most = resources.allocatable, node.approximate
    thresholds = resources.thresholds or ()
    in_force = {str(threshold.signal) for threshold in thresholds}
    return {
        "name": node.name,
        "version": str(node.version),
        "os": node.os,
        "cgroup": node.cgroup,
        "filesystems": str(node.filesystems),
        "disks": quantities(node.disks),
        "count": node.count,
        "at": at(node.place),
        "approximate": most and {"source": most.source, "mostMemory": most.memory.canonical()},
        "resources": list(_resources(kubelet, allocatable, at)) if allocatable else [],
        "unknown": [name for name in _ASKED if name not in node.capacity],
        "thresholds": [_threshold(each, kubelet, at) for each in thresholds],
        "unwatched": [name for name in default_eviction_hard(node.os) if name not in in_force],
        "kubepods": _kubepods(kubelet),
        "refusals": [text for failure in resources.failures for text in failure.messages],
        "daemons": quantities(node.daemons),
    }


def skew(kubelet: Version, cluster: Version) -> Document:
    """How many minor versions the kubelet is older than the API server, and whether it may be."""
    behind = cluster.minor - kubelet.minor
    return {
        "cluster": str(cluster),
        "behind": behind,
        "supported": 0 <= behind <= OLDEST_KUBELET,
    }


def _resources(kubelet: Kubelet, allocatable: Allocatable, at: At) -> Iterator[Document]:
    for name, left in allocatable.allocatable.items():
        by, place = _capacity_of(name, kubelet)
        yield {
            "resource": name,
            "capacity": allocatable.capacity[name].canonical(),
            "by": by,
            "at": place and at(place),
            "withheld": [
                {
                    "by": term,
                    "quantity": quantity,
                    "because": str(Reason.SET if source else Reason.DEFAULT),
                    "at": source and at(source),
                }
                for term, quantity, source in _withheld(name, kubelet, allocatable)
            ],
            "allocatable": left.canonical(),
        }


def _capacity_of(name: str, kubelet: Kubelet) -> tuple[str, Place | None]:
    """What states a capacity; of pods the kubelet's own settings (`setters.go MachineInfo`)."""
    node, configuration = kubelet.node, kubelet.configuration
    if name != PODS:
        return "capacity", _below(node.place, "capacity", name)
    cores = node.capacity.get(CPU, ZERO).value()
    by_cores = configuration.pods_per_core * cores
    if configuration.pods_per_core > 0 and by_cores < configuration.max_pods:
        return "podsPerCore", setting_place(kubelet, "podsPerCore")
    if place := setting_place(kubelet, "maxPods"):
        return "maxPods", place
    if PODS in node.capacity:
        return "capacity", _below(node.place, "capacity", PODS)
    return "default", None


def _withheld(
    name: str, kubelet: Kubelet, allocatable: Allocatable
) -> Iterator[tuple[str, str, Place | None]]:
    """Each amount that pods do not get: what withholds it, and where that was set."""
    by_cpus = name == CPU and kubelet.configuration.reserved_system_cpus
    system = _RESERVED_CPUS if by_cpus else "systemReserved"
    terms = (
        ("kubeReserved", allocatable.kube_reserved, (name,)),
        (system, allocatable.system_reserved, () if by_cpus else (name,)),
        (EVICTION_HARD, allocatable.eviction_reserve, (_EVICTION_SIGNAL.get(name, name),)),
    )
    for by, amounts, path in terms:
        if amounts.get(name, ZERO).nanos:
            yield by, amounts[name].canonical(), _term_place(kubelet, by, path)
    if name == MEMORY and allocatable.hugepages.nanos:
        yield "hugePages", allocatable.hugepages.canonical(), _below(kubelet.node.place, "capacity")


def _term_place(kubelet: Kubelet, by: str, path: tuple[str, ...]) -> Place | None:
    if by != EVICTION_HARD:
        return setting_place(kubelet, by, *path)
    for threshold in kubelet.resources.thresholds or ():
        if threshold.hard and threshold.signal in path:
            return _threshold_place(threshold, kubelet)
    return None


def _threshold(threshold: Threshold, kubelet: Kubelet, at: At) -> Document:
    configured = configured_text(threshold, kubelet)
    capacity = kubelet.resources.capacities.get(threshold.signal)
    fixed = threshold.value.quantity
    resolved = fixed if capacity is None else threshold.resolved(capacity)
    place = _threshold_place(threshold, kubelet)
    return {
        "signal": str(threshold.signal),
        "value": configured.text,
        "resolved": resolved and resolved.canonical(),
        "kind": "hard" if threshold.hard else "soft",
        "gracePeriod": format_duration(threshold.grace_period),
        "minimumReclaim": kubelet.configuration.eviction_minimum_reclaim.get(configured.signal),
        "because": str(reason(configured, kubelet)),
        "copyOf": None if configured.signal is threshold.signal else str(configured.signal),
        "at": place and at(place),
    }


def _threshold_place(threshold: Threshold, kubelet: Kubelet) -> Place | None:
    """Where somebody set the threshold, or that the default is merged; None for a default."""
    configured = configured_text(threshold, kubelet)
    match reason(configured, kubelet):
        case Reason.SET:
            return setting_place(kubelet, configured.field, configured.signal)
        case Reason.MERGED:
            return setting_place(kubelet, _MERGE)
    return None


def setting_place(kubelet: Kubelet, field: str, *below: str) -> Place | None:
    """Where a field of the kubelet's configuration is set; None if it is nowhere."""
    setting = kubelet.node.kubelet.get(field)
    return _below(setting.place, *below) if setting else None


def _below(place: Place, *path: str) -> Place:
    return Place(place.object, (*place.path, *map(str, path)))


def _kubepods(kubelet: Kubelet) -> Document | None:
    cgroup = kubelet.resources.kubepods
    if cgroup is None:
        return None
    return {
        "memory.max": cgroup.memory_max,
        "cpu.shares": cgroup.cpu_shares,
        "cpu.weight": cgroup.cpu_weight,
        "pids.max": cgroup.pids_max,
        "enforced": PODS_ENFORCEMENT in kubelet.configuration.enforce_node_allocatable
        and kubelet.configuration.cgroups_per_qos,
    }
