"""QOS205: a LimitRange changes the class of a pod."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import HERE, Part, Place, Problem, Severity
from qoslint.kernel.outcome import Stage
from qoslint.kernel.qos import QOSClass
from qoslint.model.verdict import Verdict, qos_without_limit_ranges
from qoslint.model.wording import filled_in

_STRENGTH = (QOSClass.BEST_EFFORT, QOSClass.BURSTABLE, QOSClass.GUARANTEED)


def check_pod(verdict: Verdict) -> Iterator[Problem]:
    """One problem at the first container that a LimitRange filled in, if the class changed."""
    steps = [step for step in verdict.effective.steps if step.stage is Stage.LIMIT_RANGER]
    if not steps:
        return
    before, after = qos_without_limit_ranges(verdict), verdict.qos
    if before is None or before is after:
        return
    weaker = _STRENGTH.index(after) < _STRENGTH.index(before)
    first = steps[0].path[:2]
    yield Problem(
        Place(HERE, (*first, "resources"), Part.KEY),
        f"{{object}} is {before} as written and runs as {after}: "
        f"{steps[0].by} fills in {filled_in(steps)}.",
        related=tuple(verdict.causes(first)),
        severity=Severity.WARNING if weaker else None,
    )
