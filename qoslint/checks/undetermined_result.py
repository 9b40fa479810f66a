"""QOS904: a part of the answer for a pod cannot be determined."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem
from qoslint.model.effective import Admitted

_ORDERS = (
    f"The LimitRanges of the namespace of {OBJECT} disagree in more ways than are tried; the "
    "results of the other orders are unknown."
)
_POD_LEVEL = (
    f"The pod-level requests of {OBJECT} exceed the limits of its containers; which pod-level "
    "limit Kubernetes 1.37 then fills in is unknown."
)
_SENTENCES = {"LimitRange": _ORDERS, "PodLevelResources": _POD_LEVEL}


def check_workload(admitted: Admitted) -> Iterator[Problem]:
    """One problem for each unknown that is no reference: of those QOS211 and QOS301 speak."""
    for unknown in admitted.effective.shown.unknowns if admitted.effective else ():
        if unknown.kind in _SENTENCES:
            yield Problem(admitted.workload.at(unknown.path), _SENTENCES[unknown.kind])
