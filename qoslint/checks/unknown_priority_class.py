"""QOS301: a pod names a PriorityClass that does not exist."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.errors import mistyped, question
from qoslint.finding import OBJECT, Edit, Place, Problem, Set, Severity
from qoslint.kernel.priority import KIND
from qoslint.model.effective import Admitted, Effective
from qoslint.model.priorities import known_classes
from qoslint.model.refusals import Reason


def check_workload(admitted: Admitted) -> Iterator[Problem]:
    """An error in a complete cluster, a warning where the class may live elsewhere."""
    if admitted.effective is None:
        return
    name = admitted.effective.authored.priority_class_name
    for refusal in admitted.refusals:
        if refusal.reason is Reason.NO_PRIORITY_CLASS:
            place = _place(admitted)
            yield Problem(
                place,
                f"The API server refuses {admitted.pods}: no PriorityClass {name!r} exists."
                f"{question(name, known_classes(admitted.effective.given))}",
                edits=tuple(_edits(place, name, admitted.effective)),
            )
    for unknown in admitted.effective.shown.unknowns:
        if unknown.kind == KIND:
            yield Problem(
                _place(admitted),
                f"PriorityClass {name!r} is not in the repository, so the priority of {OBJECT} "
                "is unknown; a cluster that lacks it refuses the pods."
                f"{question(name, known_classes(admitted.effective.given))}",
                severity=Severity.WARNING,
            )


def _place(admitted: Admitted) -> Place:
    return admitted.workload.at(("priorityClassName",))


def _edits(place: Place, name: str, effective: Effective) -> Iterator[Edit]:
    """The class that was meant, where it was mistyped; elsewhere another may have the name."""
    meant = mistyped(name, known_classes(effective.given))
    if meant is not None:
        yield Set(place, meant)
