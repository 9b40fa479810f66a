"""Sets of CPUs as Linux writes them: `0-3,8`.

Mirrors `k8s.io/utils/cpuset/cpuset.go` Parse.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from qoslint.kernel.amount import MAX_INT64

_INTEGER = re.compile(r"[+-]?[0-9]+")


class CPUSetError(ValueError):
    """A text is no set of CPUs; the message is Kubernetes' own."""


class CPUSet(NamedTuple):
    """Ascending ranges of CPU numbers, ends included, that neither touch nor overlap."""

    ranges: tuple[tuple[int, int], ...]

    @property
    def size(self) -> int:
        """The number of CPUs (`cpuset.go Size`)."""
        return sum(last - first + 1 for first, last in self.ranges)


def parse_cpu_set(text: str) -> CPUSet:
    """The set; an empty text is the empty set. CPUSetError for the first part that is no range."""
    ranges: list[tuple[int, int]] = []
    for first, last in sorted(map(_range, text.split(",") if text else ())):
        if ranges and first <= ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], max(last, ranges[-1][1]))
        else:
            ranges.append((first, last))
    return CPUSet(tuple(ranges))


def _range(text: str) -> tuple[int, int]:
    first, dash, last = text.partition("-")
    start = _atoi(first)
    end = _atoi(last) if dash else start
    if start > end:
        raise CPUSetError(f'invalid range "{text}" ({start} > {end})')
    return start, end


def _atoi(text: str) -> int:
    """Go's `strconv.Atoi`."""
    quoted = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if not _INTEGER.fullmatch(text):
        raise CPUSetError(f"strconv.Atoi: parsing {quoted}: invalid syntax")
    digits = text.lstrip("+-").lstrip("0") or "0"
    # Python would refuse to read thousands of digits.
    if len(digits) > 19 or int(digits) > MAX_INT64 + text.startswith("-"):
        raise CPUSetError(f"strconv.Atoi: parsing {quoted}: value out of range")
    return -int(digits) if text.startswith("-") else int(digits)
