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
    found: dict[object, tuple[Cause, dict[WorkloadChange, None]]] = {}
    for change in changes:
        for cause in change.causes:
            key = _key(cause, where)
            first, changed = found.setdefault(key, (cause, {}))
            edits = tuple(dict.fromkeys((*first.edits, *cause.edits)))
            found[key] = (first._replace(edits=_distinct(edits, where)), changed)
            changed[change] = None
    made = [Blast(cause, tuple(changed)) for cause, changed in found.values()]
    return tuple(sorted(made, key=lambda blast: -len(blast.changes)))


def _key(cause: Cause, where: Where) -> object:
    first = cause.edits[0].at
    at = where[first]
    line = (first.side, at.file, at.span.start.line)
    if cause.kind is CauseKind.TEMPLATE:
        return line
    if cause.kind in (CauseKind.NAMESPACE, CauseKind.UNKNOWN, CauseKind.INJECTION):
        return cause.kind, line
    return cause.kind, cause.name, cause.what, at.file


def _distinct(edits: Iterable[Edit], where: Where) -> tuple[Edit, ...]:
    """Edits that stand at one place and say the same once."""
    return tuple(
        {
            (edit.field, edit.before, edit.after, edit.at.side, where[edit.at]): edit
            for edit in edits
        }.values()
    )


def is_shared(blast: Blast) -> bool:
    """Whether the cause is no template of a single workload."""
    return len(blast.changes) > 1 or blast.cause.kind is not CauseKind.TEMPLATE
