"""Which of the inputs that differ made a pod another one: those without which it were not."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from qoslint.finding import Part
from qoslint.model.change.facets import Facets, differences
from qoslint.model.change.inputs import (
    Differing,
    Sides,
    candidates,
    inputs,
    outcome,
    template_causes,
)
from qoslint.model.change.record import Cause, CauseKind, Difference, Edit, Facet, Side, Sided, What


def causes(sides: Sides, found: Iterable[Difference], given: Differing) -> tuple[Cause, ...]:
    """The inputs that differ and matter to what was found to differ.

    An input matters if the pod would be another one without its change. Where two changes have the
    same effect neither matters alone; then all are named.
    """
    before, after = sides.before.effective, sides.after.effective
    wanted = {each.facet for each in found}
    if before is None or after is None:
        return tuple(template_causes(sides)) or (_unknown(sides),)
    possible = list(candidates(sides, before, after, given))
    if len(possible) > 1:
        whole = outcome(after, inputs(after, sides.later))
        mattering = [
            each for each in possible if _differs(whole, outcome(after, each.reverted), wanted)
        ]
        possible = mattering or possible
    return tuple(each.cause for each in possible) or (_unknown(sides),)


def _differs(whole: Facets, without: Facets, wanted: Collection[Facet]) -> bool:
    return any(each.facet in wanted for each in differences(without, whole))


def _unknown(sides: Sides) -> Cause:
    """What is not known of the pods at one revision, or what only names decide."""
    thing = sides.after.workload.object
    at = Sided(Side.HEAD, thing.at(("metadata", "name"), Part.VALUE))
    old = ", ".join(sides.before.unknowns) or None
    new = ", ".join(sides.after.unknowns) or None
    edit = Edit("", old, new, at)
    return Cause(CauseKind.UNKNOWN, sides.after.label, What.CHANGED, (edit,))
