"""QOS302: PriorityClasses of which only one can have its way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qoslint.finding import Problem, Related, Severity
from qoslint.kernel.jsonvalue import DecodeError
from qoslint.kernel.priority import KIND, PriorityClass, decode_priority_class, default_classes
from qoslint.model.judged import JudgedCluster
from qoslint.model.objects import KubeObject
from qoslint.model.priorities import stated_classes


def check_cluster(judged: JudgedCluster) -> Iterator[Problem]:
    """One problem for each default that does not count, and for each class defined in two ways."""
    yield from _defaults(judged)
    for definitions in judged.cluster.contradictory:
        if definitions[0].kind == KIND:
            yield from _definitions(definitions)


def _defaults(judged: JudgedCluster) -> Iterator[Problem]:
    stated = stated_classes(judged.cluster)
    counting = default_classes([each.record for each in stated])
    if not counting or not judged.cluster.environment:
        return
    winner = stated[counting[0]]
    losers = [each for each in stated if each.record.global_default and each is not winner]
    checked = frozenset(judged.cluster.objects)
    if len(counting) > 1:
        outcome = "which one counts is not defined"
    else:
        outcome = f"{winner.record.name} counts, for its value is the lowest"
    # Where all others are only context, the one that counts is what can be changed here.
    shown = [each for each in losers if each.object in checked]
    if not shown and winner.object in checked:
        shown = [winner] if losers else []
    for each in shown:
        other = losers[0] if each is winner else winner
        yield Problem(
            each.object.at(("globalDefault",)),
            f"PriorityClass {each.record.name} ({each.record.value}) and PriorityClass "
            f"{other.record.name} ({other.record.value}) are both globalDefault. The API server "
            f"refuses to create a second one; in a cluster that has both, {outcome}.",
            related=(Related(other.object.at(("globalDefault",)), "the other default"),),
            severity=None if judged.cluster.complete else Severity.WARNING,
            about=f"{KIND} {each.record.name}",
        )


def _definitions(definitions: Sequence[KubeObject]) -> Iterator[Problem]:
    """The last definition, if it gives pods something else than an earlier one."""
    *earlier, last = definitions
    try:
        records = [decode_priority_class(each.data) for each in definitions]
    except DecodeError:
        return  # QOS214 says so
    *others, record = records
    for other, obj in zip(others, earlier, strict=True):
        for field, path, fixed in _differences(other, record):
            consequence = (
                "cannot be changed once the class exists, so the API server refuses the one that "
                "comes second"
                if fixed
                else "is that of the one that is applied last"
            )
            yield Problem(
                last.at(path),
                f"PriorityClass {last.name} is defined twice in one cluster, with {field}. "
                f"The field {consequence}.",
                related=(Related(obj.at(path), "the other definition"),),
                severity=None if fixed else Severity.WARNING,
                about=f"{KIND} {last.name}",
            )
            return


def _differences(
    one: PriorityClass, other: PriorityClass
) -> Iterator[tuple[str, tuple[str], bool]]:
    """What differs: in words, the field, and whether it is immutable for good."""
    if one.value != other.value:
        yield f"value {one.value} and value {other.value}", ("value",), True
    if one.preemption_policy != other.preemption_policy:
        words = f"preemptionPolicy {one.preemption_policy} and {other.preemption_policy}"
        yield words, ("preemptionPolicy",), True
    if one.global_default != other.global_default:
        yield "globalDefault true and false", ("globalDefault",), False
