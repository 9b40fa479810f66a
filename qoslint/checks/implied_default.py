"""QOS206: the bound of a LimitRange becomes what every bare container requests."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from qoslint.finding import Part, Place, Problem
from qoslint.model.judged import JudgedCluster
from qoslint.model.limitranges import ruled
from qoslint.model.step import Step
from qoslint.model.wording import listing, resource_name, some

_CONSEQUENCE = {
    "max": "as much as any may have, and is held to it",
    "min": "as little as any may have",
}


def check_cluster(judged: JudgedCluster) -> Iterator[Problem]:
    """One problem for each max or min whose values become requests, with all that they fill in.

    Where LimitRanges disagree or refuse what they fill in there is nothing that bare containers
    get.
    """
    checked = frozenset(obj.id for obj in judged.cluster.objects)
    for each in ruled(judged.cluster):
        if len(each.outcomes) > 1 or each.always_refused:
            continue
        steps = sorted(filter(_is_implied, each.steps(each.outcomes[0])), key=_field)
        for place, group in groupby(steps, key=_field):
            requests = [step for step in group if step.path[-2] == "requests"]
            if requests and place.object in checked:
                names = [resource_name(str(step.path[-1])) for step in requests]
                amounts = [f"{step.path[-1]} {step.after}" for step in requests]
                by, bound = requests[0].by, str(place.path[-1])
                yield Problem(
                    place,
                    f"{by} has a {bound} and no default for {listing(names)}, so the API server "
                    "makes it the default: every container that states nothing reserves "
                    f"{some(amounts, len(amounts))}, {_CONSEQUENCE[bound]}.",
                    about=by,
                )


def _is_implied(step: Step) -> bool:
    return step.cause is not None and step.cause.path[-2] in _CONSEQUENCE


def _field(step: Step) -> Place:
    """The `max` or `min` that a value comes from."""
    assert step.cause
    return Place(step.cause.object, step.cause.path[:-1], Part.KEY)
