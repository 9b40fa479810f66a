"""QOS108: the pods of one workload have different classes in different clusters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from qoslint.finding import OBJECT, Problem, Related
from qoslint.kernel.qos import QOSClass
from qoslint.model.counterparts import counterparts
from qoslint.model.effective import Admitted
from qoslint.model.expect.classes import clauses, why_not
from qoslint.model.judged import JudgedCluster
from qoslint.model.wording import listing, some

_STRENGTH = (QOSClass.GUARANTEED, QOSClass.BURSTABLE, QOSClass.BEST_EFFORT)


def check_repository(clusters: tuple[JudgedCluster, ...]) -> Iterator[Problem]:
    """One problem for each workload, where it first has the weakest of its classes."""
    for group in counterparts(clusters):
        found = {qos: [item for item in group if item.qos is qos] for qos in _STRENGTH}
        by_class = {qos: items for qos, items in found.items() if items}
        if len(by_class) > 1:
            yield _problem(by_class)


def _problem(by_class: Mapping[QOSClass, Sequence[Admitted]]) -> Problem:
    strongest, *_, weakest = by_class
    first = by_class[weakest][0]
    reasons = tuple(why_not(first.effective, strongest)) if first.effective else ()
    classes = listing(f"{qos} in {_clusters(items)}" for qos, items in by_class.items())
    place, why = first.workload.at(), ""
    if reasons:
        place = first.at(reasons[0].path)
        why = f" In {first.cluster}, {clauses(reasons)}."
    return Problem(
        place,
        f"{OBJECT} is {classes}.{why}",
        related=tuple(
            Related(items[0].workload.at(), f"{qos} in {_clusters(items)}")
            for qos, items in by_class.items()
            if qos is not weakest
        ),
        about=first.label,
    )


def _clusters(items: Sequence[Admitted]) -> str:
    return some((item.cluster for item in items), len(items))
