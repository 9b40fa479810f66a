"""What configures the kubelets of some nodes, as rules look at it: a file, or a node profile."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from qoslint.finding import ObjectId, Place, Set
from qoslint.kernel.features import Features, features
from qoslint.kernel.signals import Signal
from qoslint.model.inventory import Inventory
from qoslint.model.judged import JudgedCluster
from qoslint.model.kubelet import Kubelet, thawed
from qoslint.model.nodesources.readers import READERS, object_sources
from qoslint.model.nodesources.source import KubeletSource, Rest
from qoslint.model.placeholders import holding
from qoslint.model.setting import Setting
from qoslint.source.tree import covers

if TYPE_CHECKING:  # a run without nodes need not import what starts kubelets
    from qoslint.kernel.kubeletconfig import KubeletConfiguration
    from qoslint.kernel.noderesources import NodeResources
    from qoslint.kernel.thresholds import Threshold
    from qoslint.model.clusterspec import ClusterSpec

_HEAD = {"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration"}
_RESERVED = ("kubeReserved", "systemReserved")
# What flags and tools leave out is elsewhere; what they write of these is all that there is.
_SELF_CONTAINED = ("evictionHard", "evictionThresholds")


class Refusal(NamedTuple):
    """Why no kubelet starts with a configuration: the place, and the kubelet's own message."""

    place: Place
    message: str


class SoftThreshold(NamedTuple):
    """A soft threshold, and the hard one for the same signal with its text."""

    soft: Threshold
    hard: Threshold
    hard_text: str


@dataclass(frozen=True, slots=True, eq=False)
class NodeConfiguration:
    """The configuration of kubelets that one source, or one node profile, states."""

    name: str
    """How messages name it: `KubeletConfiguration config`, `node profile worker`."""
    cluster: str
    """The declared cluster that it is in; empty if it is in none."""
    place: Place
    fields: Mapping[str, Setting]
    features: Features
    """Those of the version of its kubelets."""
    os: str
    rest: Rest
    by_flags: bool
    configuration: KubeletConfiguration | None
    """None if a kubelet cannot read it."""
    resources: NodeResources | None
    """What follows from it where the machine need not be known; all of it for a profile."""
    refusals: tuple[Refusal, ...]
    kubelet: Kubelet | None = None
    """The kubelet of a profile; of a file it is not known what its nodes have."""

    @property
    def is_whole(self) -> bool:
        """Whether a field that is not written has the kubelet's own default."""
        return self.rest is Rest.KUBELET and not self.by_flags

    @property
    def thresholds(self) -> tuple[Threshold, ...]:
        """The thresholds that were given and those of defaults; none if they are refused.

        None either where the image of a machine may add some.
        """
        resources = self.resources
        if resources is None or self.rest is Rest.IMAGE:
            return ()
        return resources.configured_thresholds or ()

    @property
    def given_eviction_hard(self) -> Mapping[str, str] | None:
        """The evictionHard that is written, if it is all that the kubelet is given."""
        if self.rest is Rest.IMAGE or self.configuration is None:
            return None
        return self.configuration.eviction_hard

    def written_thresholds(self) -> Iterator[tuple[str, Threshold]]:
        """The thresholds that the configuration writes, each with its field.

        A soft one whose grace period is zero is hard, and stands among the soft ones all the same.
        """
        given = self.configuration
        if given is None or self.resources is None:
            return
        number = 0
        for threshold in self.resources.configured_thresholds or ():
            if threshold.signal is Signal.ALLOCATABLE_MEMORY:
                continue  # the kubelet's own copies, last
            soft = number >= len(self._in_force)
            number += 1
            field = "evictionSoft" if soft else "evictionHard"
            if soft or threshold.signal in (given.eviction_hard or {}):
                yield field, threshold

    @property
    def _in_force(self) -> Sequence[str]:
        """The signals with a hard threshold that is not switched off."""
        hard = self.resources.eviction_hard if self.resources else {}
        return [signal for signal, value in hard.items() if value not in ("0%", "100%")]

    def soft_thresholds(self) -> Iterator[SoftThreshold]:
        """The soft thresholds beside a hard one for the same signal, which is known."""
        if self.resources is None:
            return
        given = self.given_eviction_hard or {}
        hard = {
            each.signal: each
            for each in self.thresholds[: len(self._in_force)]
            # Beside flags there may be a file with an evictionHard of its own.
            if each.signal in given or not self.by_flags
        }
        for field, soft in self.written_thresholds():
            if field == "evictionSoft" and soft.signal in hard:
                text = self.resources.eviction_hard[soft.signal]
                yield SoftThreshold(soft, hard[soft.signal], text)

    def default(self, signal: str) -> str:
        """The default hard threshold of a signal, as a text; empty for none."""
        from qoslint.kernel.thresholds import default_eviction_hard

        return default_eviction_hard(self.os).get(signal, "")

    def written(self, field: str, signal: str) -> str:
        """A threshold as it is written; empty if it is not."""
        value = self.fields[field].value if field in self.fields else {}
        return str(value.get(signal, "")) if isinstance(value, Mapping) else ""

    def lost_defaults(self) -> Mapping[str, str]:
        """The default hard thresholds that the written evictionHard makes vanish, by signal."""
        from qoslint.kernel.thresholds import default_eviction_hard

        if self.given_eviction_hard is None or self.resources is None:
            return {}
        kept = self.resources.eviction_hard
        return {
            signal: value
            for signal, value in default_eviction_hard(self.os).items()
            if signal not in kept
        }

    def restoring(self, signals: Iterable[str]) -> tuple[Set, ...]:
        """The edits that write the defaults of lost signals out; none for flags and profiles.

        A profile is part of the settings, which a run reads once.
        """
        if self.by_flags or self.kubelet is not None:
            return ()
        lost = self.lost_defaults()
        wanted = [signal for signal in signals if signal in lost]
        return tuple(Set(self.at("evictionHard", signal), lost[signal]) for signal in wanted)

    def reserves(self, resource: str) -> bool:
        """Whether something of the resource is reserved, as far as it is written."""
        given = (self.fields[name].value for name in _RESERVED if name in self.fields)
        return any(
            isinstance(value, Mapping) and value.get(resource) not in (None, "0") for value in given
        )

    def capacity(self, signal: Signal) -> int | None:
        """What percentages of the signal are of; None if it is not known."""
        return self.kubelet.resources.capacities.get(signal) if self.kubelet else None

    def at(self, name: str, *below: str) -> Place:
        """The place of a field, or of an entry of it; of the whole if it is not written."""
        if name not in self.fields:
            return self.place
        place = self.fields[name].place
        # A flag is one text, whatever pairs are in it.
        return place if self.by_flags else Place(place.object, (*place.path, *below))


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
        yield _judged(source, written, gates, spec.name if holders else "")


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
            if failure in resources.failures or failure.step in _RESERVED
            if whole or failure.step in (*_SELF_CONTAINED, *_RESERVED)
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
    from dataclasses import replace

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
