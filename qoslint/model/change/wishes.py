"""Whether what somebody expects of pods holds at each revision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from qoslint.kernel.qos import QOSClass
from qoslint.model.change.record import Expectation
from qoslint.model.effective import Admitted
from qoslint.model.expect.answer import Broken, Judgement, Kept, asked
from qoslint.model.expect.classes import unmet
from qoslint.model.expect.intent import (
    Fits,
    KilledAfter,
    Misstated,
    OfClass,
    Outlives,
    Protected,
    Wish,
)
from qoslint.model.expect.priorities import priorities
from qoslint.model.expect.problems import wished
from qoslint.model.judged import JudgedCluster

KEPT = "kept"
BROKEN = "broken"
UNKNOWN = "unknown"
REFUSED = "refused"


class Status(NamedTuple):
    """Whether a wish holds, and why."""

    state: str
    because: str


Statuses = Mapping[tuple[int, Wish], Status]
"""By the identity of the admitted workload, and the wish."""


def statuses(cluster: JudgedCluster | None) -> Statuses:
    """Whether each wish of a cluster holds."""
    if cluster is None:
        return {}
    found: dict[tuple[int, Wish], Status] = {}
    for admitted in cluster.admitted:
        for intent in admitted.intents:
            if isinstance(intent.wish, OfClass):
                found[id(admitted), intent.wish] = _of_class(admitted, intent.wish)
            elif not isinstance(intent.wish, Misstated):
                found[id(admitted), intent.wish] = Status(REFUSED, "the pods are refused")
    found.update(
        ((id(each.admitted), each.intent.wish), _status(each)) for each in _judgements(cluster)
    )
    return found


def _judgements(cluster: JudgedCluster) -> Iterator[Judgement]:
    yield from chain.from_iterable(map(priorities, cluster.admitted))
    if not asked(cluster, Fits, Outlives, KilledAfter, Protected):
        return
    # Imported here: most runs rank no pods.
    from qoslint.model.expect.fits import fits
    from qoslint.model.expect.killed_after import killed_after
    from qoslint.model.expect.outlives import outlives
    from qoslint.model.expect.protected import protected

    for of in (fits, outlives, killed_after, protected):
        yield from of(cluster)


def _status(judgement: Judgement) -> Status:
    match judgement.answer:
        case Kept(because):
            return Status(KEPT, because)
        case Broken(because):
            return Status(BROKEN, because)
        case doubt:
            return Status(UNKNOWN, doubt.because)


def _of_class(admitted: Admitted, wish: OfClass) -> Status:
    if wish.name not in list(QOSClass):
        return Status(UNKNOWN, f"{wish.name!r} is no class")
    if admitted.admitted is False:
        return Status(REFUSED, "the pods are refused")
    missed = unmet(admitted, QOSClass(wish.name))
    if missed is None:
        return Status(KEPT, f"it is {wish.name}")
    return Status(BROKEN if missed.proven else UNKNOWN, missed.because)


def expectations(
    before: Admitted | None, after: Admitted, old: Statuses, new: Statuses
) -> Iterator[Expectation]:
    """The wishes of a workload whose answer is another one now, or that are new."""
    for wish in dict.fromkeys(intent.wish for intent in after.intents):
        now = new.get((id(after), wish))
        was = old.get((id(before), wish)) if before else None
        if now and (was is None or was.state != now.state):
            state = was.state if was else ""
            clause = wished(wish).removesuffix(", as expected,")
            yield Expectation(clause, state, now.state, now.because)
