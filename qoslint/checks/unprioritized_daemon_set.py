"""QOS305: a DaemonSet of the system has no more priority than any other pod."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Part, Problem
from qoslint.model.effective import Admitted
from qoslint.model.pattern import fits_any
from qoslint.model.priorities import default_priority
from qoslint.model.subject import Options


def check_workload(admitted: Admitted, options: Options) -> Iterator[Problem]:
    """One problem for a DaemonSet with the default priority or less, in one of the namespaces."""
    effective = admitted.effective
    if effective is None or admitted.workload.object.kind != "DaemonSet":
        return
    if not fits_any(admitted.namespace, options["namespaces"]):
        return
    priority, default = effective.pod.priority, default_priority(effective.given)
    if effective.admitted is False or priority is None or priority > default:
        return
    name = effective.authored.priority_class_name
    authored = f"with PriorityClass {name}" if name else "without a PriorityClass"
    than = "that of" if priority == default else "less than"
    yield Problem(
        admitted.workload.at(("priorityClassName",), Part.KEY),
        f"{OBJECT} {authored} has priority {priority}, {than} any pod that names no class. Where "
        "a node is full, its pod cannot make room and cannot go elsewhere: it stays Pending.",
    )
