"""The records of a comparison: of which side, what differs, and what made the difference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from qoslint.finding import Location, Part, Place
from qoslint.model.effective import Admitted
from qoslint.model.judged import JudgedCluster


class Side(StrEnum):
    """One of the two revisions: the older one that a change starts from, or the newer."""

    BASE = "base"
    HEAD = "head"


class Sided(NamedTuple):
    """A place at one of the revisions."""

    side: Side
    place: Place


class Fate(StrEnum):
    """What happened to a workload as a whole."""

    ADDED = "added"
    REMOVED = "removed"
    RENAMED = "renamed"
    MOVED = "moved"
    """To another namespace."""
    KEPT = "kept"


class Facet(NamedTuple):
    """Something that is so or so of a pod: a field, of one container or on one node."""

    field: str
    """`admitted`, `qosClass`, `priority`, `container`, `requests.memory`, `oomScoreAdj`, ..."""
    container: str = ""
    node: str = ""


Value = str | int | bool | None


class Difference(NamedTuple):
    """A facet that is another one at the newer revision; None where there is none or none known."""

    facet: Facet
    before: Value
    after: Value


class Edit(NamedTuple):
    """A field that somebody wrote, took out or changed; a value is None where it is not stated."""

    field: str
    before: str | None
    after: str | None
    at: Sided
    left: Place | None = None
    """Of a field that is gone from what is still there: its place at the newer revision, of which
    only what is around it exists."""

    @property
    def here(self) -> Place | None:
        """Its place at the newer revision, if that has one."""
        return self.at.place if self.at.side is Side.HEAD else self.left


class CauseKind(StrEnum):
    """What of the inputs of a pod differs between the revisions."""

    TEMPLATE = "template"
    LIMIT_RANGE = "LimitRange"
    PRIORITY_CLASS = "PriorityClass"
    RUNTIME_CLASS = "RuntimeClass"
    QUOTA = "ResourceQuota"
    NAMESPACE = "namespace"
    INJECTION = "injection"
    CLUSTER = "cluster"
    NODE = "node"
    UNKNOWN = "unknown"
    """What is not known of one of the pods."""


class What(StrEnum):
    """What happened to a cause."""

    ADDED = "added"
    DELETED = "deleted"
    CHANGED = "changed"


class Cause(NamedTuple):
    """An input that differs, and makes a difference: reverted alone, the pod would be another."""

    kind: CauseKind
    name: str
    """As people name it: `LimitRange shop/defaults`, `node profile n16`."""
    what: What
    edits: tuple[Edit, ...]
    """In their order in the object; at least one."""


class Expectation(NamedTuple):
    """What somebody expects of pods, and whether that holds at each revision."""

    wish: str
    """As a clause behind the name of the workload."""
    before: str
    """`kept`, `broken`, `unknown`, or `refused` as the pods are; empty where nobody expected it."""
    after: str
    because: str
    """Of the newer revision, as a clause or sentence with `OBJECT` for the workload."""


class Resize(NamedTuple):
    """Whether running pods can be brought from one effective pod to the other as they are."""

    rollout: bool
    """Whether a controller replaces the pods by itself, since their template changed."""
    obstacles: tuple[str, ...] = ()
    """Why not, each a clause; empty if they can."""
    restarted: tuple[str, ...] = ()
    """The containers that the kubelet restarts on the way."""
    remarks: tuple[str, ...] = ()
    """What the kubelet does only under a condition."""


class Ranks(NamedTuple):
    """The earliest and the latest rank of a pod among those of both revisions."""

    earliest: int
    latest: int


class RankChange(NamedTuple):
    """Where a pod stands in the order of eviction for memory on a node, and where it stood."""

    node: str
    pods: int
    """How many pods are ranked."""
    before: Ranks
    after: Ranks
    overtaken: tuple[str, ...]
    """Those that surely went before it, and no longer do."""


class Bump(NamedTuple):
    """A chart that has another version at the newer revision."""

    file: str
    """Its Chart.yaml."""
    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, eq=False)
class WorkloadChange:
    """A workload of which something is different at the newer revision."""

    fate: Fate
    before: Admitted | None
    after: Admitted | None
    cluster: JudgedCluster
    """That of the newer revision, or of the older one where it is removed."""
    differences: tuple[Difference, ...] = ()
    causes: tuple[Cause, ...] = ()
    expectations: tuple[Expectation, ...] = ()
    resize: Resize | None = None
    """None where there are not two pods, or they have the same resources."""
    ranks: tuple[RankChange, ...] = ()
    where: Mapping[Sided, Location] = field(default_factory=dict)
    """The locations of what the causes name."""
    base: str = ""
    """The older revision, as people name it."""
    bumps: tuple[Bump, ...] = ()
    """The charts that it is rendered from and that have another version."""

    @property
    def subject(self) -> Admitted:
        """The workload at the newer revision; at the older one if it is removed."""
        found = self.after or self.before
        assert found is not None, "it is at one of the revisions"
        return found

    @property
    def side(self) -> Side:
        """The revision of the subject."""
        return Side.HEAD if self.after else Side.BASE

    @property
    def line(self) -> Place:
        """The line of the newer revision that is the nearest cause, else the pod template.

        Raises AssertionError for a workload that is removed.
        """
        assert self.after is not None, "it is at the newer revision"
        near = (CauseKind.TEMPLATE, CauseKind.INJECTION, CauseKind.NAMESPACE)
        edits = (edit for cause in self.causes if cause.kind in near for edit in cause.edits)
        own = (edit.here for edit in edits if edit.here is not None)
        return next(own, self.after.workload.at((), Part.KEY))

    def difference(self, field: str) -> Difference | None:
        """What differs of a field that is of the pod as a whole."""
        return next((each for each in self.differences if each.facet == Facet(field)), None)


class NodeChange(NamedTuple):
    """A node profile of which something that decides about pods is different."""

    cluster: str
    name: str
    what: What
    differences: tuple[Difference, ...]
    edits: tuple[Edit, ...]
    pods: tuple[Admitted, ...]
    """The workloads of the newer revision whose pods may run there."""


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """All that is different between two revisions, by cluster, namespace, kind and name."""

    workloads: tuple[WorkloadChange, ...]
    nodes: tuple[NodeChange, ...]
    unchanged: int
    """Workloads of which nothing differs."""
