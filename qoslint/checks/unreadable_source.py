"""QOS901: a file or one document of it could not be read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from qoslint.finding import ObjectId, Place, Problem, Severity
from qoslint.render.plain import Why
from qoslint.source.document import Broken

_SEVERITY: Mapping[object, Severity | None] = {
    Why.UNRENDERED: None,
    Why.UNSUPPORTED: Severity.WARNING,
}
"""What is not rendered: for an error in it, or because nothing here renders such things."""


def check_document(broken: Broken) -> Iterator[Problem]:
    """One problem for a document that does not parse, unless it was never meant to as it stands.

    A template, say: the summary counts it as not understood. What cannot be rendered is one, too.
    """
    place = Place(ObjectId(broken.source.id, broken.number, ()), ())
    if broken.reason in _SEVERITY:
        yield Problem(place, f"{broken.message}.", severity=_SEVERITY[broken.reason])
    elif broken.reason is None:
        yield Problem(place, f"This document cannot be read: {broken.message}.")
