"""What `kubectl top pod --containers` prints, with or without -A and --no-headers.

It prints whole mebibytes, fractions cut off (`staging/src/k8s.io/kubectl/pkg/metricsutil/
metrics_printer.go printSingleResourceUsage`): `10Mi` is at least 10Mi and less than 11Mi.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from qoslint.errors import SettingsError
from qoslint.finding import ObjectId, Place
from qoslint.model.measured.record import POD, MeasuredUsage, Resource
from qoslint.settings.usage.amounts import AmountError, amount

_NAMESPACE, _POD, _NAME, _CPU, _MEMORY = "NAMESPACE", "POD", "NAME", "CPU(cores)", "MEMORY(bytes)"
_HEADERS = (
    (_NAMESPACE, _POD, _NAME, _CPU, _MEMORY),
    (_POD, _NAME, _CPU, _MEMORY),
    (_NAMESPACE, _NAME, _CPU, _MEMORY),
    (_NAME, _CPU, _MEMORY),
)
_BY_COUNT = {len(header): header for header in reversed(_HEADERS)}
"""The columns of lines without a header: four are those that --containers prints."""
_SWAP = "SWAP(bytes)"
_ROW = re.compile(r"[0-9]+m [0-9]+Mi")
_MEBIBYTES = re.compile(r"[0-9]{1,12}Mi")
_MEBI = 2**20
_MOST_LINES = 100_000


class _Line(NamedTuple):
    number: int
    """From 0."""
    words: list[str]


def recognised(text: str) -> bool:
    """Whether the text starts as kubectl's table does."""
    line = next(_lines(text), None)
    if line is None:
        return False
    return _CPU in line.words or (
        len(line.words) in _BY_COUNT and _ROW.fullmatch(" ".join(line.words[-2:])) is not None
    )


def read(name: str, text: str) -> Iterator[MeasuredUsage]:
    """What each line states; raise SettingsError, at its line, for one that cannot be read.

    The place of each is the number of its line, from 0.
    """
    columns: tuple[str, ...] | None = None
    for line in _lines(text):
        if line.number > _MOST_LINES:
            raise SettingsError(
                f"{name}: the table has more than {_MOST_LINES:,} lines; print it by namespace"
            )
        if columns is None:
            if _CPU in line.words:
                columns = _columns(name, line)
                continue
            columns = _BY_COUNT[len(line.words)]
        if all(word.strip("_") == "" for word in line.words):
            return  # --sum: what follows is of all pods together
        if len(line.words) != len(columns):
            raise SettingsError(
                f"{name}:{line.number + 1}: the line has {len(line.words)} columns, "
                f"and the first has {len(columns)}"
            )
        yield from _usages(name, line, dict(zip(columns, line.words, strict=True)))


def _columns(name: str, line: _Line) -> tuple[str, ...]:
    columns = tuple(line.words)
    plain = columns[:-1] if columns[-1] == _SWAP else columns
    if plain not in _HEADERS:
        raise SettingsError(
            f"{name}:{line.number + 1}: the columns must be those of "
            f"`kubectl top pod --containers`, {' '.join(_HEADERS[1])}, not "
            f"{' '.join(columns)[:200]}"
        )
    return columns


def _usages(name: str, line: _Line, row: Mapping[str, str]) -> Iterator[MeasuredUsage]:
    pod, container = (row[_POD], row[_NAME]) if _POD in row else (row[_NAME], None)
    place = Place(ObjectId(name, 0, ()), (line.number,))
    for resource, column in ((Resource.CPU, _CPU), (Resource.MEMORY, _MEMORY)):
        try:
            lo = hi = amount(row[column], resource)
        except AmountError as error:
            message = f"{name}:{line.number + 1}: {column} {error}"
            raise SettingsError(message) from error
        if resource is Resource.MEMORY and _MEBIBYTES.fullmatch(row[column]):
            hi += _MEBI - 1
        yield MeasuredUsage(row.get(_NAMESPACE), POD, pod, container, resource, lo, hi, place)


def _lines(text: str) -> Iterator[_Line]:
    for number, line in enumerate(text.split("\n")):
        # No line of kubectl's is longer than five names.
        words = line[:2000].split()
        if words:
            yield _Line(number, words)
