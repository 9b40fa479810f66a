"""QOS211: a pod names a RuntimeClass that is not there, so its overhead is not known."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.errors import question
from qoslint.finding import OBJECT, Place, Problem, Severity
from qoslint.kernel.runtimeclass import KIND
from qoslint.model.effective import Admitted, Effective
from qoslint.model.refusals import Reason


def check_workload(admitted: Admitted) -> Iterator[Problem]:
    """An error in a complete cluster, a note where the class may live elsewhere."""
    if admitted.effective is None:
        return
    name = admitted.effective.authored.runtime_class_name or ""
    for refusal in admitted.refusals:
        if refusal.reason is Reason.NO_RUNTIME_CLASS:
            yield Problem(
                _place(admitted),
                f"The API server refuses {admitted.pods}: no RuntimeClass {name!r} exists."
                f"{question(name, _known(admitted.effective))}",
                severity=Severity.ERROR,
            )
    for unknown in admitted.effective.shown.unknowns:
        if unknown.kind == KIND:
            yield Problem(
                _place(admitted),
                f"RuntimeClass {name!r} is not in the repository, so the overhead of {OBJECT} is "
                "unknown. The class does not depend on it; what is reserved, counted by quotas and "
                "compared in an eviction does. A cluster without the class refuses the pods."
                f"{question(name, _known(admitted.effective))}",
            )


def _place(admitted: Admitted) -> Place:
    return admitted.workload.at(("runtimeClassName",))


def _known(effective: Effective) -> Iterator[str]:
    return (item.name for item in effective.given.runtime_classes)
