"""QOS204: the defaults of LimitRanges contradict each other, or what LimitRanges allow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from qoslint.finding import ObjectId, Problem, Related, Severity
from qoslint.model.judged import JudgedCluster
from qoslint.model.limitranges import RefusedDefault, Ruled, disagreements, refused_defaults, ruled
from qoslint.model.step import Step, name_of, order_phrase, place_of
from qoslint.model.wording import filled_in, listing, some


def check_cluster(judged: JudgedCluster) -> Iterator[Problem]:
    """One problem for each refused default, else one if an undefined order decides a default."""
    cluster = judged.cluster
    checked = {obj.id: f"{obj.kind} {cluster.qualified_name(obj)}" for obj in cluster.objects}
    for each in ruled(cluster):
        refused = (_refused(each, default) for default in refused_defaults(each))
        for problem in refused if each.always_refused else _disagreement(each):
            yield from _placed(problem, checked)


def _refused(each: Ruled, default: RefusedDefault) -> Problem:
    rejection, steps = default.rejection, default.steps
    by = [f"{name} fills in {filled_in(list(group))}" for name, group in groupby(steps, _by)]
    places = list(_fields(steps))
    who = "the API server"
    if rejection.cause:
        who = name_of(rejection.cause, each.given, each.namespace)
        places.append(Related(place_of(rejection.cause, each.given), f"{who} refuses it"))
    alone = all(step.by == who for step in steps)
    refuses = " and refuses that itself" if alone else f", which {who} refuses"
    pods = "A pod of one container" if default.may_be_one_of_many else "A pod with a container"
    return Problem(
        places[0].place,
        f"{listing(by)}{refuses}: {rejection.message}. {pods} that states none of it cannot be "
        "created.",
        tuple(places),
        Severity.WARNING if default.may_be_one_of_many else None,
    )


def _disagreement(each: Ruled) -> Iterator[Problem]:
    found = disagreements(each)
    steps = [step for rivals in found.values() for step in rivals]
    if not steps:
        return
    first, *others = dict.fromkeys(map(_by, steps))
    other = others[0] if len(others) == 1 else f"{len(others)} more"
    values = [
        f"{field}.{name} {' or '.join(step.after for step in rivals)}"
        for (field, name), rivals in found.items()
    ]
    refused = next((outcome for outcome in each.outcomes if outcome.rejections), None)
    consequence = "Two pods of one workload can get different values."
    if refused:
        consequence = (
            f"If {order_phrase(refused, each.given)}, a pod with a container that states none of "
            f"it is refused: {refused.rejections[0].message}."
        )
    places = tuple(_fields(steps))
    yield Problem(
        places[0].place,
        f"{first} and {other} fill in {some(values, len(values))}, and Kubernetes applies them in "
        f"no defined order. {consequence}",
        places,
        None if refused else Severity.WARNING,
    )


def _by(step: Step) -> str:
    return step.by


def _fields(steps: list[Step] | tuple[Step, ...]) -> Iterator[Related]:
    for step in steps:
        if step.cause:
            yield Related(step.cause, f"{step.by} fills in {filled_in([step])}")


def _placed(problem: Problem, checked: Mapping[ObjectId, str]) -> Iterator[Problem]:
    """The problem at the first of its places that findings may be about, if any."""
    for place, _ in problem.related:
        if place.object in checked:
            others = tuple(each for each in problem.related if each.place != place)
            about = checked[place.object]
            yield problem._replace(place=place, related=others, about=about)
            return
