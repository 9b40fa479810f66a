"""The sentences in which rules tell of changes and of their causes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qoslint.finding import Location
from qoslint.model.change.facets import CONTAINER, container_of
from qoslint.model.change.record import (
    Cause,
    CauseKind,
    Edit,
    Facet,
    Side,
    Sided,
    What,
    WorkloadChange,
)
from qoslint.model.wording import listing, owner, some

_SHOWN = 3
_PRESENT = "present"
_ADMISSION: Mapping[object, str] = {True: "admitted", False: "refused"}


def cause_clause(cause: Cause, where: Mapping[Sided, Location], base: str) -> str:
    """What was done, and where: `LimitRange shop/defaults was deleted (ns.yaml:4 of main)`.

    `base` is the name of the older revision, to which a field belongs that is gone.
    """
    at = place_phrase(cause.edits[0].at, where, base)
    edits = some((edit_clause(each) for each in cause.edits[:_SHOWN]), len(cause.edits))
    match cause.kind, cause.what:
        case CauseKind.TEMPLATE, _:
            return f"{edits} ({at})"
        case CauseKind.NAMESPACE, _:
            edit = cause.edits[0]
            return f"it moved from namespace {edit.before} to {edit.after} ({at})"
        case CauseKind.UNKNOWN, _:
            return f"what is known of the pods is something else ({at})"
        case _, What.CHANGED:
            told = f": {edits}" if cause.edits[0].field else ""
            return f"{cause.name} changed{told} ({at})"
    return f"{cause.name} was {cause.what} ({at})"


def edit_clause(edit: Edit) -> str:
    """What happened to a field: `limits.cpu 1 was removed`, `value became 7`."""
    if edit.before is None:
        return f"{edit.field} was added" if edit.after == _PRESENT else _set(edit)
    if edit.after is None:
        what = edit.field if edit.before == _PRESENT else f"{edit.field} {edit.before}"
        return f"{what} was removed"
    return f"{edit.field} became {edit.after} from {edit.before}"


def _set(edit: Edit) -> str:
    return f"{edit.field} {edit.after} was added" if edit.after else f"{edit.field} differs"


def place_phrase(at: Sided, where: Mapping[Sided, Location], base: str) -> str:
    """A place as `file:line`, and of which revision if it is the older one."""
    location = where[at]
    older = f" of {base}" if at.side is Side.BASE else ""
    return f"{location.file}:{location.span.start.line}{older}"


def because(change: WorkloadChange) -> str:
    """All that made the pods other ones, as a clause."""
    clauses = [cause_clause(each, change.where, change.base) for each in change.causes]
    return listing(clauses) if clauses else "something that is not known changed"


def workloads_clause(changes: Sequence[WorkloadChange]) -> str:
    """The workloads with what becomes of each, the first few: `Deployment shop/api (...)`."""
    return some((f"{each.subject.label} ({outcome(each)})" for each in changes), len(changes))


def outcome(change: WorkloadChange) -> str:
    """What becomes of the pods, in few words: the weightiest of the differences."""
    admitted = change.difference("admitted")
    if admitted:
        return _ADMISSION.get(admitted.after, "no longer known")
    for field, name in (("qosClass", ""), ("priority", "priority ")):
        if found := change.difference(field):
            return f"{name}{_shown(found.before)} → {_shown(found.after)}"
    found = change.differences[0]
    return f"{_facet_phrase(change, found.facet)} {_shown(found.before)} → {_shown(found.after)}"


def _facet_phrase(change: WorkloadChange, facet: Facet) -> str:
    """A facet as prose names it: `init container 'setup' requests.memory`."""
    if facet.field == CONTAINER:
        return f"container {facet.container!r}"
    if container := container_of(change, facet.container):
        return f"{owner(container)} {facet.field}"
    return facet.field


def _shown(value: object) -> str:
    return "none" if value is None else str(value)
