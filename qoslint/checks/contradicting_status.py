"""QOS706: a Pod's committed status names another class than its spec gives it."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Part, Problem
from qoslint.model.effective import Admitted
from qoslint.model.objects import text
from qoslint.span import value_at

_PATH = ("status", "qosClass")


def check_workload(admitted: Admitted) -> Iterator[Problem]:
    """One problem for a Pod whose class is known and is not the one that its status tells."""
    thing, effective = admitted.workload.object, admitted.effective
    told = text(value_at(thing.data, _PATH))
    if effective is None or not told or (thing.group, thing.kind) != ("", "Pod"):
        return
    if len(effective.classes) == 1 and (qos := effective.classes[0]) != told:
        yield Problem(
            thing.at(_PATH, Part.VALUE),
            f"The status of {OBJECT} says {told}, and its spec makes it {qos}. The API server "
            "ignores the status of a manifest and computes the class from the spec.",
        )
