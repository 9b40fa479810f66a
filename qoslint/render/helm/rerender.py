"""Renders beyond the first, within what one chart may cost."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from qoslint.render.helm import embedded, program
from qoslint.render.helm.asking import request
from qoslint.render.helm.prepare import Prepared
from qoslint.render.helm.records import Engine
from qoslint.render.helm.values import Values
from qoslint.workers import LIMITS

MOST_RENDERS = 200
MOST_SECONDS = 10
_AT_ONCE = 50


class Budget:
    """What is left of the renders and the seconds of one chart."""

    def __init__(self, engine: Engine, checkout: Path) -> None:
        """The clock starts now."""
        self.engine = engine
        self.checkout = checkout
        self.renders = MOST_RENDERS
        self.ends = time.monotonic() + MOST_SECONDS

    def seconds(self) -> int:
        """How many whole seconds are left, none if all renders are spent."""
        return max(0, int(self.ends - time.monotonic())) if self.renders else 0


def rerender(
    budget: Budget, prepared: Prepared, folder: Path, given: Iterable[Values]
) -> list[Mapping[str, str]]:
    """What a copy renders to with each of the values; empty where it fails.

    The list ends early where the budget does.
    """
    ask = embedded.ask if budget.engine.name == "embedded" else program.ask
    requests = [request(prepared, str(folder), each) for each in given]
    found: list[Mapping[str, str]] = []
    while len(found) < len(requests) and budget.seconds():
        some = requests[len(found) : len(found) + min(_AT_ONCE, budget.renders)]
        budget.renders -= len(some)
        seconds = budget.seconds() or 1
        limits = LIMITS._replace(seconds=seconds, cpu_seconds=seconds)
        for answer in ask(budget.engine.command, budget.checkout, some, limits):
            found.append(answer.templates)
            if not budget.seconds():
                break
    return found
