"""QOS411: what somebody expects holds, and why."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from qoslint.finding import OBJECT, Problem
from qoslint.model.expect.answer import Kept
from qoslint.model.expect.priorities import priorities
from qoslint.model.expect.problems import problem, wished
from qoslint.model.judged import JudgedCluster


def check_cluster(cluster: JudgedCluster) -> Iterator[Problem]:
    """One note for each wish that holds, with the argument."""
    # Imported here, as an opt-in rule is imported by every run.
    from qoslint.model.expect.fits import fits
    from qoslint.model.expect.killed_after import killed_after
    from qoslint.model.expect.outlives import outlives
    from qoslint.model.expect.protected import protected

    of_workloads = chain.from_iterable(map(priorities, cluster.admitted))
    of_nodes = (of(cluster) for of in (fits, outlives, killed_after, protected))
    for admitted, intent, answer in chain(of_workloads, *of_nodes):
        if isinstance(answer, Kept):
            message = f"{OBJECT} {wished(intent.wish).rstrip(',')}: {answer.because}."
            yield problem(admitted, intent, message)
