"""Why the API server refuses a workload or its pods, for an explanation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from qoslint.errors import closest
from qoslint.kernel.outcome import Outcome, Stage
from qoslint.model.effective import Admitted, Effective
from qoslint.model.priorities import known_classes
from qoslint.model.refusals import Reason, Refusal
from qoslint.model.step import Step, step
from qoslint.span import field_path

_LISTS = ("requests", "limits")


def refusals(admitted: Admitted) -> Iterator[dict[str, object]]:
    """Each reason with its place, and where the amounts come from that no manifest states."""
    for refusal in admitted.refusals:
        yield {
            "by": str(refusal.by),
            "message": refusal.message,
            "field": field_path(refusal.path),
            "at": admitted.workload.object.at(refusal.path),
            "cause": refusal.cause_name or None,
            "causeAt": refusal.cause,
            "reason": str(refusal.reason),
            "filledIn": [
                {
                    "field": field_path(filled.path[-2:]),
                    "value": filled.after,
                    "by": filled.by,
                    "at": filled.cause,
                }
                for filled in _filled_in(refusal, admitted)
            ],
            "suggestion": _suggestion(refusal, admitted.effective),
        }


def _filled_in(refusal: Refusal, admitted: Admitted) -> Iterator[Step]:
    """What another object filled in of the amounts that the refusal is about."""
    effective, path = admitted.effective, refusal.path
    if effective is None or len(path) < 2 or path[-2] not in _LISTS:
        return
    # Validation compares a request with its limit; other stages look at one amount.
    keys = _LISTS if refusal.by is Stage.VALIDATION else (path[-2],)
    about = {(*path[:-2], key, path[-1]) for key in keys}
    for outcome in _refusing(refusal, effective):
        last = {
            (*admitted.workload.template, *outcome.authored(change.path)): change
            for change in outcome.changes
        }
        for where, change in last.items():
            if where in about and change.cause is not None:
                yield step(change, effective.given, effective.namespace)


def _refusing(refusal: Refusal, effective: Effective) -> Iterable[Outcome]:
    """The outcome that the refusal tells of: the first that ends so."""
    told = (
        outcome
        for outcome in effective.outcomes
        for rejection in outcome.rejections
        if f"{rejection.message}{refusal.condition}" == refusal.message
    )
    first = next(told, None)
    return () if first is None else (first,)


def _suggestion(refusal: Refusal, effective: Effective | None) -> str | None:
    """The class that was most likely meant by the name of one that does not exist."""
    if effective is None:
        return None
    pod, given = effective.authored, effective.given
    match refusal.reason:
        case Reason.NO_PRIORITY_CLASS:
            return closest(pod.priority_class_name, known_classes(given))
        case Reason.NO_RUNTIME_CLASS:
            names = (each.name for each in given.runtime_classes)
            return closest(pod.runtime_class_name or "", names)
    return None
