"""Amounts in sentences: quantities, bytes that are no whole number, sizes of memory, CPU time."""

from __future__ import annotations

from collections.abc import Mapping

from qoslint.kernel.quantity import Format, QuantityError, new_quantity, parse
from qoslint.model.wording import counted, listing

IN_BYTES = ("memory", "ephemeral-storage")

_MIB = 2**20
_NANOS = 10**9


def amount(field: str, text: str) -> str:
    """A quantity of a resource or field: `512Mi`, `1500m (1.5 bytes, counted as 2 bytes)`."""
    part = _part_of_bytes(field, text)
    return f"{text} ({part}, counted as {counted(parse(text).value(), 'byte')})" if part else text


def exact_amount(field: str, text: str) -> str:
    """The same where Kubernetes compares the quantities themselves: `1500m (1.5 bytes)`."""
    part = _part_of_bytes(field, text)
    return f"{text} ({part})" if part else text


def amounts(quantities: Mapping[str, str]) -> str:
    """Quantities in a sentence: `cpu 100m and memory 256Mi`."""
    every = (f"{name} {amount(name, quantity)}" for name, quantity in quantities.items())
    return listing(every) or "nothing"


def exact_amounts(quantities: Mapping[str, str]) -> str:
    """The same for sums that Kubernetes does not compute: `memory 4500m (4.5 bytes)`."""
    every = (f"{name} {exact_amount(name, quantity)}" for name, quantity in quantities.items())
    return listing(every) or "nothing"


def _part_of_bytes(field: str, text: str) -> str:
    """`1.5 bytes` for bytes that are no whole number; else empty."""
    if field.rpartition(".")[2] not in IN_BYTES:
        return ""
    try:
        whole, billionths = divmod(parse(text).nanos, 10**9)
    except QuantityError:
        return ""
    if whole < 0 or not billionths:
        return ""
    return f"{decimal(whole, billionths, 9)} bytes"


def decimal(whole: int, rest: int, digits: int) -> str:
    """A number with `rest` in units of its last digit: `0.5` for 0, 50000 and 5 digits."""
    return f"{whole}.{rest:0{digits}}".rstrip("0").rstrip(".")


def size(count: int) -> str:
    """So many bytes of memory as people write them: `512Mi of memory`, `1000 bytes of memory`."""
    if count % 1024:
        return f"{counted(count, 'byte')} of memory"
    return f"{new_quantity(count, Format.BINARY_SI).canonical()} of memory"


def cpu_time(quota: int, period: int) -> str:
    """The microseconds of a CFS period as CPUs: `0.5 CPU (50000 of each 100000 µs)`."""
    hundred_thousandths, inexact = divmod(quota * 100_000, period)
    told = decimal(*divmod(hundred_thousandths, 100_000), 5)
    return f"{told}{'…' if inexact else ''} CPU ({quota} of each {period} µs)"


def memory(text: str) -> str:
    """A quantity in mebibytes, cut to a tenth, so that a column of them can be compared."""
    nanos = parse(text).nanos
    size, sign = abs(nanos), "-" if nanos < 0 else ""
    if size < _MIB * _NANOS:
        return text
    tenths, rest = divmod(size * 10, _MIB * _NANOS)
    whole = decimal(tenths // 10, tenths % 10, 1)
    return f"{sign}{f'{tenths // 10}.{tenths % 10}' if rest else whole}Mi"
