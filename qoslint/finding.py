"""The records of a result: what a rule says, where it says it, and the report of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import NamedTuple

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


HERE = ObjectId("", 0, ())
"""Stands for the pod that a check of a shared pod looks at; paths then lead into its PodSpec."""


class Edit(NamedTuple):
    """A textual edit: replace the span of a file by the text."""

    file: str
    span: Span
    text: str


class Related(NamedTuple):
    """Another place that belongs to a problem, and what it has to do with it."""

    place: Place
    message: str


@dataclass(frozen=True, slots=True)
class Problem:
    """What a check yields: one sentence at one place; `{object}` stands for the object's name."""

    place: Place
    message: str
    related: tuple[Related, ...] = ()
    severity: Severity | None = None
    """Overrides the rule's severity where one page has several cases."""


@dataclass(frozen=True, slots=True)
class Location:
    """A concrete place: a span of a file, and whether it is the field itself or a parent of it."""

    file: str
    span: Span
    exact: bool = True


class RelatedLocation(NamedTuple):
    """A concrete other place of a finding."""

    location: Location
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule's result at a line.

    `objects` are the objects it was found on, in the form `shop/Deployment/api`; `field` is the
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


@dataclass(frozen=True, slots=True)
class Notice:
    """Coverage that was lost or an assumption that was made; never a finding, never silent."""

    message: str
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """What a report says of a rule that ran."""

    code: str
    name: str
    summary: str
    help: str
    """What to do first: one sentence, on one line."""
    severity: Severity
    confidence: str
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Coverage:
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


class Score(NamedTuple):
    """The oom_score_adj that the kubelet writes for one container on one node."""

    container: str
    oom_score_adj: int


@dataclass(frozen=True, slots=True)
class PodLine:
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
    scores: Mapping[str, tuple[Score, ...]] = field(default_factory=dict)
    """By node profile the containers that run beside each other; no entry for a node that the
    pod cannot run on, none at all where it is refused or unknown."""


@dataclass(frozen=True, slots=True)
class Report:
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
