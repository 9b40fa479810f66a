"""Measures how ranking with all bounds grows; exit status 1 if 1,000 pods take 2 s or more.

`python bench/ranking.py` prints the median of some runs for each number of pods.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from qoslint.kernel.quantity import parse
from qoslint.kernel.signals import Signal
from qoslint.model.contenders import Contender, Limits, limits, peak
from qoslint.model.ranking import ranking
from qoslint.model.usage import Usage

COUNTS = (1000, 2000, 4000, 8000)
BUDGET = 2
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


def measure(count: int) -> float:
    """The seconds of one ranking."""
    contenders = tuple(pods(count))
    limited = node(contenders)
    started = time.perf_counter()
    ranking(contenders, Signal.MEMORY, limited, peak())
    return time.perf_counter() - started


def main() -> int:
    """Print the table."""
    print("| pods ranked with all bounds | seconds | of the row before |")
    print("|---:|---:|---:|")
    before, first = 0.0, 0.0
    for count in COUNTS:
        median = statistics.median(measure(count) for _ in range(RUNS))
        grown = f"{median / before:.1f} times" if before else ""
        print(f"| {count} | {median:.2f} | {grown} |", flush=True)
        first, before = first or median, median
    return 0 if first < BUDGET else 1


if __name__ == "__main__":
    sys.exit(main())
