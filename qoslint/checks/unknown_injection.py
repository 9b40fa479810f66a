"""QOS152: something may change a pod on its way, and nothing tells how."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import Problem
from qoslint.model.effective import Admitted, Effective
from qoslint.model.injection import Uncertain


def check_workload(admitted: Admitted) -> Iterator[Problem]:
    """One problem for each thing that may act upon the pods."""
    effective = admitted.effective
    if effective is None or effective.admitted is False:
        return
    for uncertain in effective.injection.uncertain:
        yield Problem(
            admitted.place_of(uncertain.asked),
            f"{uncertain.by} {_does(uncertain)} {admitted.pods}, and {uncertain.why}: "
            f"{_class(effective)}.",
        )


def _does(uncertain: Uncertain) -> str:
    return "may change" if uncertain.anything else "may add containers to"


def _class(effective: Effective) -> str:
    names = [str(qos) for qos in effective.classes]
    what = f"the class is {' or '.join(names)}"
    if effective.admitted is None:
        return f"{what}, and whether the pods are admitted is unknown"
    return f"{what}, and the sizes are only those of the containers written here"
