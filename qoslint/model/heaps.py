"""How large the runtime of a language lets its heap grow, as a container's manifest says it.

A JVM takes `-Xmx` and `-XX:MaxRAMPercentage` (`src/hotspot/share/runtime/arguments.cpp
set_heap_size`), Go GOMEMLIMIT (`src/runtime/mgcpacer.go readGOMEMLIMIT`) and Node.js
`--max-old-space-size`, in MiB.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from qoslint.model.objects import Fields, mapping, sequence, text
from qoslint.span import Path

_MOST_TEXT = 20_000
"""Characters of one argument or variable; more is a script with data in it."""

_XMX = re.compile(r"(?<![\w-])-(?:Xmx|XX:MaxHeapSize=)(\d{1,18})([kKmMgGtT]?)(?![\w.])")
_PERCENTAGE = re.compile(r"(?<![\w-])-XX:MaxRAMPercentage=(\d{1,3})(?:\.(\d{1,4})\d{0,20})?(?!\w)")
_OLD_SPACE = re.compile(r"(?<![\w-])--max[-_]old[-_]space[-_]size[= ](\d{1,9})(?![\w.])")
_GO_LIMIT = re.compile(r"(\d{1,18})(?:B|([KMGT])iB)?")

_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}
_WHOLE = 1_000_000
"""Ten-thousandths of a percent in one."""


class Heap(NamedTuple):
    """A bound that a runtime keeps to: bytes, or a share of the memory limit in millionths."""

    path: Path
    """Of the argument or variable, in the container."""
    setting: str
    """As written: `-Xmx2g`."""
    bytes: int = 0
    millionths: int = 0

    def size(self, limit: int) -> int:
        """The bytes of the heap where the container may use `limit` bytes."""
        return self.bytes or limit * self.millionths // _WHOLE


def heap(container: Fields) -> Heap | None:
    """The least of the bounds that the container states; None if it states none.

    Which of several variables a start script uses is not known. In one text the last holds, and
    a percentage only where no size is given.
    """
    found = list(_heaps(container))
    sizes = [each for each in found if each.bytes]
    least = min(sizes, key=lambda each: each.bytes, default=None)
    return least or min(found, key=lambda each: each.millionths, default=None)


def _heaps(container: Fields) -> Iterator[Heap]:
    for field in ("command", "args"):
        for index, argument in enumerate(sequence(container.get(field))):
            yield from _flags((field, index), text(argument))
    for index, entry in enumerate(sequence(container.get("env"))):
        variable = mapping(entry)
        path = ("env", index)
        if variable.get("name") == "GOMEMLIMIT":
            yield from _go_limit(path, variable)
        else:
            yield from _flags((*path, "value"), text(variable.get("value")))


def _flags(path: Path, written: str) -> Iterator[Heap]:
    if len(written) > _MOST_TEXT:
        return
    if sizes := [*_XMX.finditer(written)]:
        number, unit = sizes[-1].groups()
        yield Heap(path, sizes[-1][0], int(number) * 1024 ** _POWERS[unit.lower()])
    elif shares := [*_PERCENTAGE.finditer(written)]:
        whole, fraction = shares[-1].groups("")
        yield Heap(path, shares[-1][0], millionths=int(whole + fraction.ljust(4, "0")))
    if sizes := [*_OLD_SPACE.finditer(written)]:
        yield Heap(path, sizes[-1][0], int(sizes[-1][1]) * 1024**2)


def _go_limit(path: Path, variable: Fields) -> Iterator[Heap]:
    value = text(variable.get("value"))
    if match := _GO_LIMIT.fullmatch(value):
        number, unit = match.groups("")
        yield Heap(
            (*path, "value"), f"GOMEMLIMIT={value}", int(number) * 1024 ** _POWERS[unit.lower()]
        )
    source = mapping(mapping(variable.get("valueFrom")).get("resourceFieldRef"))
    in_bytes = source.get("divisor") in (None, "", "0", "1", 0, 1)
    own = not source.get("containerName")
    if own and in_bytes and source.get("resource") == "limits.memory":
        where = (*path, "valueFrom", "resourceFieldRef", "resource")
        yield Heap(where, "GOMEMLIMIT from its memory limit", millionths=_WHOLE)
