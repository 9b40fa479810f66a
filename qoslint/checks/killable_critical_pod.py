"""QOS307: a pod is critical to the kubelet, and an ordinary one to the kernel."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from qoslint.finding import HERE, OBJECT, Place, Problem
from qoslint.kernel.oom import GUARANTEED_OOM_SCORE_ADJ
from qoslint.kernel.pod import (
    MEMORY,
    SYSTEM_CRITICAL_PRIORITY,
    SYSTEM_NODE_CRITICAL,
    Pod,
    is_node_critical_pod,
)
from qoslint.kernel.qos import QOSClass
from qoslint.kernel.quantity import ZERO
from qoslint.model.subject import Options
from qoslint.model.verdict import Verdict

_WITHOUT_REQUEST = 999
"""The score of a Burstable container that requests no memory, whatever the node has."""


def check_pod(verdict: Verdict, options: Options) -> Iterator[Problem]:
    """One problem for a Burstable pod of critical priority; a BestEffort one is QOS103's."""
    pod = verdict.effective.pod
    if (pod.priority or 0) < SYSTEM_CRITICAL_PRIORITY or is_node_critical_pod(pod):
        return
    if verdict.qos is QOSClass.BURSTABLE and (worst := _worst(verdict, options["score"])):
        yield Problem(
            Place(HERE, ("priorityClassName",)),
            f"{pod.priority_class_name} keeps {OBJECT} from eviction by the kubelet, not from the "
            f"kernel when the node is out of memory: {worst}, as for any Burstable pod. Only "
            f"{SYSTEM_NODE_CRITICAL} or the class Guaranteed gives {GUARANTEED_OOM_SCORE_ADJ}.",
        )


def _worst(verdict: Verdict, least: int) -> str:
    """The highest score as a clause; empty if it is below `least`, or not known without nodes."""
    worst = max(verdict.running_scores(), key=attrgetter("score"), default=None)
    if worst is not None:
        node = worst.kubelet.node.name
        clause = (
            f"container {worst.container.name!r} has oom_score_adj {worst.score} on node {node}"
        )
        return clause if worst.score >= least else ""
    if verdict.kubelets or least > _WITHOUT_REQUEST:
        return ""
    name = _without_request(verdict.effective.pod)
    return f"container {name!r} has oom_score_adj {_WITHOUT_REQUEST} on any node" if name else ""


def _without_request(pod: Pod) -> str | None:
    """A regular container without memory request, unless pod-level requests add to it."""
    if pod.os == "windows" or pod.resources is not None:
        return None
    for container in pod.containers:
        if container.resources.requests.get(MEMORY, ZERO).nanos == 0:
            return container.name
    return None
