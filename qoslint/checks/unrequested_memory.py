"""QOS111: a Burstable pod whose memory request is zero, so that all it uses is above it."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import HERE, OBJECT, Place, Problem
from qoslint.kernel.pod import MEMORY
from qoslint.kernel.scheduling import aggregate_container_requests
from qoslint.model.uncounted import deciding_zeros
from qoslint.model.verdict import Verdict
from qoslint.span import Path


def check_pod(verdict: Verdict) -> Iterator[Problem]:
    """One problem for each such pod that can be evicted; zeros that decide are QOS106's."""
    if verdict.requests_no_memory and not deciding_zeros(verdict)[0]:
        yield Problem(
            Place(HERE, _field(verdict)),
            f"{OBJECT} is Burstable and {_lacks(verdict)}: when a node runs low on memory, any "
            "memory that it uses is above its request, and it is in the first group to be "
            f"evicted, as if it were BestEffort{_score(verdict)}.",
        )


def _hidden(verdict: Verdict) -> bool:
    """Whether containers request memory, and pod-level resources hide it."""
    requests = aggregate_container_requests(verdict.effective.pod)
    return MEMORY in requests and requests[MEMORY].nanos > 0


def _field(verdict: Verdict) -> Path:
    if _hidden(verdict):
        return ("resources", "requests", MEMORY)
    first = verdict.effective.shown.placed(("containers", 0))
    return (*first, "resources", "requests", MEMORY)


def _lacks(verdict: Verdict) -> str:
    if _hidden(verdict):
        return (
            "has pod-level resources without a memory request, which hide those of its containers"
        )
    return "requests CPU, but no memory"


def _score(verdict: Verdict) -> str:
    if _hidden(verdict) or verdict.effective.pod.os == "windows":
        return ""
    return ", and every container has oom_score_adj 999, where 1000 is killed first"
