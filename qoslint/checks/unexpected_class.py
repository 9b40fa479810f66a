"""QOS101: a pod is not of the class that its author declares."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.errors import closest
from qoslint.finding import OBJECT, Part, Problem, Severity
from qoslint.kernel.qos import QOSClass
from qoslint.model.effective import Admitted
from qoslint.model.expect.annotations import EXPECT_QOS
from qoslint.model.expect.classes import unmet
from qoslint.model.expect.intent import OfClass
from qoslint.model.wording import listing

_CLASSES = {qos.lower(): qos for qos in QOSClass}
_LONGEST = 40


def check_workload(admitted: Admitted) -> Iterator[Problem]:
    """One problem for each declared class that the pods do not have, or are not known to have."""
    for intent in admitted.intents:
        if not isinstance(intent.wish, OfClass):
            continue
        value, place = intent.wish.name, intent.place or admitted.workload.at((), Part.KEY)
        if value not in _CLASSES.values():
            yield Problem(place, f"{EXPECT_QOS} of {OBJECT} is {_complaint(value)}")
            continue
        missed = unmet(admitted, QOSClass(value))
        if missed is None:
            continue
        if missed.proven:
            message = f"{OBJECT} is expected to be {value}, but {missed.because}."
        else:
            message = f"Whether {OBJECT} is {value}, as expected, is not known: {missed.because}."
        if intent.place is None:
            message = f"{message} ({intent.origin} expects it.)"
        severity = None if missed.proven else Severity.NOTE
        yield Problem(place, message, missed.places, severity)


def _complaint(value: str) -> str:
    shown = value if len(value) <= _LONGEST else f"{value[:_LONGEST]}..."
    near = closest(value.lower(), _CLASSES)
    hint = f" Did you mean {_CLASSES[near]}?" if near else ""
    return f"{shown!r}, which is none of {listing(QOSClass)}.{hint}"
