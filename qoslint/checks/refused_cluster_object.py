"""QOS214: a LimitRange, PriorityClass, RuntimeClass or ResourceQuota that cannot exist."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem
from qoslint.model.refusals import is_reserved_priority
from qoslint.model.subject import Stated
from qoslint.span import value_at


def check_object(stated: Stated) -> Iterator[Problem]:
    """One problem for each reason that the API server has.

    Quantities are QOS702's, and the names and values of the system's PriorityClasses QOS310's.
    Complaints about a default that was derived from an authored key repeat those about that key.
    """
    unreadable = {authored.path for authored in stated.unreadable}
    errors = [
        error
        for error in stated.errors
        if error.path not in unreadable and not is_reserved_priority(error)
    ]
    authored = [error for error in errors if value_at(stated.object.data, error.path) is not None]
    for error in authored or errors:
        yield Problem(
            stated.object.at(error.path),
            f"The API server refuses {OBJECT}, so it has no effect: {error.message.rstrip('.')}.",
        )
