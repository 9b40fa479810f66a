"""QOS103: a pod runs as BestEffort."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import HERE, OBJECT, Part, Place, Problem, Severity
from qoslint.kernel.pod import Pod, is_critical_pod, is_node_critical_pod
from qoslint.kernel.qos import QOSClass
from qoslint.model.verdict import Verdict
from qoslint.span import Path


def check_pod(verdict: Verdict) -> Iterator[Problem]:
    """One problem for a pod that is BestEffort; a note where its priority makes up for it."""
    if verdict.qos is QOSClass.BEST_EFFORT:
        pod = verdict.effective.pod
        yield Problem(
            Place(HERE, _field(verdict), Part.KEY),
            f"{OBJECT} runs as BestEffort: {_why(verdict)}. {_consequence(pod)}",
            severity=Severity.NOTE if is_node_critical_pod(pod) else None,
        )


def _field(verdict: Verdict) -> Path:
    return ("resources",) if verdict.pod_level else ("containers", 0, "resources")


def _why(verdict: Verdict) -> str:
    if verdict.pod_level:
        return "its pod-level resources hide the containers and name no CPU or memory above zero"
    return "no container has a CPU or memory request or limit above zero"


def _consequence(pod: Pod) -> str:
    if is_node_critical_pod(pod):
        return (
            "As system-node-critical it is not evicted and its containers keep oom_score_adj -997, "
            "but nothing reserves or bounds what it uses."
        )
    killed = "the kernel kills its containers first (oom_score_adj 1000)"
    if is_critical_pod(pod):
        return f"Its priority {pod.priority} keeps it from eviction, yet {killed}."
    return f"It is in the first group to be evicted when a node runs low on memory, and {killed}."
