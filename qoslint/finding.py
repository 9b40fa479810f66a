"""The records of a result: what a rule says, where it says it, and the report of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from qoslint.span import Path, Span


class Severity(IntEnum):
    """How much a finding matters; ordered, so that `--fail-on` is a comparison."""

    NOTE = 1
    WARNING = 2
    ERROR = 3

    def __str__(self) -> str:
        """The name as reports print it: `error`."""
        return self.name.lower()


class ObjectId(NamedTuple):
    """One object of one document: the source's id, the document's number in it, its path there.

    The path is empty but for the items of a List.
    """

    source: str
    document: int
    root: Path


class Part(StrEnum):
    """Which part of a field a place means: its key, its value, or both."""

    KEY = "key"
    VALUE = "value"
    ENTRY = "entry"


class Place(NamedTuple):
    """A symbolic place: an object and a field path in it. Only `source` turns it into a span."""

    object: ObjectId
    path: Path
    part: Part = Part.ENTRY


OBJECT = "\ufdd0"
"""Stands for the object's name in a problem's message: a character that no text may hold."""

HERE = ObjectId("", 0, ())
"""Stands for the pod that a check of a shared pod looks at; paths then lead into its PodSpec."""


class Related(NamedTuple):
    """Another place that belongs to a problem, and what it has to do with it."""

    place: Place
    message: str


Json: TypeAlias = "str | int | float | bool | Mapping[str, Json] | None"
"""A value that a fix may write: a scalar or a small mapping."""


class Set(NamedTuple):
    """A proposed change: a field shall have this value; it is made where it is missing."""

    place: Place
    value: Json


class Remove(NamedTuple):
    """A proposed change: a field shall be gone."""

    place: Place


Edit: TypeAlias = Set | Remove


class Problem(NamedTuple):
    """What a check yields: one sentence at one place, `OBJECT` in it for the object's name."""

    place: Place
    message: str
    related: tuple[Related, ...] = ()
    severity: Severity | None = None
    """Overrides the rule's severity where one page has several cases."""
    about: str = ""
    """The object it is about, as `PriorityClass high`, where the check looks at many."""
    shared: str = ""
    """What it has in common with others of its rule, all of which are then one finding."""
    edits: tuple[Edit, ...] = ()
    """What makes the problem vanish, where there is only one evident way; they belong together."""


class Location(NamedTuple):
    """A concrete place: a span of a file, and whether it is the field itself or a parent of it."""

    file: str
    span: Span
    exact: bool = True


class RelatedLocation(NamedTuple):
    """A concrete other place of a finding."""

    location: Location
    message: str


class Replacement(NamedTuple):
    """A concrete change: this text instead of that of a span, which is empty for an insertion."""

    file: str
    span: Span
    text: str


class Sign(NamedTuple):
    """What a finding is recognised by when lines have moved: rule, object, and field in it.

    Items of lists go by their names: `spec.containers[app].resources.limits.memory`.
    """

    rule: str
    object: str
    field: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule's result at a line.

    `objects` are the objects it was found on, in the form `Deployment shop/api`; `field` is the
    path of the field in the object, as Kubernetes prints it.
    """

    rule: str
    severity: Severity
    message: str
    location: Location
    objects: tuple[str, ...] = ()
    clusters: tuple[str, ...] = ()
    field: str = ""
    related: tuple[RelatedLocation, ...] = ()
    fixes: tuple[Replacement, ...] = ()
    """All of them together make the finding vanish; empty where no edit is surely right."""
    shared: str = ""
    """What its objects have in common where that makes them one finding, whatever their places."""
    borne: tuple[tuple[Sign, str], ...] = ()
    """The signs with the cluster of each; it is empty for what is in none."""

    @property
    def signs(self) -> tuple[Sign, ...]:
        """One for each object, or more where it is at several fields of one."""
        return tuple(dict.fromkeys(sign for sign, _ in self.borne))


class SuppressedFinding(NamedTuple):
    """A finding that somebody accepts, so that it is not told."""

    finding: Finding
    by: str
    """`comment`, `annotation`, `exception` of the settings, or `baseline`."""
    reason: str
    """Why, as it is written; the baseline gives none."""


UNREAD = "file not understood"


class Notice(NamedTuple):
    """Coverage that was lost or an assumption that was made; never a finding, never silent."""

    message: str
    file: str | None = None
    line: int | None = None
    unread: int = 0
    """How many files it tells of that were not understood."""


class RuleInfo(NamedTuple):
    """What a report says of a rule that ran."""

    code: str
    name: str
    summary: str
    help: str
    """What to do first: one sentence, on one line."""
    severity: Severity
    confidence: str
    tags: tuple[str, ...] = ()
    guide: str = ""
    """The sections of its page but for the examples, as Markdown."""


class Coverage(NamedTuple):
    """What happened to every regular file under the paths, and to every workload.

    `files` = `read` + the values of `skipped` + the values of `not_understood`.
    """

    files: int
    read: int
    skipped: Mapping[str, int]
    not_understood: Mapping[str, int]
    objects: int
    workloads: int
    pods: Mapping[str, int]
    """Effective pods by what became of them.

    The keys are `Guaranteed`, `Burstable`, `BestEffort`, `refused` and `unknown`.
    """
    other_kinds: Mapping[str, int]
    """Objects without pods, by kind."""
    unjudged: tuple[str, ...] = ()
    """Files of workloads that are in no cluster, so that nothing is known of their pods."""
    undecided: int = 0
    """Pods whose class is known, and whose admission depends on what is not."""
    targets: int = 0
    """Charts, kustomizations and GitOps objects, of which each deploys something."""
    unrendered: Mapping[str, int] = MappingProxyType({})
    """Those that were not rendered, by why; nothing of what they deploy was checked."""

    @property
    def gaps(self) -> Mapping[str, int]:
        """What was not checked, counted by what it is; empty if all of it was."""
        counts = {
            UNREAD: sum(self.not_understood.values()),
            "target not rendered": sum(self.unrendered.values()),
            "workload in no cluster": len(self.unjudged),
            "pod unknown": self.pods.get("unknown", 0),
            "pod of unknown admission": self.undecided,
        }
        return {what: count for what, count in counts.items() if count}


class Score(NamedTuple):
    """The oom_score_adj that the kubelet writes for one container on one node."""

    container: str
    oom_score_adj: int


class PodLine(NamedTuple):
    """One effective pod in a line: what became of it and why, and its scores on each node."""

    cluster: str
    namespace: str
    kind: str
    name: str
    became: str
    """A key of `Coverage.pods`: `Guaranteed`, `Burstable`, `BestEffort`, `refused`, `unknown`."""
    reason: str = ""
    """Why, in few words, where it is refused or unknown: `LimitRanger: maximum memory ...`."""
    classes: tuple[str, ...] = ()
    """The possible classes of an unknown pod."""
    priority: int | None = None
    scores: Mapping[str, tuple[Score, ...]] = MappingProxyType({})
    """By node profile the containers that run beside each other; no entry for a node that the
    pod cannot run on, none at all where it is refused or unknown."""


class Report(NamedTuple):
    """The result of `check`: sorted, and all that any format needs."""

    findings: tuple[Finding, ...]
    notices: tuple[Notice, ...]
    rules: tuple[RuleInfo, ...]
    coverage: Coverage
    kubernetes: tuple[str, ...]
    failed_checks: tuple[str, ...] = ()
    """One line for each check that raised; the run then ends with exit status 2."""
    pods: tuple[PodLine, ...] = ()
    """Every effective pod, by cluster, namespace, kind and name."""
    category: str = ""
    """What tells this run from others over the same commit, where code scanning shall keep both."""
    suppressed: tuple[SuppressedFinding, ...] = ()
    """What was found and is not told."""
    gone: Mapping[Sign, int] = MappingProxyType({})
    """Findings of the baseline that no longer occur, and how many of each."""
