"""QOS151: injected containers take a pod out of the class Guaranteed."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem
from qoslint.model.effective import Admitted
from qoslint.model.injected import Breaking, breaking
from qoslint.model.wording import listing, obstacle_phrase


def check_workload(admitted: Admitted) -> Iterator[Problem]:
    """One problem for each injector; where annotations set sizes in part, QOS153 tells."""
    found = breaking(admitted)
    if any(each.acting.given for each in found):
        return
    for acting in dict.fromkeys(each.acting for each in found):
        mine = [each for each in found if each.acting is acting]
        yield Problem(
            admitted.place_of(acting.asked),
            f"{OBJECT} is Guaranteed as written and runs as Burstable: {acting.injector.name} adds "
            f"{listing(_described(mine))}. {_help(mine)}",
        )


def _described(found: list[Breaking]) -> Iterator[str]:
    """The containers, those with the same obstacles together."""
    alike: dict[str, list[str]] = {}
    for each in found:
        what = listing(map(obstacle_phrase, each.obstacles))
        alike.setdefault(what, []).append(repr(each.container.name))
    for what, names in alike.items():
        noun = "container" if len(names) == 1 else "containers"
        yield f"{noun} {listing(names)} with {what}"


def _help(found: list[Breaking]) -> str:
    keys = dict.fromkeys(key for each in found for key in each.annotations)
    if not keys:
        return "No annotation sets its size; the injector's own configuration has to."
    return f"Annotations that set sizes: {', '.join(keys)}."
