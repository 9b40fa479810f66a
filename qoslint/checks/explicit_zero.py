"""QOS106: a request or limit of zero decides the class of a pod."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import HERE, OBJECT, Place, Problem, Related
from qoslint.model.uncounted import deciding_zeros
from qoslint.model.verdict import Verdict
from qoslint.model.wording import listing, owner, sentence


def check_pod(verdict: Verdict) -> Iterator[Problem]:
    """One problem at the first zero; the zeros of other containers are related."""
    found, without = deciding_zeros(verdict)
    if not found:
        return
    first = found[0]
    same = [zero for zero in found if zero.container is first.container]
    if without is None:
        why = (
            f"A limit of 0 is no limit: {OBJECT} is {verdict.qos}, and Guaranteed only with "
            "limits above zero"
        )
    else:
        why = (
            "A zero counts for nothing, yet keeps the limit or a LimitRange's default from "
            f"taking its place: {OBJECT} is {verdict.qos}, and {without} without the zeros"
        )
    yield Problem(
        Place(HERE, first.path),
        f"{sentence(owner(first.container))} states {listing(zero.what for zero in same)}. {why}.",
        related=tuple(
            Related(Place(HERE, zero.path), f"{owner(zero.container)} states {zero.what}")
            for zero in found[1:]
        ),
    )
