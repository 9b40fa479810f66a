"""QOS110: a pod is Guaranteed only because the maximum of a LimitRange becomes its limit."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import HERE, OBJECT, Part, Place, Problem
from qoslint.model.verdict import Verdict, causes, set_by_limit_range
from qoslint.model.wording import filled_in


def check_pod(verdict: Verdict) -> Iterator[Problem]:
    """One problem at the first container whose limit is a maximum."""
    change = set_by_limit_range(verdict)
    if change is None or not change.maxima:
        return
    first = change.maxima[0]
    container = first.path[:2]
    same = [step for step in change.maxima if step.by == first.by and step.path[:2] == container]
    yield Problem(
        Place(HERE, (*container, "resources"), Part.KEY),
        f"{OBJECT} is {change.before} as written and Guaranteed by accident: {first.by} has a "
        f"max without a default, so that it fills in {filled_in(same)}. Every replica "
        "reserves that much, until somebody edits the LimitRange.",
        related=tuple(causes(verdict.effective, container)),
    )
