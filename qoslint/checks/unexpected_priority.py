"""QOS313: pods have another priority than somebody declared."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import Problem
from qoslint.model.effective import Admitted
from qoslint.model.expect.priorities import priorities
from qoslint.model.expect.problems import problems


def check_workload(admitted: Admitted) -> Iterator[Problem]:
    """One problem for each wish that does not hold."""
    yield from problems(priorities(admitted))
