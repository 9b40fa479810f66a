"""Measures qoslint beside what it is compared with; exit status 1 if a budget is missed.

Whole processes, the two of a pair in turns, medians: what slows the machine slows both.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from generate import DEPLOYMENTS, FLEET, SHAPES, SMALL, fleet, manifests

ROOT = Path(__file__).resolve().parent.parent
RUNS = 9

BARE = (sys.executable, "-c", "pass")
QOSLINT = (sys.executable, "-m", "qoslint")
# Findings are no failure here: whatever exits with another status than 0 did not do its work.
CHECK = (*QOSLINT, "check", "--fail-on", "never")
COMPOSE = (
    "import sys\n"
    "from ruamel.yaml import YAML\n"
    "with open(sys.argv[1], 'rb') as stream:\n"
    "    for node in YAML(typ='safe').compose_all(stream):\n"
    "        pass\n"
)


class Pair(NamedTuple):
    """Two commands, and the budget of the first: seconds, or how often as long as the second."""

    what: str
    command: Sequence[str]
    beside: str
    reference: Sequence[str]
    seconds: float | None = None
    times: float | None = None


def pairs(folder: Path) -> list[Pair]:
    """The budgets, with their files written into the folder."""
    small, large, many = folder / "small", folder / "large", folder / "many"
    for place, text in ((small, SMALL), (large, manifests()), (many, fleet())):
        place.mkdir()
        (place / "app.yaml").write_text(text, "utf-8")
    size = (large / "app.yaml").stat().st_size / 1e6
    compose = (sys.executable, "-c", COMPOSE, str(large / "app.yaml"))
    return [
        Pair("`--version`", (*QOSLINT, "--version"), "bare interpreter", BARE, times=6),
        Pair("`check` of one small file", (*CHECK, str(small)), "bare interpreter", BARE,
            seconds=0.3),
        Pair(f"`check` of {DEPLOYMENTS} Deployments, {size:.1f} MB", (*CHECK, str(large)),
            "`compose_all` of them", compose, seconds=2),
        Pair(f"all rules on {FLEET} Deployments of {SHAPES} shapes", (*CHECK, str(many)),
            "without any rule", (*CHECK, "--ignore", "QOS", str(many)), times=1.3),
    ]  # fmt: skip


def measure(command: Sequence[str], folder: Path) -> float:
    """The seconds of one run of the command; one that fails ends the benchmark."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    # Users have bytecode caches; the unmeasured first run writes them.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    started = time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    seconds = time.perf_counter() - started
    if done.returncode:
        sys.exit(f"{done.stdout[-2000:]}{done.stderr}{' '.join(command)}: {done.returncode}")
    return seconds


def compare(pair: Pair, folder: Path, runs: int) -> tuple[float, float]:
    """The medians of both commands, run in turns after one unmeasured run of each."""
    commands = (pair.command, pair.reference)
    for command in commands:
        measure(command, folder)
    rounds = [[measure(command, folder) for command in commands] for _ in range(runs)]
    own, other = zip(*rounds, strict=True)
    return statistics.median(own), statistics.median(other)


def row(pair: Pair, own: float, other: float) -> tuple[str, bool]:
    """A line of the table, and whether the budget is kept."""
    if pair.times is not None:
        kept, budget = own <= pair.times * other, f"{pair.times:g} times"
    else:
        assert pair.seconds is not None
        kept, budget = own < pair.seconds, f"{pair.seconds * 1000:.0f} ms"
    cells = [
        pair.what,
        f"{own * 1000:.0f} ms",
        f"{pair.beside}: {other * 1000:.0f} ms",
        f"{own / other:.1f}",
        budget,
        "kept" if kept else "**missed**",
    ]
    return f"| {' | '.join(cells)} |", kept


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help="measured runs of each command")
    runs = parser.parse_args().runs
    print("| what | qoslint | beside | ratio | budget | |")
    print("|---|---:|---:|---:|---:|---|")
    missed = 0
    with tempfile.TemporaryDirectory() as name:
        for pair in pairs(Path(name)):
            line, kept = row(pair, *compare(pair, Path(name), runs))
            print(line, flush=True)
            missed += not kept
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
