"""QOS407: a pod that cannot be evicted may take all memory of its node."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import HERE, OBJECT, Place, Problem, Related
from qoslint.kernel.oom import GUARANTEED_OOM_SCORE_ADJ
from qoslint.kernel.pod import (
    MEMORY,
    SYSTEM_CRITICAL_PRIORITY,
    Path,
    is_node_critical_pod,
)
from qoslint.model.limits import Bound, bounds
from qoslint.model.verdict import Verdict


def check_pod(verdict: Verdict) -> Iterator[Problem]:
    """One problem at the first container without memory limit, of a pod of critical priority.

    Static pods are the machinery of the node itself, and nothing to limit lightly.
    """
    pod = verdict.effective.pod
    if pod.static or pod.mirror or (pod.priority or 0) < SYSTEM_CRITICAL_PRIORITY:
        return
    unlimited = [
        bound for bound in bounds(verdict, MEMORY) if bound.limit is None or bound.limit.nanos == 0
    ]
    if not unlimited:
        return
    first, *others = unlimited
    spared = ""
    if is_node_critical_pod(pod) and pod.os != "windows":
        spared = f", and the kernel to kill them first (oom_score_adj {GUARANTEED_OOM_SCORE_ADJ})"
    yield Problem(
        Place(HERE, _field(first)),
        f"{first.owner} of {OBJECT} has no memory limit, and its priority {pod.priority} keeps the "
        "pod from eviction: if it leaks, nothing stops it before the node is out of memory, and "
        f"the kubelet has only the other pods to evict{spared}.",
        related=tuple(
            Related(Place(HERE, _field(each)), f"{each.owner} has no memory limit either")
            for each in others
        ),
    )


def _field(bound: Bound) -> Path:
    return (*bound.path, "limits", MEMORY)
