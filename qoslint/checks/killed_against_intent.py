"""QOS502: the kernel may kill pods before others although somebody rules that out."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import Problem
from qoslint.model.expect.answer import asked
from qoslint.model.expect.intent import KilledAfter
from qoslint.model.expect.problems import problems
from qoslint.model.judged import JudgedCluster


def check_cluster(cluster: JudgedCluster) -> Iterator[Problem]:
    """One problem for each wish, with the scores of two pods on one node."""
    if not asked(cluster, KilledAfter):
        return
    # Imported here: most runs compare no pods.
    from qoslint.model.expect.killed_after import killed_after

    yield from problems(killed_after(cluster))
