"""QOS403: pods with priority may use many times the memory that they request."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import HERE, OBJECT, Place, Problem
from qoslint.kernel.eviction import NANOS, usage_quantity
from qoslint.kernel.pod import MEMORY, is_critical_pod
from qoslint.kernel.scheduling import eviction_requests
from qoslint.kernel.signals import Signal
from qoslint.model.limits import loosest
from qoslint.model.subject import Options
from qoslint.model.usage import most_memory
from qoslint.model.verdict import Verdict
from qoslint.model.wording import plain_number


def check_pod(verdict: Verdict, options: Options) -> Iterator[Problem]:
    """One problem for a pod of enough priority, at the container that may burst furthest."""
    pod, features = verdict.effective.pod, verdict.features
    if is_critical_pod(pod) or (pod.priority or 0) < options["priority"]:
        return
    request, most = eviction_requests(pod, features)[MEMORY], most_memory(pod, features)
    # most / request > ratio, in whole billionths
    within = most is not None and most * NANOS * NANOS <= request.nanos * options["max-ratio"].nanos
    loose = loosest(verdict, MEMORY)
    if request.nanos == 0 or within or loose is None:
        return
    reach = "all memory of its node"
    if most is not None:
        times = plain_number(options["max-ratio"])
        reach = f"{usage_quantity(Signal.MEMORY, most)}, more than {times} times as much"
    yield Problem(
        Place(HERE, (*loose.path, "limits", MEMORY)),
        f"{OBJECT} has priority {pod.priority}, requests {request.canonical()} of memory and may "
        f"use {reach}, most by {loose.owner[:1].lower()}{loose.owner[1:]}: of pods with its "
        "priority that exceed their requests, the one that is furthest above goes first.",
    )
