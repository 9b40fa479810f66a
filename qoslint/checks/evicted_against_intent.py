"""QOS401: pods may be evicted, or evicted before others, although somebody rules that out."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import Problem
from qoslint.model.expect.answer import asked
from qoslint.model.expect.intent import Outlives, Protected
from qoslint.model.expect.problems import problems
from qoslint.model.judged import JudgedCluster


def check_cluster(cluster: JudgedCluster) -> Iterator[Problem]:
    """One problem for each wish, with usages of one node that show it."""
    if not asked(cluster, Outlives, Protected):
        return
    # Imported here: most runs rank no pods.
    from qoslint.model.expect.outlives import outlives
    from qoslint.model.expect.protected import protected

    yield from problems(outlives(cluster))
    yield from problems(protected(cluster))
