"""QOS103: a pod runs as BestEffort."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import HERE, OBJECT, Part, Place, Problem, Severity
from qoslint.kernel.pod import is_node_critical_pod
from qoslint.kernel.qos import QOSClass
from qoslint.model.uncounted import other_resources
from qoslint.model.verdict import Verdict
from qoslint.model.wording import best_effort_consequence
from qoslint.span import Path


def check_pod(verdict: Verdict) -> Iterator[Problem]:
    """One problem for a pod that is BestEffort; a note where its priority makes up for it.

    A pod that asks for other resources is QOS104's.
    """
    if verdict.qos is QOSClass.BEST_EFFORT and not any(other_resources(verdict)):
        pod = verdict.effective.pod
        yield Problem(
            Place(HERE, _field(verdict), Part.KEY),
            f"{OBJECT} runs as BestEffort: {_why(verdict)}. {best_effort_consequence(pod)}",
            severity=Severity.NOTE if is_node_critical_pod(pod) else None,
        )


def _field(verdict: Verdict) -> Path:
    if verdict.pod_level:
        return ("resources",)
    return verdict.effective.shown.placed(("containers", 0, "resources"))


def _why(verdict: Verdict) -> str:
    if verdict.pod_level:
        return "its pod-level resources hide the containers and name no CPU or memory above zero"
    return "no container has a CPU or memory request or limit above zero"
