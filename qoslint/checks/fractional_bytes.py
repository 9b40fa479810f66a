"""QOS704: an amount of memory or disk that is no whole number of bytes."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Part, Problem
from qoslint.kernel.pod import is_hugepage
from qoslint.kernel.quantity import Quantity
from qoslint.model.quantities import KIB
from qoslint.model.subject import Stated
from qoslint.span import field_path

_UNITS = (("Gi", 2**30), ("Mi", 2**20), ("Ki", 2**10), ("", 1))


def check_object(stated: Stated) -> Iterator[Problem]:
    """One problem for each amount that Kubernetes stores as a fraction of a byte."""
    for authored in stated.bytes:
        # Huge pages must be whole pages, so that the API server refuses any other fraction.
        if is_hugepage(authored.resource):
            continue
        quantity = authored.quantity
        if quantity is not None and quantity.nanos > KIB.nanos and quantity.nanos % 10**9:
            yield Problem(
                stated.object.at(authored.path, Part.VALUE),
                f"{field_path(authored.path[-2:])} of {OBJECT} is {authored.value}, which is no "
                f"whole number of bytes: Kubernetes stores {quantity.round_up_milli().canonical()} "
                f"and counts {quantity.value()} bytes. The next amount in whole "
                f"units is {_whole(quantity)}.",
            )


def _whole(quantity: Quantity) -> str:
    """The amount rounded up to the largest unit of which it still has a thousand."""
    size = quantity.value()
    suffix, unit = next(each for each in _UNITS if size >= 1000 * each[1] or each[1] == 1)
    return f"{-(-size // unit)}{suffix}"
