"""What the rules say of wishes that do not hold, or are not known to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from qoslint.finding import OBJECT, Part, Place, Problem, Severity
from qoslint.model.effective import Admitted
from qoslint.model.expect.answer import Broken, Doubt, Judgement
from qoslint.model.expect.intent import (
    Fits,
    Intent,
    KilledAfter,
    Misstated,
    OfClass,
    OfPriority,
    Outlives,
    Protected,
    Wish,
)
from qoslint.model.wording import listing


def problems(judgements: Iterable[Judgement]) -> Iterator[Problem]:
    """An error for each wish that does not hold, a note for each that is not known to."""
    for admitted, intent, answer in judgements:
        match answer:
            case Broken(because):
                yield problem(admitted, intent, because)
            case Doubt(because):
                clause = f"Whether {OBJECT} {wished(intent.wish)} is not known: {because}."
                yield problem(admitted, intent, clause, Severity.NOTE)


def problem(
    admitted: Admitted, intent: Intent, message: str, severity: Severity | None = None
) -> Problem:
    """The problem at the annotation, or at the pods of whom the settings speak."""
    if intent.place is None:
        message = f"{message} ({intent.origin} expects it.)"
    return Problem(place(admitted, intent), message, (), severity, admitted.label)


def place(admitted: Admitted, intent: Intent) -> Place:
    """Where to look: the wish if it stands beside the workload, else the pods."""
    return intent.place or admitted.workload.at((), Part.KEY)


def wished(wish: Wish) -> str:
    """What a wish says of pods, as a clause behind their name."""
    match wish:
        case OfClass(name):
            return f"is {name}, as expected,"
        case OfPriority(sign, value):
            return f"has priority {sign}{value}, as expected,"
        case Fits(nodes):
            return f"fits on {listing(nodes)}, as expected,"
        case Outlives():
            return "outlives what it is expected to outlive"
        case KilledAfter():
            return "is killed after what is expected to be killed first"
        case Protected():
            return "is protected from eviction for memory, as expected,"
        case Misstated(key):
            return f"is as {key} says"
