"""QOS401: pods may be evicted, or evicted before others, although somebody rules that out."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import Problem
from qoslint.model.expect.outlives import outlives
from qoslint.model.expect.problems import problems
from qoslint.model.expect.protected import protected
from qoslint.model.judged import JudgedCluster


def check_cluster(cluster: JudgedCluster) -> Iterator[Problem]:
    """One problem for each wish, with usages of one node that show it."""
    yield from problems(outlives(cluster))
    yield from problems(protected(cluster))
