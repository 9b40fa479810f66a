"""Whether the pods of a workload are of the class that somebody wants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from qoslint.finding import Part, Related
from qoslint.kernel.guaranteed import Block, deciding_blocks, obstacles
from qoslint.kernel.pod import CPU, MEMORY, Path
from qoslint.kernel.qos import QOSClass
from qoslint.model.effective import Admitted, Effective
from qoslint.model.verdict import causes
from qoslint.model.wording import listing, obstacle_phrase, owner
from qoslint.model.workloads import UNKNOWN_KIND

_SHOWN = 4


class Unmet(NamedTuple):
    """That pods are not of the wanted class or, unless `proven`, that it is not known."""

    proven: bool
    because: str
    """The class they have and why, as a clause to follow `is expected to be Guaranteed`."""
    places: tuple[Related, ...] = ()
    """Each block of resources that stands in the way, and what filled it in."""


def unmet(admitted: Admitted, wanted: QOSClass) -> Unmet | None:
    """Why the pods are not of the class, or why that is not known.

    None if they are, or are refused: which class refused pods would have is no answer to anybody.
    """
    if admitted.admitted is False:
        return None
    if doubt := _doubt(admitted):
        return Unmet(proven=False, because=doubt)
    effective = admitted.effective
    if effective is None or effective.classes == (wanted,):
        return None
    found = " or ".join(effective.classes)
    if wanted in effective.classes:
        return Unmet(proven=False, because=f"it is {found}, {_depending(effective)}")
    reasons = tuple(why_not(effective, wanted))
    return Unmet(
        proven=True,
        because=f"it is {found}, since {clauses(reasons)}",
        places=tuple(_places(admitted, effective, reasons)),
    )


def _depending(effective: Effective) -> str:
    """What decides between the possible classes."""
    uncertain = effective.injection.uncertain
    if uncertain:
        names = listing(dict.fromkeys(each.by for each in uncertain))
        return f"depending on what {names} {'does' if len(uncertain) == 1 else 'do'} to the pods"
    return "depending on an order that Kubernetes leaves undefined"


class Hindrance(NamedTuple):
    """A block of resources that stands in the way of a class; without path where none does."""

    path: Path
    text: str


def why_not(effective: Effective, wanted: QOSClass) -> Iterator[Hindrance]:
    """What keeps a pod of another class from being of the wanted one, block by block."""
    features = effective.given.scope.features
    match wanted:
        case QOSClass.GUARANTEED:
            found = obstacles(effective.pod, features)
            for path, group in groupby(found, key=lambda obstacle: obstacle.path):
                blocked = tuple(group)
                phrases = listing(map(obstacle_phrase, blocked))
                yield Hindrance(path, f"{owner(blocked[0].container)} has {phrases}")
        case QOSClass.BEST_EFFORT:
            for block in deciding_blocks(effective.pod, features):
                yield from _counted(block)
        case QOSClass.BURSTABLE if QOSClass.BEST_EFFORT in effective.classes:
            *_, last = deciding_blocks(effective.pod, features)  # no init container
            yield Hindrance(last.path, "nothing has a CPU or memory request or limit above zero")
        case QOSClass.BURSTABLE:
            yield Hindrance((), "all CPU and memory requests equal their limits")


def clauses(reasons: Sequence[Hindrance]) -> str:
    """The first few reasons, as one clause."""
    shown = "; ".join(reason.text for reason in reasons[:_SHOWN])
    more = len(reasons) - _SHOWN
    return f"{shown}; and {more} more" if more > 0 else shown


def _doubt(admitted: Admitted) -> str:
    """Why it is not known what the pods are like, as a clause; empty if it is."""
    effective, workload = admitted.effective, admitted.workload
    if effective is None:
        return f"it depends on what is not known: {', '.join(admitted.hidden)}"
    seen = f"it is {' or '.join(effective.classes)} as the template stands"
    if workload.partial:
        return f"{seen}, but {workload.partial}"
    if UNKNOWN_KIND in workload.tags:
        return f"{seen}, but what the controller of a {workload.object.kind} makes of it is unknown"
    if len(effective.classes) == 1 and admitted.qos is None:
        return f"it depends on what is not known: {', '.join(admitted.unknowns)}"
    return ""


def _counted(block: Block) -> Iterator[Hindrance]:
    """All requests and limits of cpu and memory above zero: what counts."""
    requests, limits = block.resources.requests, block.resources.limits
    found = [
        f"{field}.{resource} {amounts[resource]}"
        for field, amounts in (("requests", requests), ("limits", limits))
        for resource in (CPU, MEMORY)
        if resource in amounts and amounts[resource].nanos > 0
    ]
    if found:
        yield Hindrance(block.path, f"{owner(block.container)} has {listing(found)}")


def _places(
    admitted: Admitted, effective: Effective, reasons: tuple[Hindrance, ...]
) -> Iterator[Related]:
    for reason in reasons:
        if reason.path:
            yield Related(admitted.at(reason.path, Part.KEY), reason.text)
            yield from causes(effective, reason.path)
