"""QOS003: one edit changes the pods of workloads that it does not name."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import Place, Problem
from qoslint.model.change.blast import Blast, is_shared
from qoslint.model.change.changes import Changes
from qoslint.model.change.record import CauseKind, NodeChange, What, WorkloadChange
from qoslint.model.change.words import cause_clause, edit_clause, place_phrase, workloads_clause
from qoslint.model.wording import counted, listing, sentence, some

_OWN = (CauseKind.NAMESPACE, CauseKind.UNKNOWN, CauseKind.INJECTION)
_MEMORY = "hard threshold memory.available"


def check_changes(changes: Changes) -> Iterator[Problem]:
    """One problem for each edit that reaches further than the workload it stands in."""
    for blast in changes.blasts:
        reached = [each for each in blast.changes if each.after is not None]
        if reached and is_shared(blast) and (blast.cause.kind not in _OWN or len(reached) > 1):
            yield _of_cause(blast, reached, changes)
    for node in changes.nodes:
        if node.pods and node.what is What.CHANGED:
            yield _of_node(node, changes)


def _of_cause(blast: Blast, reached: list[WorkloadChange], changes: Changes) -> Problem:
    cause = blast.cause
    place = next(changes.places(cause.edits), None)
    count = counted(len(reached), "workload")
    clause = sentence(cause_clause(cause, changes.where, changes.base))
    message = f"{clause}: that changes {count}, {workloads_clause(reached)}.{_immutable(blast)}"
    return Problem(place or reached[0].line, message, about=_about(blast, reached, place))


def _about(blast: Blast, reached: list[WorkloadChange], place: Place | None) -> str:
    """The object that was edited; what it reaches where that is no single object of the newer."""
    named = blast.cause.kind not in (CauseKind.TEMPLATE, CauseKind.CLUSTER, CauseKind.NODE)
    return blast.cause.name if named and place else reached[0].subject.label


def _immutable(blast: Blast) -> str:
    """The values of a PriorityClass are for ever (`ValidatePriorityClassUpdate`)."""
    fields = {edit.field for edit in blast.cause.edits}
    fixed = fields & {"value", "preemptionPolicy"}
    if blast.cause.kind is not CauseKind.PRIORITY_CLASS or blast.cause.what is not What.CHANGED:
        return ""
    if not fixed:
        return ""
    return (
        f" The API server refuses to update {listing(sorted(fixed))} of a PriorityClass: it must "
        "be deleted and made anew, and pods keep the priority that they were created with."
    )


def _of_node(node: NodeChange, changes: Changes) -> Problem:
    first = node.pods[0]
    edits = some((edit_clause(each) for each in node.edits), len(node.edits))
    at = place_phrase(node.edits[0].at, changes.where, changes.base)
    lost = any(each.facet.field == _MEMORY and each.after is None for each in node.differences)
    effect = (
        " No pod is evicted for memory there any more: the kernel kills instead." if lost else ""
    )
    return Problem(
        next(changes.places(node.edits), None) or first.workload.at(),
        f"Node profile {node.name} changed: {edits} ({at}). "
        f"{sentence(counted(len(node.pods), 'workload'))} may run there.{effect}",
        about=f"node profile {node.name}",
    )
