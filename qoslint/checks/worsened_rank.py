"""QOS002: the change lets pods be evicted before others that surely went first."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Part, Problem
from qoslint.model.change.record import RankChange, WorkloadChange
from qoslint.model.change.words import because
from qoslint.model.subject import Options
from qoslint.model.wording import some


def check_change(change: WorkloadChange, options: Options) -> Iterator[Problem]:
    """One problem for the node profile on which the most places are lost."""
    worst = max(change.ranks, key=_lost, default=None)
    if worst is None or change.after is None or _lost(worst) < options["places"]:
        return
    who = some(worst.overtaken, _lost(worst)) if worst.overtaken else "other pods"
    why = because(change) if change.causes else "their requests, limits or priorities changed"
    yield Problem(
        change.line if change.causes else change.after.workload.at((), Part.KEY),
        f"On node {worst.node}, {OBJECT} may be evicted for memory before {who}, which surely went "
        f"first: at the earliest it is {worst.after.earliest} of {worst.pods} instead of "
        f"{worst.before.earliest}, since {why}.",
    )


def _lost(ranks: RankChange) -> int:
    return ranks.before.earliest - ranks.after.earliest
