"""Amounts as people and tools write them, to whole units; fractions are rounded up."""

from __future__ import annotations

import re

from qoslint.kernel.quantity import Quantity, QuantityError, from_json, parse
from qoslint.model.measured.record import MOST, Resource
from qoslint.schema import Json

# What Go's strconv.FormatFloat prints, be it with or without an exponent.
_FLOAT = re.compile(r"[+-]?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?")
_LONGEST_SHOWN = 60
_PLAIN_DIGITS = 18


class AmountError(ValueError):
    """A value that is no amount; the message reads on from the path of the value."""


def amount(value: Json, resource: Resource) -> int:
    """The amount that a quantity states; raise AmountError."""
    try:
        return _whole(from_json(value), value, resource)
    except QuantityError as error:
        raise AmountError(f"is no quantity: {error}") from error


def sample(value: Json, resource: Resource) -> int:
    """The amount of a sample of Prometheus, whose API writes numbers as text; raise AmountError.

    It is read exactly, however many digits it has; a float would keep 16 of them.
    """
    if not isinstance(value, str):
        raise AmountError(f"must be a number in quotes, not {_shown(value)}")
    whole = len(value) <= _PLAIN_DIGITS and value.isascii() and value.isdecimal()
    if whole and resource is not Resource.CPU:
        return int(value)  # nearly all are such, and there can be a million
    if _FLOAT.fullmatch(value) is None:
        raise AmountError(f"must be a finite number, not {_shown(value)}")
    try:
        return _whole(parse(value), value, resource)
    except QuantityError as error:
        raise AmountError(f"is {_shown(value)}: {error}") from error


def _whole(quantity: Quantity, value: Json, resource: Resource) -> int:
    if quantity.nanos < 0:
        raise AmountError(f"must not be negative, not {_shown(value)}")
    whole = -(-quantity.nanos // resource.unit_nanos)
    if whole > MOST:
        raise AmountError(f"is {_shown(value)}, more than the kubelet can count")
    return whole


def _shown(value: Json) -> str:
    text = repr(value) if isinstance(value, str | int | float) else f"a {type(value).__name__}"
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
