"""QOS701: an amount of memory or disk below a floor, 1 KiB by default."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Part, Problem
from qoslint.kernel.quantity import Quantity
from qoslint.model.subject import Options, Stated
from qoslint.span import field_path


def check_object(stated: Stated, options: Options) -> Iterator[Problem]:
    """One problem for each quantity of bytes above zero and below the floor."""
    floor: Quantity = options["floor"]
    for authored in stated.quantities:
        quantity = authored.quantity if authored.counts_bytes else None
        if quantity is not None and 0 < quantity.nanos < floor.nanos:
            yield Problem(
                stated.object.at(authored.path, Part.VALUE),
                f"{field_path(authored.path[-2:])} of {OBJECT} is {authored.value}, which is "
                f"{_amount(quantity)}.{_meant(authored.value)}",
            )


def _amount(quantity: Quantity) -> str:
    rounded = quantity.value()
    unit = "byte" if rounded == 1 else "bytes"
    exact = quantity.nanos == rounded * 10**9
    return (
        f"{rounded} {unit}"
        if exact
        else f"a fraction that Kubernetes rounds up to {rounded} {unit}"
    )


def _meant(value: object) -> str:
    """The suffix that a bare number, or one of thousandths, most likely lacks."""
    digits = str(value).removesuffix("m")
    return f" Did you mean {digits}Mi?" if digits.isdecimal() else ""
