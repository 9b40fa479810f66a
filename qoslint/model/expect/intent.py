"""What somebody wants of pods, beside the workload or in the settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import eq, ge, gt, le, lt
from typing import NamedTuple, TypeAlias

from qoslint.finding import Place
from qoslint.model.podselector import PodSelector

COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {
    ">=": ge,
    "<=": le,
    "==": eq,
    ">": gt,
    "<": lt,
}
"""How a priority may be compared; the longer signs first."""


class OfClass(NamedTuple):
    """A QoS class, as it is written."""

    name: str


class OfPriority(NamedTuple):
    """A comparison with the priority of the pods."""

    sign: str
    value: int

    def holds(self, priority: int) -> bool:
        """Whether a priority is as wanted."""
        return COMPARISONS[self.sign](priority, self.value)


class Fits(NamedTuple):
    """Node profiles that have room for one of the pods beside the DaemonSets."""

    nodes: tuple[str, ...]


class Outlives(NamedTuple):
    """Pods that are evicted before them, when something of `resources` runs out."""

    pods: PodSelector
    resources: tuple[str, ...] = ("memory",)
    """`memory`, `disk`, `inodes`, `pid`."""


class KilledAfter(NamedTuple):
    """Pods of which the kernel kills first when a node is out of memory."""

    pods: PodSelector


class Protected(NamedTuple):
    """That they are not evicted for memory while the daemons of the node keep to what is theirs."""


class Misstated(NamedTuple):
    """What was meant for a wish and is none: why, as a clause behind the key."""

    key: str
    complaint: str


Wish: TypeAlias = OfClass | OfPriority | Fits | Outlives | KilledAfter | Protected | Misstated


class Intent(NamedTuple):
    """A wish about the pods of a workload, and where it stands."""

    wish: Wish
    place: Place | None
    """The annotation; None if it stands in the settings."""
    origin: str
    """Where it stands, in the middle of a sentence."""


class Expected(NamedTuple):
    """Wishes of the settings about the pods that are selected."""

    pods: PodSelector
    intents: tuple[Intent, ...]
