"""QOS904: a pod refers to something that the repository does not hold."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import HERE, Place, Problem
from qoslint.model.verdict import Verdict

_CONSEQUENCE = {
    "RuntimeClass": (
        "its overhead, and so the pod's requests for scheduling, quota and eviction, and whether "
        "it is admitted at all, are unknown"
    ),
    "LimitRange": (
        "the LimitRanges of the namespace conflict in too many ways to try every order, so the "
        "pod is shown for one of them"
    ),
}


def check_pod(verdict: Verdict) -> Iterator[Problem]:
    """One problem for each unknown that has no rule of its own."""
    for unknown in verdict.effective.outcomes[0].unknowns:
        if consequence := _CONSEQUENCE.get(unknown.kind):
            yield Problem(
                Place(HERE, unknown.path),
                f"{unknown.kind} {unknown.name!r} of {{object}} is not in the repository: "
                f"{consequence}.",
            )
