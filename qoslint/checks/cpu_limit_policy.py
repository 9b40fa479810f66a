"""QOS807: a CPU limit that a policy of the settings wants, or does not want."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import HERE, OBJECT, Place, Problem
from qoslint.kernel.pod import CPU
from qoslint.kernel.qos import QOSClass
from qoslint.model.limits import bounds
from qoslint.model.subject import Options
from qoslint.model.verdict import Verdict, causes


def check_pod(verdict: Verdict, options: Options) -> Iterator[Problem]:
    """One problem for each running container that is not as the policy wants it."""
    policy = options["cpu-limits"]
    guaranteed = verdict.qos is QOSClass.GUARANTEED
    forbidden = policy == "forbidden" or (policy == "guaranteed-only" and not guaranteed)
    if policy == "ignore":
        return
    for bound in bounds(verdict, CPU):
        limit = bound.limit if bound.limit is not None and bound.limit.nanos else None
        if forbidden and limit is not None:
            but = " in a pod that is not Guaranteed" if policy == "guaranteed-only" else ""
            yield Problem(
                Place(HERE, (*bound.path, "limits", CPU)),
                f"{bound.owner} of {OBJECT} has a CPU limit of {limit}{but}, against the policy "
                f"`cpu-limits: {policy}`.",
                related=tuple(causes(verdict.effective, (*bound.path, "limits", CPU))),
            )
        elif policy == "required" and limit is None:
            yield Problem(
                Place(HERE, (*bound.path, "limits", CPU)),
                f"{bound.owner} of {OBJECT} has no CPU limit, against the policy "
                "`cpu-limits: required`.",
            )
