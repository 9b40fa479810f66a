"""QOS701: an amount of memory or disk below a floor, 1 KiB by default."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qoslint.finding import OBJECT, Edit, Part, Place, Problem, Set
from qoslint.kernel.quantity import Quantity, from_json
from qoslint.model.subject import Options, Stated
from qoslint.span import field_path

# More thousandths may be a number of bytes that a program printed.
_MILLI = re.compile(r"[1-9][0-9]{0,4}m")


def check_object(stated: Stated, options: Options) -> Iterator[Problem]:
    """One problem for each quantity of bytes above zero and below the floor."""
    floor: Quantity = options["floor"]
    swapped = {authored.path[:-1] for authored in stated.cores if str(authored.value).endswith("i")}
    for authored in stated.bytes:
        quantity = authored.quantity
        if quantity is not None and 0 < quantity.nanos < floor.nanos:
            place = stated.object.at(authored.path, Part.VALUE)
            yield Problem(
                place,
                f"{field_path(authored.path[-2:])} of {OBJECT} is {authored.value}, which is "
                f"{_amount(quantity)}.{_meant(authored.value)}",
                # Beside `cpu: 100Mi` the amount is one of CPU.
                edits=()
                if authored.path[:-1] in swapped
                else tuple(_edits(place, authored.value, floor)),
            )


def _edits(place: Place, value: object, floor: Quantity) -> Iterator[Edit]:
    """Nobody means thousandths of bytes, while a bare number may lack any suffix."""
    if isinstance(value, str) and _MILLI.fullmatch(value):
        mebi = value.replace("m", "Mi")
        if from_json(mebi).nanos >= floor.nanos:
            yield Set(place, mebi)


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
