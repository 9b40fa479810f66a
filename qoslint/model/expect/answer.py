"""Whether a wish holds: kept, with the argument; broken, with what shows it; or not known."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from qoslint.model.effective import Admitted
from qoslint.model.expect.intent import Intent, Wish
from qoslint.model.judged import JudgedCluster


class Kept(NamedTuple):
    """The wish holds."""

    because: str
    """The argument, as a clause."""


class Broken(NamedTuple):
    """The wish does not hold."""

    because: str
    """What shows it, as a sentence with `OBJECT` for the workload."""


class Doubt(NamedTuple):
    """Whether the wish holds is not known."""

    because: str
    """What is not known, as a clause."""


Answer: TypeAlias = Kept | Broken | Doubt


class Judgement(NamedTuple):
    """Whether a wish about the pods of a workload holds."""

    admitted: Admitted
    intent: Intent
    answer: Answer


def asked(cluster: JudgedCluster, *kinds: type[Wish]) -> bool:
    """Whether anybody has a wish of the kinds; most clusters need no further look."""
    return any(isinstance(each.wish, kinds) for item in cluster.admitted for each in item.intents)
