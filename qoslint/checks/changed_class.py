"""QOS001: the change gives the pods of a workload another class."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem, Severity
from qoslint.kernel.qos import QOSClass
from qoslint.model.change.record import Fate, WorkloadChange
from qoslint.model.change.words import because

_STRENGTH = {"": 0, QOSClass.BEST_EFFORT: 1, QOSClass.BURSTABLE: 2, QOSClass.GUARANTEED: 3}


def check_change(change: WorkloadChange) -> Iterator[Problem]:
    """One problem where both classes are known, or may be one of several."""
    found = change.difference("qosClass")
    if found is None or change.after is None or change.fate is Fate.MOVED:
        return
    if not isinstance(found.before, str) or not isinstance(found.after, str):
        return  # refused, or not known: that is told as what it is
    broken = any(
        each.after == "broken" and each.before == "kept" and each.wish.startswith("is ")
        for each in change.expectations
    )
    weaker = _strength(found.after) < _strength(found.before)
    severity = Severity.ERROR if broken else None if weaker else Severity.NOTE
    expected = ", although it is expected not to" if broken else ""
    yield Problem(
        change.line,
        f"{OBJECT} becomes {found.after} from {found.before}{expected}: {because(change)}.",
        severity=severity,
    )


def _strength(classes: str) -> int:
    """Of several possible classes the weakest counts."""
    return min(_STRENGTH.get(each, 0) for each in classes.split(" or "))
