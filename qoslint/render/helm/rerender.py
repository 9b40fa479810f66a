"""Renders beyond the first, within what one chart may cost."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from qoslint.render.helm import embedded, program
from qoslint.render.helm.asking import request
from qoslint.render.helm.prepare import Prepared
from qoslint.render.helm.records import Engine
from qoslint.render.helm.values import Values
from qoslint.workers import LIMITS

MOST_RENDERS = 200
MOST_SECONDS = 10
_AT_ONCE = 50


class Trial(NamedTuple):
    """One more render: of a copy, with these values."""

    folder: Path
    given: Values


class Budget:
    """What is left of the renders and the seconds of one chart.

    Seconds are of processor time, so that a busy machine finds the same.
    """

    def __init__(self, engine: Engine, checkout: Path) -> None:
        """The clock starts now."""
        self.engine = engine
        self.checkout = checkout
        self.renders = MOST_RENDERS
        self._ends = _processor_time() + MOST_SECONDS

    def seconds(self) -> int:
        """How many whole seconds are left, none if all renders are spent."""
        return max(0, int(self._ends - _processor_time())) if self.renders else 0


def _processor_time() -> float:
    """Of this process and of those that it started and that have ended."""
    return sum(os.times()[:4])


def rerender(
    budget: Budget, prepared: Prepared, trials: Sequence[Trial]
) -> list[Mapping[str, str]]:
    """What each trial renders to, nothing where it fails or the budget is spent."""
    ask = embedded.ask if budget.engine.name == "embedded" else program.ask
    requests = [request(prepared, str(each.folder), each.given) for each in trials]
    found: list[Mapping[str, str]] = []
    while len(found) < len(requests) and budget.seconds():
        some = requests[len(found) : len(found) + min(_AT_ONCE, budget.renders)]
        budget.renders -= len(some)
        limits = LIMITS._replace(cpu_seconds=budget.seconds() or 1)
        for answer in ask(budget.engine.command, budget.checkout, some, limits):
            found.append(answer.templates)
            if not budget.seconds():
                break
    return found + [{}] * (len(requests) - len(found))
