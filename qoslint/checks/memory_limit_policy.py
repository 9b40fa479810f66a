"""QOS808: a memory limit that is missing, or further above the request than a policy allows."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import HERE, OBJECT, Place, Problem
from qoslint.kernel.pod import MEMORY
from qoslint.kernel.quantity import ZERO, Quantity
from qoslint.model.limits import Bound, bounds
from qoslint.model.subject import Options
from qoslint.model.verdict import Verdict, causes
from qoslint.model.wording import plain_number


def check_pod(verdict: Verdict, options: Options) -> Iterator[Problem]:
    """One problem for each running container that is not as the policy wants it."""
    policy = options["memory-limits"]
    for bound in bounds(verdict, MEMORY):
        if wrong := _wrong(bound, policy, options["max-ratio"]):
            path = (*bound.path, "limits", MEMORY)
            yield Problem(
                Place(HERE, path),
                f"{bound.owner} of {OBJECT} has {wrong}, against the policy "
                f"`memory-limits: {policy}`.",
                related=tuple(causes(verdict.effective, path)),
            )


def _wrong(bound: Bound, policy: str, most: Quantity) -> str:
    """What the container has that the policy does not allow; nothing if it may."""
    limit, request = bound.limit, bound.request or ZERO
    if limit is None or limit.nanos == 0:
        return "no memory limit"
    if policy == "equal" and limit.nanos != request.nanos:
        return f"a memory limit of {limit} for a request of {request}"
    # limit / request > ratio, in whole billionths
    if policy == "ratio" and limit.nanos * 10**9 > request.nanos * most.nanos:
        times = plain_number(most)
        return f"a memory limit of {limit}, more than {times} times its request of {request}"
    return ""
