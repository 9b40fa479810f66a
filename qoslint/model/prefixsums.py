"""Numbers that come and go, and the sums of the smallest of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import TypeAlias

Fits: TypeAlias = Callable[[int, int, int], bool]
"""Whether to take the smallest: how many they are, their sum, and a bound that none is above."""


class PrefixSums:
    """A Fenwick tree of numbers that are known beforehand, none of which is in it at first.

    They are spoken of by their index. Every operation takes logarithmic time.
    """

    __slots__ = ("_counts", "_given", "_numbers", "_places", "_sums", "_top")

    def __init__(self, numbers: Sequence[int]) -> None:
        """Make a place for each of the numbers; equal ones have one each."""
        order = sorted(range(len(numbers)), key=numbers.__getitem__)
        self._given = numbers
        self._numbers = [numbers[index] for index in order]
        self._places = [0] * len(numbers)
        for place, index in enumerate(order, 1):
            self._places[index] = place
        self._counts = [0] * (len(numbers) + 1)
        self._sums = [0] * (len(numbers) + 1)
        self._top = 1 << len(numbers).bit_length()

    def add(self, index: int) -> None:
        """Put in the number of that index, which is not in."""
        self._change(index, 1)

    def remove(self, index: int) -> None:
        """Take out the number of that index, which is in."""
        self._change(index, -1)

    def below(self, bound: int) -> tuple[int, int]:
        """How many numbers are less than the bound, and their sum."""
        counts, sums = self._counts, self._sums
        place = bisect_left(self._numbers, bound)
        count = total = 0
        while place:
            count += counts[place]
            total += sums[place]
            place &= place - 1
        return count, total

    def smallest(self, fits: Fits) -> tuple[int, int]:
        """Count and sum of the longest run of smallest numbers that fits.

        If a run does not fit, no longer one may.
        """
        counts, sums = self._counts, self._sums
        place = count = total = 0
        step = self._top
        while step:
            end = place + step
            if end < len(counts):
                more, larger = count + counts[end], total + sums[end]
                if fits(more, larger, self._numbers[end - 1]):
                    place, count, total = end, more, larger
            step >>= 1
        return count, total

    def _change(self, index: int, sign: int) -> None:
        counts, sums, change = self._counts, self._sums, sign * self._given[index]
        place = self._places[index]
        while place < len(counts):
            counts[place] += sign
            sums[place] += change
            place += place & -place
