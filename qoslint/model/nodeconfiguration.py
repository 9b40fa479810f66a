"""What configures the kubelets of some nodes, as rules look at it: a file, or a node profile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from qoslint.finding import Place, Set
from qoslint.kernel.features import Features
from qoslint.kernel.signals import Signal
from qoslint.model.kubelet import Kubelet
from qoslint.model.nodesources.source import Rest
from qoslint.model.setting import Setting

if TYPE_CHECKING:  # a run without nodes need not import what starts kubelets
    from qoslint.kernel.kubeletconfig import KubeletConfiguration
    from qoslint.kernel.noderesources import NodeResources
    from qoslint.kernel.thresholds import Threshold

RESERVED = ("kubeReserved", "systemReserved")


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
    profiles: tuple[Kubelet, ...] = ()
    """Of a file the node profiles that stand for its nodes: those of the same group or type of
    machine; where there are none, all that may."""

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
        given = (self.fields[name].value for name in RESERVED if name in self.fields)
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
