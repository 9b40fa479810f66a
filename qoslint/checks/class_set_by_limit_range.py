"""QOS205: a LimitRange changes the class of a pod."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import HERE, OBJECT, Part, Place, Problem, Severity
from qoslint.kernel.outcome import Change, Stage
from qoslint.kernel.pod import CPU, MEMORY
from qoslint.kernel.qos import QOSClass
from qoslint.model.effective import Step
from qoslint.model.verdict import Verdict, qos_without_limit_ranges
from qoslint.model.wording import filled_in

_STRENGTH = (QOSClass.BEST_EFFORT, QOSClass.BURSTABLE, QOSClass.GUARANTEED)


def check_pod(verdict: Verdict) -> Iterator[Problem]:
    """One problem at the first container that a LimitRange filled in, if the class changed."""
    if not any(map(_may_change_class, verdict.effective.shown.changes)):
        return
    before, after = qos_without_limit_ranges(verdict), verdict.qos
    if before is None or before is after:
        return
    steps = [step for step in verdict.effective.steps if _may_change_class(step)]
    weaker = _STRENGTH.index(after) < _STRENGTH.index(before)
    by, first = steps[0].by, steps[0].path[:2]
    same = [step for step in steps if step.by == by and step.path[:2] == first]
    more = "" if len(same) == len(steps) else ", among other things"
    yield Problem(
        Place(HERE, (*first, "resources"), Part.KEY),
        f"{OBJECT} is {before} as written and runs as {after}: "
        f"{by} fills in {filled_in(same)}{more}.",
        related=tuple(verdict.causes(first)),
        severity=Severity.WARNING if weaker else None,
    )


def _may_change_class(change: Change | Step) -> bool:
    return change.stage is Stage.LIMIT_RANGER and change.path[-1] in (CPU, MEMORY)
