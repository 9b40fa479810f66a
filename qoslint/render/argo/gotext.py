"""Values as Go prints them."""

from __future__ import annotations

import math
from decimal import Decimal


def go_text(value: object) -> str:
    """A JSON value that is no list or mapping as `%v` prints it; raise ValueError for others.

    Go reads every number of JSON as a float: a million is `1e+06`.
    """
    match value:
        case str():
            return value
        case None:
            return "<nil>"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return _number(value)
    raise ValueError(value)


def _number(value: float) -> str:
    """The shortest digits that read back, with an exponent from -5 down and 6 up (strconv %g)."""
    try:
        number = float(value)
    except OverflowError as error:
        raise ValueError(value) from error
    if not math.isfinite(number):
        raise ValueError(value)
    # Python's shortest digits are Go's.
    shortest = Decimal(repr(number)).normalize()
    power = shortest.adjusted() if number else 0
    if -5 < power < 6:
        return f"{shortest:f}"
    mantissa, _, _ = f"{shortest.scaleb(-power):f}".partition("e")
    return f"{mantissa}e{'-' if power < 0 else '+'}{abs(power):02d}"
