"""QOS904: a pod depends on something that the repository does not hold."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem
from qoslint.kernel.outcome import Unknown
from qoslint.model.effective import Admitted

_CONSEQUENCE = {
    "RuntimeClass": (
        "its overhead, and so the requests for scheduling, quota and eviction, and whether the "
        "pods are admitted at all, are unknown"
    ),
    "LimitRange": "what it fills in or refuses is unknown, and so is the class",
    "PriorityClass": "whether it is the default, and so the priority, is unknown",
    "ResourceQuota": "whether it refuses the pods is unknown",
}


def check_workload(admitted: Admitted) -> Iterator[Problem]:
    """One problem for each unknown; a PriorityClass that is not there is QOS301."""
    for unknown in admitted.effective.shown.unknowns if admitted.effective else ():
        if unknown.kind != "PriorityClass" or not unknown.path:
            yield Problem(admitted.workload.at(unknown.path), _message(unknown))


def _message(unknown: Unknown) -> str:
    match unknown.kind, unknown.name:
        case "LimitRange", "order":
            return (
                f"The LimitRanges of the namespace of {OBJECT} disagree in more ways than are "
                "tried; the results of the other orders are unknown."
            )
        case "PodLevelResources", _:
            return (
                f"The pod-level requests of {OBJECT} exceed the limits of its containers; which "
                "pod-level limit Kubernetes 1.37 then fills in is unknown."
            )
    where = "not in the repository" if unknown.path else "not known, a placeholder stands in it"
    consequence = _CONSEQUENCE.get(unknown.kind, "what it decides is unknown")
    return f"{unknown.kind} {unknown.name!r} of {OBJECT} is {where}: {consequence}."
