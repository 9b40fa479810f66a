"""QOS304: pods that matter have no more priority than any other pod."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Part, Problem
from qoslint.kernel.pod import is_critical_pod
from qoslint.model.effective import Admitted
from qoslint.model.expect.intent import OfPriority
from qoslint.model.priorities import default_priority
from qoslint.model.subject import Options


def check_workload(admitted: Admitted, options: Options) -> Iterator[Problem]:
    """One problem for selected pods of the default priority or less, that nobody expects it of."""
    effective, workload = admitted.effective, admitted.workload
    if effective is None or effective.admitted is False or is_critical_pod(effective.pod):
        return
    thing = workload.object
    where = admitted.namespace, thing.kind, thing.name, workload.pod_labels
    if not any(each.selects(*where) for each in options["pods"]):
        return
    priority, default = effective.pod.priority, default_priority(effective.given)
    if priority is None or priority > default:
        return
    if any(isinstance(intent.wish, OfPriority) for intent in admitted.intents):
        return
    name = effective.authored.priority_class_name
    named = f"names PriorityClass {name}" if name else "names no PriorityClass"
    than = "that of" if priority == default else "less than"
    yield Problem(
        workload.at(("priorityClassName",), Part.KEY),
        f"{OBJECT} {named} and has priority {priority}, {than} any pod that names none: it "
        "preempts none of them when it finds no room, any pod of a higher class preempts it, and "
        "among pods that exceed their memory requests it is evicted with the crowd.",
    )
