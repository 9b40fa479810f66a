"""The node profiles of clusters, and those that are shipped, as one JSON document each time.

`schemas/node-list.schema.json` describes both once the places are located.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from qoslint.errors import UsageError, nearest
from qoslint.finding import HERE, Place
from qoslint.kernel.features import DEFAULT, Features, Version, features
from qoslint.kernel.quantity import from_json
from qoslint.model.clusterspec import ClusterSpec
from qoslint.model.judged import kubelet_in
from qoslint.model.kubelet import Kubelet, kubelet
from qoslint.model.node import NO_PROFILE, node_profile
from qoslint.model.nodedocument import Document, node_document, skew
from qoslint.model.presets import Provider, shipped_providers
from qoslint.schema import Json

_SCHEMA_VERSION = 1


def node_list(clusters: Iterable[ClusterSpec], wanted: Collection[str] = ()) -> Document:
    """The profiles of the clusters, each once with the clusters that have it.

    `wanted` are names of profiles; all if empty. The places are still symbolic. Raises UsageError
    for a name that no profile has, and where there is none at all.
    """
    found = list(_shared(clusters))
    known = list(dict.fromkeys(each.node.name for _, each, _ in found))
    if not known:
        raise UsageError(f"no node profile is known: {NO_PROFILE}")
    for name in wanted:
        if name not in known:
            raise UsageError(f"there is no node profile {name!r}{nearest(name, known)}")
    return {
        "schemaVersion": _SCHEMA_VERSION,
        "nodes": [
            {
                "clusters": names,
                "skew": skew(each.node.version, version),
                **node_document(each, lambda place: place),
            }
            for version, each, names in found
            if not wanted or each.node.name in wanted
        ],
        "presets": [],
    }


def _shared(
    clusters: Iterable[ClusterSpec],
) -> Iterator[tuple[Version, Kubelet, list[str]]]:
    """Each kubelet, the version of its clusters, and their names."""
    same: dict[tuple[Place, str, Version, Features], tuple[Kubelet, list[str]]] = {}
    for spec in clusters:
        own = features(spec.kubernetes, spec.feature_gates)
        for node in spec.nodes:
            key = (node.place, node.name, node.version, own)
            if key not in same:
                same[key] = (kubelet_in(spec.name, own, node), [])
            same[key][1].append(spec.name)
    for (_, _, _, own), (each, names) in same.items():
        yield own.version, each, names


def preset_list(known: Mapping[str, Json], wanted: Collection[str] = ()) -> Document:
    """The presets by name, of kubelets of the default version; all if none is wanted.

    Raises UsageError for one that is unknown.
    """
    for name in wanted:
        if name not in known:
            raise UsageError(f"there is no preset {name!r}{nearest(name, known)}")
    providers = {provider["name"]: provider for provider in shipped_providers()}
    return {
        "schemaVersion": _SCHEMA_VERSION,
        "nodes": [],
        "presets": [
            _preset(data, providers.get(name.partition("/")[0]))
            for name, data in known.items()
            if not wanted or name in wanted
        ],
    }


def _preset(data: Mapping[str, Json], provider: Provider | None) -> Document:
    node = node_profile(data, DEFAULT, Place(HERE, ()))
    shape = node.name.partition("/")[2]
    machine = provider["machines"].get(shape) if provider else None
    # A plugin may put its own profile in the place of a preset.
    origin = provider if machine else None
    size = {"cpu": machine["cpu"], "memory": machine["memory"]} if machine else {}
    return {
        "product": origin["product"] if origin else None,
        "versions": origin["versions"] if origin else None,
        "size": {name: from_json(value).canonical() for name, value in size.items()},
        "formula": list(origin["formula"]) if origin else [],
        "sources": list(origin["sources"]) if origin else [],
        **node_document(kubelet(node, features(node.version)), lambda _: None),
    }
