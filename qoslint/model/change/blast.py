"""The blast radius of each edit: all workloads that it changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from qoslint.finding import Location
from qoslint.model.change.record import (
    Cause,
    CauseKind,
    Comparison,
    Edit,
    Sided,
    WorkloadChange,
)

Where = Mapping[Sided, Location]


class Blast(NamedTuple):
    """A cause, and what it changed."""

    cause: Cause
    """With the edits of all of them."""
    changes: tuple[WorkloadChange, ...]


def sided_places(comparison: Comparison) -> Iterator[Sided]:
    """Every place that a comparison names."""
    for change in comparison.workloads:
        yield change_place(change)
        for cause in change.causes:
            yield from (edit.at for edit in cause.edits)
    for node in comparison.nodes:
        yield from (edit.at for edit in node.edits)


def change_place(change: WorkloadChange) -> Sided:
    """Where the workload stands that changed."""
    return Sided(change.side, change.subject.workload.object.at(("metadata", "name")))


def blasts(changes: Iterable[WorkloadChange], where: Where) -> tuple[Blast, ...]:
    """The causes of the changes, the one of most workloads first.

    What several templates have from one line, such as one of their base or of the values of a
    chart, is one cause.
    """
    found: dict[object, _Gathered] = {}
    for change in changes:
        for cause in change.causes:
            gathered = found.setdefault(_key(cause, where), _Gathered(cause, {}, {}))
            # Edits that stand at one place and say the same are one.
            gathered.edits.update((_said(edit, where), edit) for edit in cause.edits)
            gathered.changes[change] = None
    made = [
        Blast(each.cause._replace(edits=tuple(each.edits.values())), tuple(each.changes))
        for each in found.values()
    ]
    return tuple(sorted(made, key=lambda blast: -len(blast.changes)))


class _Gathered(NamedTuple):
    """A cause, the edits of all that have it by what they say, and what it changed."""

    cause: Cause
    edits: dict[object, Edit]
    changes: dict[WorkloadChange, None]


def _key(cause: Cause, where: Where) -> object:
    first = cause.edits[0].at
    at = where[first]
    line = (first.side, at.file, at.span.start.line)
    if cause.kind is CauseKind.TEMPLATE:
        return line
    if cause.kind in (CauseKind.NAMESPACE, CauseKind.UNKNOWN, CauseKind.INJECTION):
        return cause.kind, line
    return cause.kind, cause.name, cause.what, at.file


def _said(edit: Edit, where: Where) -> object:
    return edit.field, edit.before, edit.after, edit.at.side, where[edit.at]


def is_shared(blast: Blast) -> bool:
    """Whether the cause is no template of a single workload."""
    return len(blast.changes) > 1 or blast.cause.kind is not CauseKind.TEMPLATE
