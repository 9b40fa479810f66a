"""A comparison as one JSON document, `schemas/changes.schema.json`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from qoslint.finding import OBJECT, Location
from qoslint.model.change.blast import Blast, blasts, change_place
from qoslint.model.change.facets import container_of
from qoslint.model.change.record import (
    Comparison,
    Difference,
    Edit,
    Expectation,
    NodeChange,
    RankChange,
    Ranks,
    Resize,
    Sided,
    WorkloadChange,
)
from qoslint.model.effective import Admitted
from qoslint.model.noderanking import qualified_name

Document: TypeAlias = dict[str, object]

SCHEMA_VERSION = 1
"""Raised when a reader of the document would have to change."""


class Revision(NamedTuple):
    """A side of a comparison, as it was asked for."""

    name: str
    """The name of a revision; empty for the work tree."""
    commit: str | None
    """None for the work tree."""

    @property
    def told(self) -> str:
        """The older one as messages name it: nobody knows by a bare id which commit that is."""
        return base_name(self.name, self.commit or "")


WORK_TREE = Revision("", None)
_ID = re.compile(r"[0-9a-f]{7,64}")
_SHORT = 12


def base_name(name: str, commit: str) -> str:
    """What the revision is called with which another is compared: the base if only its id does."""
    return f"the base {commit[:_SHORT]}" if _ID.fullmatch(name) else name


def changes_document(
    base: Revision, head: Revision, comparison: Comparison, where: Mapping[Sided, Location]
) -> Document:
    """The whole document: causes by how much they changed, workloads by cluster and name."""
    found = blasts(comparison.workloads, where)
    numbers: dict[WorkloadChange, list[int]] = {}
    for number, blast in enumerate(found):
        for change in blast.changes:
            numbers.setdefault(change, []).append(number)
    return {
        "schemaVersion": SCHEMA_VERSION,
        "base": base._asdict(),
        "head": head._asdict(),
        "causes": [_cause(blast, where) for blast in found],
        "workloads": [
            _workload(change, numbers.get(change, ()), where) for change in comparison.workloads
        ],
        "nodes": [_node(each, where) for each in comparison.nodes],
        "unchanged": comparison.unchanged,
    }


def _cause(blast: Blast, where: Mapping[Sided, Location]) -> Document:
    cause = blast.cause
    return {
        "kind": str(cause.kind),
        "name": cause.name,
        "what": str(cause.what),
        "edits": _edits(cause.edits, where),
        "workloads": [_name(change) for change in blast.changes],
    }


def _name(change: WorkloadChange) -> Document:
    return {"cluster": change.subject.cluster, "pod": qualified_name(change.subject)}


def _edits(edits: Iterable[Edit], where: Mapping[Sided, Location]) -> list[Document]:
    return [
        {
            "field": edit.field,
            "before": edit.before,
            "after": edit.after,
            "at": _at(edit.at, where),
        }
        for edit in edits
    ]


def _at(sided: Sided, where: Mapping[Sided, Location]) -> Document:
    location = where[sided]
    line, column = location.span.start
    return {"revision": str(sided.side), "file": location.file, "line": line, "column": column}


def _workload(
    change: WorkloadChange, causes: Sequence[int], where: Mapping[Sided, Location]
) -> Document:
    subject, before = change.subject, change.before
    thing = subject.workload.object
    return {
        "cluster": subject.cluster,
        "namespace": subject.namespace,
        "kind": thing.kind,
        "name": thing.name,
        "fate": str(change.fate),
        "was": None if before is None else qualified_name(before),
        "at": _at(change_place(change), where),
        "before": before and _summary(before),
        "after": change.after and _summary(change.after),
        "differences": [_difference(each, change) for each in change.differences],
        "causes": list(causes),
        "expectations": [_expectation(each, subject) for each in change.expectations],
        "resize": change.resize and _resize(change.resize),
        "ranks": list(map(_rank_change, change.ranks)),
    }


def _summary(admitted: Admitted) -> Document:
    """What a pod is at one revision."""
    effective = admitted.effective
    created = effective if effective and effective.admitted is not False else None
    return {
        "admitted": admitted.admitted,
        "rejections": [
            {"by": str(refusal.by), "message": refusal.message} for refusal in admitted.refusals
        ],
        "qosClasses": [str(each) for each in created.classes] if created else [],
        "priority": created.pod.priority if created else None,
    }


def _difference(found: Difference, change: WorkloadChange) -> Document:
    facet = found.facet
    container = container_of(change, facet.container)
    return {
        "field": facet.field,
        "container": facet.container or None,
        "containerType": container and str(container.type),
        "node": facet.node or None,
        "before": found.before,
        "after": found.after,
    }


def _expectation(found: Expectation, subject: Admitted) -> Document:
    return {
        "expects": found.wish,
        "before": found.before or None,
        "after": found.after,
        "because": found.because.replace(OBJECT, subject.label),
    }


def _resize(found: Resize) -> Document:
    return {
        "rollout": found.rollout,
        "inPlace": not found.obstacles,
        "obstacles": list(found.obstacles),
        "restarted": list(found.restarted),
        "remarks": list(found.remarks),
    }


def _rank_change(found: RankChange) -> Document:
    return {
        "node": found.node,
        "pods": found.pods,
        "before": _ranks(found.before),
        "after": _ranks(found.after),
        "overtaken": list(found.overtaken),
    }


def _ranks(found: Ranks) -> Document:
    return {"earliest": found.earliest, "latest": found.latest}


def _node(found: NodeChange, where: Mapping[Sided, Location]) -> Document:
    return {
        "cluster": found.cluster,
        "name": found.name,
        "what": str(found.what),
        "differences": [
            {"field": each.facet.field, "before": each.before, "after": each.after}
            for each in found.differences
        ],
        "edits": _edits(found.edits, where),
        "pods": [qualified_name(each) for each in found.pods],
    }
