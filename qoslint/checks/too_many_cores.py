"""QOS705: so many cores that a suffix is most likely missing or of memory."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Part, Problem
from qoslint.kernel.quantity import Format, Quantity
from qoslint.model.quantities import Authored
from qoslint.model.subject import Options, Stated
from qoslint.span import field_path

_OF_ONE_CONTAINER = frozenset({"requests", "limits", "default", "defaultRequest", "min"})
"""Lists that are no bound for many; a quota or `max` of a thousand cores is nothing special."""


def check_object(stated: Stated, options: Options) -> Iterator[Problem]:
    """One problem for each amount of CPU of a container or pod that reaches the option."""
    cores: Quantity = options["cores"]
    for authored in stated.cores:
        if authored.path[-2] not in _OF_ONE_CONTAINER:
            continue
        quantity = authored.quantity
        # With a binary suffix it is QOS708's.
        if quantity and quantity.nanos >= cores.nanos and quantity.format is not Format.BINARY_SI:
            yield Problem(
                stated.object.at(authored.path, Part.VALUE),
                f"{field_path(authored.path[-2:])} of {OBJECT} is {authored.value}, which is "
                f"{quantity.value():,} cores; few nodes have so many.{_meant(authored, quantity)}",
            )


def _meant(authored: Authored, quantity: Quantity) -> str:
    if str(authored.value).isdecimal():
        return f" Did you mean {authored.value}m, {_cores(quantity)}?"
    return " Is it an amount of memory?" if str(authored.value)[-1:] in "kMGTPE" else ""


def _cores(quantity: Quantity) -> str:
    """A thousandth of the amount: `half a core`, `2 cores`."""
    thousandths = quantity.value()
    if thousandths == 1000:
        return "1 core"
    whole, rest = divmod(thousandths, 1000)
    return f"{whole}{f'.{rest:03}'.rstrip('0') if rest else ''} cores"
