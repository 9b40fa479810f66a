"""Numbers as Go's float32 holds them: read as by `strconv.ParseFloat(text, 32)`, then rounded.

A float32 is kept in a Python float, which holds each of them exactly.
"""

from __future__ import annotations

import math
import re
import struct
from decimal import Decimal

from qoslint.kernel.quoted import quoted

_DIGITS = "[0-9]+(?:_[0-9]+)*"
_HEX_DIGITS = "[0-9a-fA-F]+(?:_[0-9a-fA-F]+)*"
_DECIMAL = re.compile(
    rf"[+-]?(?:{_DIGITS}(?:\.(?:{_DIGITS})?)?|\.{_DIGITS})(?:[eE][+-]?{_DIGITS})?"
)
_HEXADECIMAL = re.compile(
    rf"(?P<sign>[+-]?)0[xX]_?(?P<whole>{_HEX_DIGITS})?(?:\.(?P<fraction>{_HEX_DIGITS})?)?"
    rf"[pP](?P<exponent>[+-]?{_DIGITS})"
)
_INFINITY = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE)
_DOUBLE_BITS = 53
_FAR = 10**6
"""An exponent of two so far from 0 that the number is 0 or out of range."""


class Float32Error(ValueError):
    """A text is no number, or beyond a float32; the message is Go's own."""


def parse_float32(text: str) -> float:
    """The float32 nearest to the number in a text; NaN and infinities are numbers.

    Float32Error in Go's words if it is none.
    """
    if _INFINITY.fullmatch(text) or text.lower() == "nan":
        return float(text)
    if _DECIMAL.fullmatch(text):
        between = _odd_decimal(text)
    elif (match := _HEXADECIMAL.fullmatch(text)) and (match["whole"] or match["fraction"]):
        between = _odd_hexadecimal(match)
    else:
        raise Float32Error(f"strconv.ParseFloat: parsing {quoted(text)}: invalid syntax")
    try:
        return to_float32(between)
    except OverflowError:
        message = f"strconv.ParseFloat: parsing {quoted(text)}: value out of range"
        raise Float32Error(message) from None


def to_float32(value: float) -> float:
    """The float32 nearest to a float; OverflowError if it is too large for one."""
    if math.isinf(value):
        raise OverflowError
    rounded: float = struct.unpack("<f", struct.pack("<f", value))[0]
    return rounded


def divide_float32(dividend: float, divisor: float) -> float:
    """The float32 quotient of two of them, of a divisor of at least 1.

    Rounding the quotient of floats once more changes nothing: a float has more than twice the
    digits of a float32.
    """
    quotient = dividend / divisor
    return to_float32(quotient) if math.isfinite(quotient) else quotient


def _odd_decimal(text: str) -> float:
    """Of the two floats around a decimal number that is none, the one whose last bit is 1.

    Rounding it again gives what rounding the number itself would give; the nearest float might
    lie in the middle between two float32, where the number did not.
    """
    nearest = float(text)
    if nearest == 0 or math.isinf(nearest):
        return nearest
    exact = Decimal(text)
    if exact == nearest or _last_bit(nearest):
        return nearest
    return math.nextafter(nearest, math.inf if exact > nearest else -math.inf)


def _last_bit(value: float) -> bool:
    bits: int = struct.unpack("<q", struct.pack("<d", value))[0]
    return bits & 1 == 1


def _odd_hexadecimal(match: re.Match[str]) -> float:
    """The same of a hexadecimal number such as `0x1.8p-2`."""
    fraction = (match["fraction"] or "").replace("_", "")
    mantissa = int((match["whole"] or "").replace("_", "") + fraction, 16)
    dropped = max(mantissa.bit_length() - _DOUBLE_BITS, 0)
    kept = mantissa >> dropped
    if kept << dropped != mantissa:
        kept |= 1
    exponent = _exponent(match["exponent"].replace("_", "")) - 4 * len(fraction) + dropped
    sign = -1.0 if match["sign"] == "-" else 1.0
    try:
        return sign * math.ldexp(kept, exponent)
    except OverflowError:
        return sign * math.inf


def _exponent(text: str) -> int:
    digits = text.lstrip("+-").lstrip("0") or "0"
    size = int(digits) if len(digits) <= len(str(_FAR)) else _FAR
    return -size if text.startswith("-") else size
