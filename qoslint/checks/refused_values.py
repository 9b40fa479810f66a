"""QOS907: a chart that is not here is given values of which the API server refuses the pods."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.errors import question
from qoslint.finding import OBJECT, Part, Problem, Related
from qoslint.model.quantities import Authored
from qoslint.model.subject import Stated
from qoslint.model.wording import resource_name
from qoslint.span import field_path


def check_object(stated: Stated) -> Iterator[Problem]:
    """One problem for each request above its limit, and for each PriorityClass that is nowhere."""
    if not stated.unadmitted:
        return
    amounts = {each.path: each for each in (*stated.bytes, *stated.cores)}
    for limit in amounts.values():
        *block, kind, resource = limit.path
        request = amounts.get((*block, "requests", resource))
        if kind == "limits" and request and _is_above(request, limit):
            yield Problem(
                stated.object.at(request.path, Part.VALUE),
                f"The values of {OBJECT} state a {resource_name(request.resource)} request of "
                f"{request.value} above the limit of {limit.value} in {field_path(tuple(block))}: "
                "the API server refuses a container that gets both.",
                related=(Related(stated.object.at(limit.path, Part.VALUE), "the limit"),),
            )
    for each in stated.unknown_classes:
        yield Problem(
            stated.object.at(each.path, Part.VALUE),
            f"The values of {OBJECT} name PriorityClass {each.name!r}, which is not in the files "
            "of the cluster: unless the chart brings it along, the API server refuses the pods "
            f"that name it.{question(each.name, each.known)}",
        )


def _is_above(request: Authored, limit: Authored) -> bool:
    low, high = request.quantity, limit.quantity
    return low is not None and high is not None and low.nanos > high.nanos
