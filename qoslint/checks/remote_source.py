"""QOS902: something is rendered from what the repository does not hold."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import ObjectId, Place, Problem
from qoslint.render.plain import Why
from qoslint.source.document import Broken


def check_document(broken: Broken) -> Iterator[Problem]:
    """One problem for each reference that leads out of the repository."""
    if broken.reason is Why.REMOTE:
        place = Place(ObjectId(broken.source.id, broken.number, ()), ())
        yield Problem(place, f"{broken.message}.")
