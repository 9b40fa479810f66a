"""Whether pods have the priority that somebody wants."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT
from qoslint.model.effective import Admitted
from qoslint.model.expect.answer import Answer, Broken, Doubt, Judgement, Kept
from qoslint.model.expect.intent import OfPriority
from qoslint.model.expect.known import why_unknown


def priorities(admitted: Admitted) -> Iterator[Judgement]:
    """The judgement on each wish of that kind; none for pods that are refused."""
    for intent in admitted.intents if admitted.admitted is not False else ():
        if isinstance(intent.wish, OfPriority):
            yield Judgement(admitted, intent, _answer(admitted, intent.wish))


def _answer(admitted: Admitted, wish: OfPriority) -> Answer:
    if doubt := why_unknown(admitted):
        return Doubt(doubt)
    assert admitted.effective is not None, "what the pods are is known"
    pod = admitted.effective.pod
    priority = pod.priority or 0
    given = (
        f"of PriorityClass {pod.priority_class_name}"
        if pod.priority_class_name
        else ("since it names no PriorityClass and none is the default")
    )
    if wish.holds(priority):
        return Kept(f"its priority is {priority}, {given}")
    return Broken(
        f"{OBJECT} shall have priority {wish.sign}{wish.value}, and has {priority}, {given}."
    )
