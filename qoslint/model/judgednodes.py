"""Every configuration of kubelets that a run is about: those of files, and of node profiles."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from qoslint.finding import ObjectId, Place
from qoslint.kernel.features import Features, features
from qoslint.model.inventory import Inventory
from qoslint.model.judged import JudgedCluster, kubelet_in
from qoslint.model.kubelet import Kubelet, thawed
from qoslint.model.node import NodeProfile
from qoslint.model.nodeconfiguration import RESERVED, NodeConfiguration, Refusal
from qoslint.model.nodesources.readers import INSTANCE_TYPE, READERS, object_sources
from qoslint.model.nodesources.source import KubeletSource, Rest
from qoslint.model.placeholders import holding
from qoslint.model.setting import Setting
from qoslint.source.paths import covers

if TYPE_CHECKING:  # a run without nodes need not import what starts kubelets
    from qoslint.kernel.kubeletconfig import KubeletConfiguration
    from qoslint.model.clusterspec import ClusterSpec

_HEAD = {"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration"}
# What flags and tools leave out is elsewhere; what they write of these is all that there is.
_SELF_CONTAINED = ("evictionHard", "evictionThresholds", *RESERVED)


def node_configurations(
    inventory: Inventory,
    specs: Sequence[ClusterSpec],
    clusters: Iterable[JudgedCluster],
    about: Collection[tuple[str, int]],
) -> Iterator[NodeConfiguration]:
    """Every configuration of kubelets in the documents that a run is about, by source and number.

    A file that a node profile names is looked at with the profile, which knows more. A file that
    no declared cluster holds is judged by the version of each. Of the settings, only YAML has
    places.
    """
    named: set[ObjectId] = set()
    for judged in clusters:
        for kubelet in judged.kubelets:
            found = _of_profile(kubelet, judged.cluster.name, about)
            if found is not None:
                named.update(setting.place.object for setting in found.fields.values())
                yield found
    for key in READERS:
        for thing in inventory.by_kind.get(key, ()):
            if (thing.id.source, thing.id.document) in about and thing.id not in named:
                for source in object_sources(thing):
                    yield from _of_source(source, thing.file, specs)


def _of_profile(
    kubelet: Kubelet, cluster: str, about: Collection[tuple[str, int]]
) -> NodeConfiguration | None:
    node = kubelet.node

    def is_known(place: Place) -> bool:
        return (place.object.source, place.object.document) in about

    places = (node.place, *(setting.place for setting in node.kubelet.values()))
    place = next(filter(is_known, places), None)
    if place is None:
        return None
    if place is not node.place:
        place = Place(place.object, ())
    return NodeConfiguration(
        name=f"node profile {node.name}",
        cluster=cluster,
        place=place,
        fields={
            name: setting if is_known(setting.place) else Setting(setting.value, place)
            for name, setting in node.kubelet.items()
        },
        features=kubelet.features,
        os=node.os,
        rest=Rest.KUBELET,
        by_flags=False,
        configuration=kubelet.configuration,
        resources=kubelet.resources,
        refusals=(),
        kubelet=kubelet,
    )


def _of_source(
    source: KubeletSource, file: str, specs: Sequence[ClusterSpec]
) -> Iterator[NodeConfiguration]:
    written = {name: thawed(setting.value) for name, setting in source.fields.items()}
    if next(holding(written), None) is not None:
        return  # what is filled in later is not known
    holders = [spec for spec in specs if spec.declared and covers(spec.paths, file)]
    if not holders and any(covers(spec.context, file) for spec in specs):
        return  # context is resolved against, not judged
    for spec in holders or specs:
        gates = features(spec.kubernetes)
        found = _judged(source, written, gates, spec.name if holders else "")
        # A file outside of all clusters that are declared is of none of them.
        known = spec.nodes if holders or not spec.declared else ()
        yield replace(found, profiles=tuple(_standing(source, known, spec)))


def _standing(
    source: KubeletSource, nodes: Sequence[NodeProfile], spec: ClusterSpec
) -> Iterator[Kubelet]:
    """The profiles of the group, or of the types of machines; where there are none, all."""
    gates = features(spec.kubernetes, spec.feature_gates)
    possible = [node for node in nodes if node.os == "linux"]
    same = [node for node in possible if source.group and node.name == source.group] or [
        node for node in possible if node.labels.get(INSTANCE_TYPE) in source.instance_types
    ]
    for node in same or possible:
        yield kubelet_in(spec.name, gates, node)


def _judged(
    source: KubeletSource, written: Mapping[str, object], gates: Features, cluster: str
) -> NodeConfiguration:
    from qoslint.kernel.kubeletdecode import (
        KubeletConfigurationError,
        decode_kubelet_configuration,
    )
    from qoslint.kernel.noderesources import NodeCapacity, node_resources
    from qoslint.kernel.pod import NO_RESOURCES

    whole = source.rest is Rest.KUBELET and not source.by_flags
    configuration = resources = None
    messages: list[tuple[str, str]] = []
    try:
        configuration = decode_kubelet_configuration({**_HEAD, **written}, gates)
    except KubeletConfigurationError as error:
        messages = [("", message) for message in error.messages if not source.by_flags]
    else:
        unreserved = _unreserved(configuration)
        resources = node_resources(unreserved, NodeCapacity(NO_RESOURCES), gates)
        readable = node_resources(configuration, NodeCapacity(NO_RESOURCES), gates)
        messages = [
            (failure.step, message)
            for failure in (*resources.failures, *readable.failures)
            if failure in resources.failures or failure.step in RESERVED
            if whole or failure.step in _SELF_CONTAINED
            for message in failure.messages
        ]
    return NodeConfiguration(
        name=source.name,
        cluster=cluster,
        place=source.place,
        fields=source.fields,
        features=gates,
        os="linux",
        rest=source.rest,
        by_flags=source.by_flags,
        configuration=configuration,
        resources=resources,
        refusals=tuple(
            Refusal(_place(source, step, message), message)
            for message, step in {text: step for step, text in messages}.items()
        ),
    )


def _unreserved(configuration: KubeletConfiguration) -> KubeletConfiguration:
    """Without reservations, which only a machine can be too small for."""
    return replace(configuration, kube_reserved={}, system_reserved={})


def _place(source: KubeletSource, step: str, message: str) -> Place:
    """Of the field that the message names, or whose entry it names; else of the step's field."""
    named = [
        (message.index(word), -len(word), name, below)
        for name, setting in source.fields.items()
        for word, below in _words(name, setting)
        if word in message
    ]
    if named:
        _, _, name, below = min(named)
        place = source.fields[name].place
        return place if source.by_flags else Place(place.object, (*place.path, *below))
    return source.fields[step].place if step in source.fields else source.place


def _words(name: str, setting: Setting) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield name, ()
    if isinstance(setting.value, Mapping):
        yield from ((key, (key,)) for key in setting.value if key)
