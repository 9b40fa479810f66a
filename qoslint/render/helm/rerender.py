"""Renders beyond the first, within what one chart may cost; those of several charts go together.

Who wants more renders is a generator: it yields rounds of trials, and is sent what they render to.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypeVar

from qoslint.render.helm import embedded, program
from qoslint.render.helm.asking import Answer, Request, request
from qoslint.render.helm.prepare import Prepared
from qoslint.render.helm.records import Engine
from qoslint.render.helm.values import Values
from qoslint.workers import LIMITS

MOST_RENDERS = 200
MOST_SECONDS = 10
_AT_ONCE = 50

_Result = TypeVar("_Result")


class Budget:
    """What is left of the renders and the seconds of one chart.

    Seconds are of processor time, so that a busy machine finds the same.
    """

    def __init__(self) -> None:
        """Nothing is spent yet."""
        self._renders = MOST_RENDERS
        self._seconds = float(MOST_SECONDS)

    @property
    def is_spent(self) -> bool:
        """Whether nothing more is rendered."""
        return self._renders <= 0 or self._seconds <= 0

    def spend(self, seconds: float, renders: int = 0) -> None:
        """Count what was used."""
        self._seconds -= seconds
        self._renders -= renders


class Trial(NamedTuple):
    """One more render: of a copy, with these values."""

    folder: Path
    given: Values


class Round(NamedTuple):
    """Trials of one chart that need not wait for each other."""

    budget: Budget
    prepared: Prepared
    trials: Sequence[Trial]


Texts: TypeAlias = Mapping[str, str]
"""What a trial renders to, by the names of templates: nothing where it fails."""

Trying: TypeAlias = Generator[Round, Sequence[Texts], _Result]
"""Is sent what each trial of a round renders to, nothing where the budget is spent."""


def rerender(
    budget: Budget, prepared: Prepared, trials: Sequence[Trial]
) -> Trying[Sequence[Texts]]:
    """What each trial renders to."""
    return (yield Round(budget, prepared, trials))


def together(
    tryings: Sequence[Trying[_Result]], checkout: Path, engine: Engine
) -> Sequence[_Result]:
    """What each comes to. The rounds of all are rendered together: a process is dear to start."""
    results: dict[int, _Result] = {}
    waiting: dict[int, Round] = {}

    def go_on(number: int, answers: Sequence[Texts] | None) -> None:
        started = time.process_time()
        trying = tryings[number]
        try:
            turn = next(trying) if answers is None else trying.send(answers)
        except StopIteration as end:
            results[number] = end.value
        else:
            waiting[number] = turn
            turn.budget.spend(time.process_time() - started)

    for number in range(len(tryings)):
        go_on(number, None)
    while waiting:
        rounds, waiting = waiting, {}
        for number, answers in _rendered(rounds, checkout, engine).items():
            go_on(number, answers)
    return [results[number] for number in range(len(tryings))]


def _rendered(
    rounds: Mapping[int, Round], checkout: Path, engine: Engine
) -> Mapping[int, Sequence[Texts]]:
    """What the trials of each round render to, those of all rounds asked for in common."""
    found: dict[int, list[Texts]] = {number: [] for number in rounds}
    left = [
        (number, request(turn.prepared, str(trial.folder), trial.given))
        for number, turn in rounds.items()
        for trial in turn.trials
    ]
    while left := [(number, each) for number, each in left if not rounds[number].budget.is_spent]:
        done = 0
        answers = _asked([each for _, each in left[:_AT_ONCE]], checkout, engine)
        for (number, _), answer in zip(left, answers, strict=False):
            found[number].append(answer.templates)
            done += 1
            rounds[number].budget.spend(answer.seconds, renders=1)
            if rounds[number].budget.is_spent:
                break
        left = left[done:]
    return {
        number: found[number] + [{}] * (len(turn.trials) - len(found[number]))
        for number, turn in rounds.items()
    }


def _asked(requests: Sequence[Request], checkout: Path, engine: Engine) -> Iterator[Answer]:
    ask = embedded.ask if engine.name == "embedded" else program.ask
    return ask(engine.command, checkout, requests, LIMITS._replace(cpu_seconds=MOST_SECONDS))
