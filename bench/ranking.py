"""Measures how ranking with all bounds and all witnesses grows.

`python bench/ranking.py` prints the median of some runs for each number of pods. Exit status 1 if
1,000 pods take 2 s or more, or if from 1,000 to 8,000 pods the time grows by more than `MARGIN`
times what n log n grows by: 20.8 times in all, where the square would be 64 times. The time is that
of the processor, so that other programs disturb it little.

Witnesses are rules (`qoslint/model/witness.py`). What every pod uses by one of them takes n log n
more each, measured beside them for those of one pod.
"""

from __future__ import annotations

import math
import random
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from qoslint.kernel.quantity import parse
from qoslint.kernel.signals import Signal
from qoslint.model.contenders import Contender, Limits, limits, peak
from qoslint.model.ranking import ranking
from qoslint.model.usage import Usage

COUNTS = (1000, 2000, 4000, 8000)
BUDGET = 2
MARGIN = 2
RUNS = 3
_SEED = 1
_MI = 2**20


def pods(count: int) -> Iterator[Contender]:
    """Pods with drawn requests, limits and priorities, some critical, some without a limit."""
    draw = random.Random(_SEED)
    for _ in range(count):
        request = draw.choice([0, 64, 128, 256, 512, 1024]) * _MI + draw.randrange(_MI)
        most = request * draw.choice([1, 1, 2, 4])
        critical = draw.random() < 0.02
        priority = 2_000_000_000 if critical else draw.choice([-100, 0, 0, 0, 100, 1000])
        yield Contender(Usage(1, most), parse(str(request)), priority, critical)


def node(contenders: tuple[Contender, ...]) -> Limits:
    """A node that the pods fit by their requests, under pressure."""
    capacity = sum(each.request.nanos for each in contenders) // 10**9
    return limits(capacity, capacity // 20, Usage(0, capacity // 10))


class Measured(NamedTuple):
    """Seconds for all pods with their bounds and witnesses, and for one witness in full."""

    all: float
    one: float


def measure(count: int) -> Measured:
    """The medians of some runs."""
    contenders = tuple(pods(count))
    limited = node(contenders)
    every, one = [], []
    for _ in range(RUNS):
        started = time.process_time()
        found = ranking(contenders, Signal.MEMORY, limited, peak())
        every.append(time.process_time() - started)
        witnesses = found.rows[count // 2].witnesses
        started = time.process_time()
        for witness in witnesses:
            witness.scenario(contenders, Signal.MEMORY)
        one.append((time.process_time() - started) / len(witnesses))
    return Measured(statistics.median(every), statistics.median(one))


def main() -> int:
    """Print the table and what it misses."""
    print("| pods | all bounds and witnesses, s | µs per n log2 n | one witness in full, ms |")
    print("|---:|---:|---:|---:|")
    found = {}
    for count in COUNTS:
        found[count] = measured = measure(count)
        unit = measured.all / (count * math.log2(count)) * 1e6
        row = f"{measured.all:.2f} | {unit:.1f} | {measured.one * 1e3:.1f}"
        print(f"| {count} | {row} |", flush=True)
    missed = list(_missed(found[COUNTS[0]].all, found[COUNTS[-1]].all))
    for line in missed:
        print(line)
    return 1 if missed else 0


def _missed(first: float, last: float) -> Iterator[str]:
    few, many = COUNTS[0], COUNTS[-1]
    if first >= BUDGET:
        yield f"{few} pods took {first:.2f} s, not less than {BUDGET} s"
    allowed = MARGIN * many * math.log2(many) / (few * math.log2(few))
    if last / first > allowed:
        yield f"from {few} to {many} pods: {last / first:.1f} times, more than {allowed:.1f}"


if __name__ == "__main__":
    sys.exit(main())
