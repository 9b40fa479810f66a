"""Node profiles of nodes that exist, from what a cluster says of them.

`kubectl get nodes -o json` gives capacities, labels, taints and versions, and a node's `/configz`
(`kubectl get --raw /api/v1/nodes/NODE/proxy/configz`) gives what its kubelet runs with.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from qoslint.errors import UsageError
from qoslint.kernel.pod import EPHEMERAL_STORAGE, MEMORY
from qoslint.kernel.quantity import Quantity, QuantityError, from_json
from qoslint.model.nodesources.flags import FLAGS
from qoslint.model.objects import mapping, sequence, text, text_map
from qoslint.schema import Json
from qoslint.source.change import NoEditError
from qoslint.source.writing import block
from qoslint.span import value_at

_CONFIGZ = "kubeletconfig"
_POOLS = (
    "karpenter.sh/nodepool",
    "eks.amazonaws.com/nodegroup",
    "alpha.eksctl.io/nodegroup-name",
    "cloud.google.com/gke-nodepool",
    "kubernetes.azure.com/agentpool",
    "node.kubernetes.io/instance-type",
)
"""Labels that name the kind of a node, the most telling first."""
_OF_ONE_NODE = ("hostname", "instance-id", "node-id", "node-name", "nodeName")
"""How the names of labels end that no two nodes have in common."""
_PASSING_TAINTS = (
    "node.kubernetes.io/",
    "node.cloudprovider.kubernetes.io/",
    "ToBeDeletedByClusterAutoscaler",
    "DeletionCandidateOfClusterAutoscaler",
)
"""How the keys of taints start that tell the state of a node, and not its kind."""
_VARYING = (MEMORY, EPHEMERAL_STORAGE)
"""What differs a little between machines of one type."""
_WITHHELD_BY_DEFAULT = 100 * 2**20
"""Bytes of memory that the default hard threshold keeps free, if nothing is reserved."""
_KUBELET = frozenset(flag.field for flag in FLAGS.values()) | {
    "evictionHard",
    "memoryReservationPolicy",
    "memorySwap",
    "memoryThrottlingFactor",
    "mergeDefaultEvictionSettings",
    "reservedMemory",
    "shutdownGracePeriod",
    "shutdownGracePeriodCriticalPods",
    "singleProcessOOMKill",
}
"""Fields of a running configuration that bear on classes, eviction and reservation."""


class SeenNodesError(UsageError):
    """Data that describes no nodes; the message is a sentence."""


class SeenNodes(NamedTuple):
    """The profiles, as data by the node-profile schema, and what they do not say."""

    profiles: tuple[Json, ...]
    remarks: tuple[str, ...]


class _Seen(NamedTuple):
    """One node, without what is its own; `varying` are the capacities that differ a little."""

    name: str
    common: Mapping[str, Json]
    varying: Mapping[str, Quantity]
    withheld: bool
    """Whether its kubelet keeps from pods what no default of Kubernetes does."""


def seen_nodes(documents: Iterable[Json]) -> SeenNodes:
    """The profiles of the nodes in the documents, nodes of a kind as one.

    A document is a list of nodes, one node, or the one `/configz` that holds for all of them.
    Raises SeenNodesError.
    """
    given = [mapping(document) for document in documents]
    configs = [mapping(document[_CONFIGZ]) for document in given if _CONFIGZ in document]
    nodes = [_seen(node) for document in given for node in _nodes(document)]
    if len(configs) > 1:
        raise SeenNodesError(
            f"There are {len(configs)} kubelet configurations: give the nodes of each with it."
        )
    if not nodes:
        missing = "A /configz does not say what its node has" if configs else "No node is described"
        raise SeenNodesError(f"{missing}; give the output of `kubectl get nodes -o json`.")
    kubelet = {"kubelet": _running(configs[0])} if configs else {}
    kinds: dict[str, list[_Seen]] = {}
    for node in nodes:
        kinds.setdefault(json.dumps(node.common, sort_keys=True), []).append(node)
    groups = list(kinds.values())
    names = list(_names(groups))
    return SeenNodes(
        tuple(
            {"name": name, **_profile(group), **kubelet}
            for name, group in zip(names, groups, strict=True)
        ),
        () if configs else tuple(_remarks(names, groups)),
    )


def as_yaml(seen: SeenNodes) -> str:
    """The profiles as the list `nodes` of settings, with the remarks as comments before it.

    Raises SeenNodesError for text that no YAML can show.
    """
    lines = [f"# {' '.join(remark.split())}" for remark in seen.remarks]
    lines.append("nodes:")
    try:
        for profile in seen.profiles:
            first, *others = block(profile, 4, 2)
            lines += [f"  - {first.lstrip()}", *others]
    except NoEditError as error:
        raise SeenNodesError("The nodes have text that cannot be printed.") from error
    return "\n".join(lines) + "\n"


def _nodes(document: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    items = sequence(document.get("items")) if "items" in document else [document]
    for item in items:
        if isinstance(value_at(item, ("status", "capacity")), dict):
            yield mapping(item)


def _seen(node: Mapping[str, object]) -> _Seen:
    name = text(value_at(node, ("metadata", "name")))
    capacity = dict(_capacity(name, mapping(value_at(node, ("status", "capacity")))))
    if MEMORY not in capacity:
        raise SeenNodesError(f"The node {name!r} reports no memory in status.capacity.")
    info = mapping(value_at(node, ("status", "nodeInfo")))
    labels = text_map(value_at(node, ("metadata", "labels")))
    common: dict[str, Json] = {
        "version": text(info.get("kubeletVersion")),
        "os": text(info.get("operatingSystem")),
        "capacity": {key: str(size) for key, size in capacity.items() if key not in _VARYING},
        "labels": {key: value for key, value in labels.items() if not key.endswith(_OF_ONE_NODE)},
        "taints": list(_taints(sequence(value_at(node, ("spec", "taints"))))),
    }
    return _Seen(
        name,
        {key: value for key, value in common.items() if value},
        {key: capacity[key] for key in _VARYING if key in capacity},
        _withholds(capacity[MEMORY], value_at(node, ("status", "allocatable", MEMORY))),
    )


def _capacity(node: str, stated: Mapping[str, object]) -> Iterator[tuple[str, Quantity]]:
    for name, value in stated.items():
        plain = name in ("cpu", "pods", *_VARYING)
        if not (plain or name.startswith("hugepages-") or "/" in name):
            continue
        try:
            quantity = from_json(value)
        except QuantityError as error:
            raise SeenNodesError(
                f"The node {node!r} has {value!r} as capacity of {name}, which is no quantity."
            ) from error
        if plain or quantity.nanos:
            yield name, quantity


def _taints(stated: Iterable[object]) -> Iterator[Json]:
    for entry in stated:
        taint = {key: text(mapping(entry).get(key)) for key in ("key", "value", "effect")}
        if taint["key"] and not taint["key"].startswith(_PASSING_TAINTS):
            yield {key: value for key, value in taint.items() if value}


def _withholds(capacity: Quantity, allocatable: object) -> bool:
    if not isinstance(allocatable, str):
        return False
    try:
        left = from_json(allocatable)
    except QuantityError:
        return False
    return capacity.value() - left.value() != _WITHHELD_BY_DEFAULT


def _names(groups: Iterable[list[_Seen]]) -> Iterator[str]:
    taken: dict[str, int] = {}
    for first, *_ in groups:
        labels = mapping(first.common.get("labels"))
        name = next((text(labels[pool]) for pool in _POOLS if labels.get(pool)), first.name)
        taken[name] = taken.get(name, 0) + 1
        yield name if taken[name] == 1 else f"{name}-{taken[name]}"


def _profile(group: list[_Seen]) -> dict[str, Json]:
    """The data of a kind of node but for its name: of what varies, the least."""
    least = {
        key: min((node.varying[key] for node in group if key in node.varying), key=_size)
        for key in _VARYING
        if any(key in node.varying for node in group)
    }
    most = max((node.varying[MEMORY] for node in group), key=_size)
    profile: dict[str, Json] = dict(group[0].common)
    capacity = {**mapping(profile.get("capacity")), **{key: str(least[key]) for key in least}}
    profile["capacity"] = capacity
    profile["count"] = len(group)
    if _size(most) > _size(least[MEMORY]):
        source = f"the capacities of {len(group)} nodes, from {group[0].name} on"
        profile["approximate"] = {"source": source, MEMORY: str(most)}
    return profile


def _size(quantity: Quantity) -> int:
    return quantity.nanos


def _remarks(names: Iterable[str], groups: Iterable[list[_Seen]]) -> Iterator[str]:
    for name, group in zip(names, groups, strict=True):
        if any(node.withheld for node in group):
            yield (
                f"The kubelet of {name} withholds more or less than Kubernetes' defaults: add its "
                f"settings, from `kubectl get --raw /api/v1/nodes/{group[0].name}/proxy/configz`."
            )


def _running(config: Mapping[str, object]) -> dict[str, Json]:
    """The fields of a configuration with all defaults that say something.

    A kubelet without hard thresholds prints none, and a profile without them would have the
    defaults.
    """
    stated = {key: config[key] for key in sorted(_KUBELET) if config.get(key) not in (None, "")}
    return {"evictionHard": {}, **stated}
