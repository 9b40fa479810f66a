"""Pods that somebody wants to keep, as far as the manifests tell."""

from __future__ import annotations

from typing import NamedTuple

from qoslint.kernel.qos import QOSClass
from qoslint.model.effective import Admitted
from qoslint.model.priorities import default_priority


class Importance(NamedTuple):
    """Why pods seem to matter, to read behind "which": `is Guaranteed`."""

    because: str
    """Empty where the kind of the workload says it."""
    strong: bool
    """Whether it is more than the class: state or priority."""


def importance(admitted: Admitted) -> Importance | None:
    """Why the pods are meant to stay: state, a priority above the default, the class Guaranteed.

    None if nothing says so, or if it is not known what the pods are. The state of a BestEffort
    pod says nothing: who wants to keep it gives it more.
    """
    effective = admitted.effective
    if effective is None:
        return None
    stateful = admitted.workload.object.kind == "StatefulSet"
    if stateful and effective.qos is not QOSClass.BEST_EFFORT:
        return Importance("", strong=True)
    priority = effective.pod.priority
    if priority is not None and priority > max(default_priority(effective.given), 0):
        return Importance(f"has priority {priority}", strong=True)
    if effective.qos is QOSClass.GUARANTEED:
        return Importance("is Guaranteed", strong=False)
    return None
