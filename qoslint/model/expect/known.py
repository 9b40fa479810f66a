"""Whether it is known how the pods of a workload are ranked."""

from __future__ import annotations

from qoslint.model.effective import Admitted
from qoslint.model.wording import some
from qoslint.model.workloads import UNKNOWN_KIND


def why_unknown(admitted: Admitted) -> str:
    """Why it is not known how the pods are ranked, as a clause; empty if it is."""
    effective, workload = admitted.effective, admitted.workload
    if effective is None or admitted.qos is None:
        return f"it depends on what is not known: {', '.join(admitted.unknowns)}"
    if workload.partial:
        return workload.partial
    if UNKNOWN_KIND in workload.tags:
        return f"what the controller of a {workload.object.kind} makes of its pods is unknown"
    unknown = [each.name for each in effective.shown.unknowns if each.kind == "PriorityClass"]
    if unknown:
        return f"PriorityClass {some(unknown, len(unknown))} is not known"
    return ""
