"""Helm's SDK, in child processes that take several charts each and may end at any of them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from qoslint import workers
from qoslint.render.helm.asking import Answer, Request, warnings_of
from qoslint.workers import Ended, Limits

CHILD = Path(__file__).with_name("embedded_child.py")

MOST_IN_ONE_PROCESS = 200
"""Memory that renders leave behind is given back with the process."""

_SEPARATOR = "\0\n"


def command() -> tuple[str, ...]:
    """How to start the child; empty where the SDK is not installed."""
    found = find_spec("helm_python")
    if found is None or found.origin is None:
        return ()
    # -S: no .pth file of the environment runs.
    folder = str(Path(found.origin).parent.parent)
    return (sys.executable, "-I", "-S", str(CHILD), folder)


def version(started: Sequence[str], folder: Path) -> str:
    """The version of Helm that the child says, as `4.2.3`; empty if it cannot be loaded."""
    ended = workers.run(started, given=b"[]", folder=folder, environment={})
    lines = _lines(ended)
    return str(lines[0]["version"]).removeprefix("v") if lines else ""


def ask(
    started: Sequence[str], checkout: Path, requests: Sequence[Request], limits: Limits
) -> Iterator[Answer]:
    """One answer for each request, in order.

    Where a process ends early, its first unanswered request is asked again as the first of a new
    process; the one that ends a process as its first is guilty.
    """
    done = 0
    while done < len(requests):
        asked = requests[done : done + MOST_IN_ONE_PROCESS]
        ended = workers.run(
            started,
            given=json.dumps([each._asdict() for each in asked]).encode(),
            folder=checkout,
            environment={},
            limits=limits,
        )
        lines = _lines(ended)[1:]
        said = ended.errors.decode(errors="replace").split(_SEPARATOR)[1:]
        for line, warnings in zip(lines, said, strict=False):
            yield _answer(line, warnings)
        done += len(lines)
        if not lines:
            # It took two processes, and what they did is not known.
            reason = f"Helm {ended.exceeded or f'ended with status {ended.status}'}"
            yield Answer({}, reason, seconds=limits.cpu_seconds)
            done += 1


def _lines(ended: Ended) -> list[dict[str, object]]:
    """The whole lines of JSON that were written; the last may be cut off."""
    return [json.loads(line) for line in ended.output.split(b"\n")[:-1]]


def _answer(line: dict[str, object], warnings: str) -> Answer:
    templates, crds, seconds = (line.get(name) for name in ("templates", "crds", "seconds"))
    took = seconds if isinstance(seconds, float) else 0
    if not isinstance(templates, dict) or not isinstance(crds, dict):
        return Answer({}, str(line.get("error")), seconds=took, lasting=True)
    return Answer(templates | crds, "", warnings_of(warnings), took)
