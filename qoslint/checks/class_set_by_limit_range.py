"""QOS205: a LimitRange changes the class of a pod."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import HERE, OBJECT, Part, Place, Problem, Severity
from qoslint.kernel.qos import QOSClass
from qoslint.model.verdict import Verdict, causes, set_by_limit_range
from qoslint.model.wording import filled_in

_STRENGTH = (QOSClass.BEST_EFFORT, QOSClass.BURSTABLE, QOSClass.GUARANTEED)


def check_pod(verdict: Verdict) -> Iterator[Problem]:
    """One problem at the first container that a LimitRange filled in, if the class changed.

    A pod that only a maximum makes Guaranteed is QOS110's.
    """
    change = set_by_limit_range(verdict)
    if change is None or change.maxima:
        return
    weaker = _STRENGTH.index(verdict.qos) < _STRENGTH.index(change.before)
    by, first = change.steps[0].by, change.steps[0].path[:2]
    same = [step for step in change.steps if step.by == by and step.path[:2] == first]
    more = "" if len(same) == len(change.steps) else ", among other things"
    yield Problem(
        Place(HERE, (*first, "resources"), Part.KEY),
        f"{OBJECT} is {change.before} as written and runs as {verdict.qos}: "
        f"{by} fills in {filled_in(same)}{more}.",
        related=tuple(causes(verdict.effective, first)),
        severity=Severity.WARNING if weaker else None,
    )
