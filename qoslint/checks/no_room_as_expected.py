"""QOS809: a node profile has no room for pods that somebody declared to fit."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import Problem
from qoslint.model.expect.answer import asked
from qoslint.model.expect.intent import Fits
from qoslint.model.expect.problems import problems
from qoslint.model.judged import JudgedCluster


def check_cluster(cluster: JudgedCluster) -> Iterator[Problem]:
    """One problem for each wish, for the first node without room."""
    if not asked(cluster, Fits):
        return
    # Imported here: most runs place no pods.
    from qoslint.model.expect.fits import fits

    yield from problems(fits(cluster))
