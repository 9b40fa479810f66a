"""QOS004: a workload moves to a namespace where other objects decide about its pods."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem, Severity
from qoslint.model.change.record import Fate, WorkloadChange
from qoslint.model.change.words import outcome


def check_change(change: WorkloadChange) -> Iterator[Problem]:
    """One problem for a move that changes anything of the pods."""
    if change.fate is not Fate.MOVED or not change.differences:
        return
    assert change.before is not None, "what moved was somewhere"
    assert change.after is not None, "and is somewhere"
    refused = change.after.admitted is False and change.before.admitted is not False
    messages = "; ".join(each.message for each in change.after.refusals)
    result = f"refused ({messages})" if refused and messages else outcome(change)
    yield Problem(
        change.after.workload.object.at(("metadata", "namespace")),
        f"{OBJECT} moves from namespace {change.before.namespace} to {change.after.namespace}, "
        f"where other objects decide about its pods: {result}.",
        severity=Severity.ERROR if refused else None,
    )
