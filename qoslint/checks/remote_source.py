"""QOS902: something is rendered from what the repository does not hold."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import ObjectId, Place, Problem, Severity
from qoslint.source.document import Broken


def check_document(broken: Broken) -> Iterator[Problem]:
    """One problem for each reference that leads out of the repository; those to one are one.

    To deploy the published charts of others is common practice: that of these is a note.
    """
    remote = broken.remote
    if remote is not None:
        place = Place(ObjectId(broken.source.id, broken.number, ()), ())
        severity = Severity.NOTE if remote.is_chart else None
        yield Problem(place, f"{broken.message}.", severity=severity, shared=remote.address)
