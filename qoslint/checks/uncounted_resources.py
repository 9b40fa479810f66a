"""QOS104: a pod that asks for devices, disk or huge pages is BestEffort all the same."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import HERE, OBJECT, Place, Problem, Severity
from qoslint.kernel.pod import is_node_critical_pod
from qoslint.kernel.qos import QOSClass
from qoslint.model.uncounted import other_resources
from qoslint.model.verdict import Verdict
from qoslint.model.wording import best_effort_consequence, listing, owner


def check_pod(verdict: Verdict) -> Iterator[Problem]:
    """One problem at the first resource that does not count."""
    if verdict.qos is not QOSClass.BEST_EFFORT:
        return
    asked = tuple(other_resources(verdict))
    if asked:
        pod, first = verdict.effective.pod, asked[0]
        same = [each.what for each in asked if each.container is first.container]
        yield Problem(
            Place(HERE, first.path),
            f"{OBJECT} runs as BestEffort although {owner(first.container)} asks for "
            f"{listing(same)}: only CPU and memory count for the class, and neither is above "
            f"zero anywhere. {best_effort_consequence(pod)}",
            severity=Severity.NOTE if is_node_critical_pod(pod) else None,
        )
