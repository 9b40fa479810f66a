"""QOS708: an amount of CPU with a binary suffix."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Part, Problem
from qoslint.model.subject import Stated
from qoslint.span import field_path


def check_object(stated: Stated) -> Iterator[Problem]:
    """One problem for each amount of CPU that is written as bytes are."""
    for authored in stated.cores:
        quantity = authored.quantity
        # A binary amount below one becomes a decimal one when it is read.
        if quantity and quantity.nanos and str(authored.value).strip().endswith("i"):
            yield Problem(
                stated.object.at(authored.path, Part.VALUE),
                f"{field_path(authored.path[-2:])} of {OBJECT} is {authored.value}, which is "
                f"{quantity.value():,} cores: the suffix is one of bytes. Is it an amount of "
                "memory?",
            )
