"""QOS402: a pod may go before others of lower priority, as only it can exceed its request."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem
from qoslint.kernel.pod import MEMORY
from qoslint.kernel.signals import Signal
from qoslint.model.expect.pairs import amount
from qoslint.model.inversions import inversions
from qoslint.model.judged import JudgedCluster
from qoslint.model.limits import loosest
from qoslint.model.wording import counted, some


def check_cluster(judged: JudgedCluster) -> Iterator[Problem]:
    """One problem for each such pod, at the container that can exceed its request by the most."""
    for higher, own, lower, number, node, shown in inversions(judged):
        admitted, loose = higher.admitted, loosest(higher.verdict, MEMORY)
        names = (
            f"{each.admitted.label} ({each.verdict.effective.pod.priority or 0})" for each in lower
        )
        yield Problem(
            admitted.at((*loose.path, "requests", MEMORY) if loose else ()),
            f"{OBJECT} has priority {own.priority} and requests {own.request.canonical()} of "
            f"memory. At {amount(shown.first, Signal.MEMORY)} it goes, when a node {node} that "
            "they share runs low on memory, before the pods of "
            f"{counted(number, 'workload')} of lower priority which cannot use more than they "
            f"request: {some(names, number)}. Whether a pod exceeds its request is compared before "
            "its priority.",
            about=admitted.label,
        )
