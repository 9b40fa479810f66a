"""Kubernetes quantities: parsed, printed, rounded and added exactly as Kubernetes does.

Mirrors `staging/src/k8s.io/apimachinery/pkg/api/resource/quantity.go` and `suffix.go`
(unchanged in v1.31 to v1.36).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache

from qoslint.kernel.amount import (
    MAX_INT64,
    MIN_INT64,
    decimal_scaled,
    divide_away_from_zero,
    int64_scaled,
    kibis,
    scale_up_int64,
    thousands,
    wrap_int32,
    wrap_int64,
)

MAX_DIGITS = 1000
MAX_EXPONENT = 1000
"""Bounds of this parser; Kubernetes has none and hangs on `1e2147483650`.

No real manifest comes near: all bytes ever made have fewer than 30 digits.
"""

MAX_MILLI_VALUE = MAX_INT64 // 1000
"""The largest value that Kubernetes compares in thousandths (`math.go MaxMilliValue`)."""

_NANO = -9
_MILLI = -3
_MAX_PLAIN = MAX_INT64 * 10**6
"""No quantity up to this one, in billionths, overflows as a number of thousandths."""
# Kubernetes tries its int64 form first: for so many digits of a decimal quantity, and so many
# less three tenths of the exponent of a binary one.
_INT64_DECIMAL_DIGITS = 18
_INT64_BINARY_DIGITS = 14
_DECIMAL_SUFFIXES = dict(zip(("n", "u", "m", "", *"kMGTPE"), range(-9, 19, 3), strict=True))
_BINARY_SUFFIXES = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL_SUFFIX_OF = {exponent: suffix for suffix, exponent in _DECIMAL_SUFFIXES.items()}
_BINARY_SUFFIX_OF = {exponent // 10: suffix for suffix, exponent in _BINARY_SUFFIXES.items()}

# Possessive, because Go's scanner never goes back; so hostile text costs no time either.
_SCAN = re.compile(
    r"(?P<sign>[+-]?+)(?P<zeros>0*+)(?P<whole>[0-9]*+)(?:\.(?P<fraction>[0-9]*+))?"
    r"(?P<suffix>[eEinumkKMGTP]*+[+-]?+[0-9]*+)"
)
_EXPONENT = re.compile(r"[eE]([+-]?[0-9]+)")
# Longer texts are refused before the scan; room for leading zeros, sign, point and suffix.
_MAX_TEXT = 4 * MAX_DIGITS

_FORMAT_MESSAGE = (
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
)
_SUFFIX_MESSAGE = "unable to parse quantity's suffix"
_NUMBER_MESSAGE = "unable to parse numeric part of quantity"
_BOUND_MESSAGE = (
    f"quantities of more than {MAX_DIGITS} digits, or with an exponent beyond {MAX_EXPONENT}, "
    "are not evaluated"
)

# The blanks that Go trims and that its JSON encoder leaves as they are: a tab or line break
# arrives escaped, so the API server sees a backslash there and refuses the quantity.
_JSON_BLANKS = " \x85\xa0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))


class QuantityError(ValueError):
    """A text is no quantity; the message is Kubernetes' own, or names a bound of this parser."""


class Format(StrEnum):
    """The family of suffixes that a quantity was written with and prints with."""

    DECIMAL_SI = "DecimalSI"
    BINARY_SI = "BinarySI"
    DECIMAL_EXPONENT = "DecimalExponent"
    UNSET = ""
    """Of a quantity that was `null`; it takes the format of what is added to it."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in units of a billionth, and what Kubernetes keeps beside it.

    Equal means indistinguishable, printed text included: `1` and `1000m` are not equal.
    Compare values by `nanos`.
    """

    nanos: int
    format: Format = Format.DECIMAL_SI
    text: str | None = None
    """The authored text where `String()` would repeat it verbatim."""
    scale: int = 0
    """The power of ten that Kubernetes' internal form counts in; at least -9."""
    arbitrary: bool = False
    """Whether Kubernetes holds it as arbitrary-precision decimal; else as int64.

    The two forms differ where int64 overflows and where negative fractions are rounded.
    """

    def __hash__(self) -> int:
        """Equal quantities are equal numbers."""
        return hash(self.nanos)

    @property
    def _unscaled(self) -> int:
        unit: int = 10 ** (self.scale - _NANO)
        return self.nanos // unit

    @property
    def _is_min_int64(self) -> bool:
        return not self.arbitrary and self._unscaled == MIN_INT64

    @property
    def sign(self) -> int:
        """-1, 0 or 1 (`quantity.go Sign`)."""
        return (self.nanos > 0) - (self.nanos < 0)

    def value(self) -> int:
        """The integer that Kubernetes computes with: fractions rounded up (`quantity.go Value`).

        Beyond int64 it is 0 or wraps around, as in Kubernetes.
        """
        return self._scaled(0, 10**9)

    def milli_value(self) -> int:
        """The number of thousandths, rounded as `value` is (`quantity.go MilliValue`)."""
        return self._scaled(_MILLI, 10**6)

    def _scaled(self, to: int, step: int) -> int:
        """The number of units of `10**to`, each of them `step` billionths."""
        if 0 <= self.nanos <= _MAX_PLAIN and not self.arbitrary:
            return -(-self.nanos // step)  # nothing overflows
        if self.arbitrary:
            return decimal_scaled(self._unscaled, self.scale, to)
        return int64_scaled(self._unscaled, self.scale, to)

    def as_int64(self) -> int | None:
        """The integer where Kubernetes has it without conversion (`quantity.go AsInt64`)."""
        if self.arbitrary or self.scale < 0:
            return None
        return scale_up_int64(self._unscaled, self.scale)

    def canonical(self) -> str:
        """The canonical text (`quantity.go CanonicalizeBytes`): `1536Mi` for `1.5Gi`.

        Kubernetes up to v1.36 prints `1000E` as `1`, for want of a suffix; so does this.
        """
        if self.nanos == 0:
            return "0"
        whole, fraction = divmod(self.nanos, 10**-_NANO)
        small = abs(whole) < 1024 or fraction != 0 or self._is_min_int64
        if self.format is Format.BINARY_SI and not small:
            digits, exponent = kibis(whole)
            return f"{digits}{_BINARY_SUFFIX_OF.get(exponent, '')}"
        digits, exponent = thousands(self._unscaled, self.scale)
        if self.format in (Format.DECIMAL_SI, Format.BINARY_SI):
            return f"{digits}{_DECIMAL_SUFFIX_OF.get(exponent, '')}"
        return f"{digits}e{exponent}" if exponent else str(digits)

    def __str__(self) -> str:
        """What Kubernetes prints: the authored text where it is kept, else the canonical one."""
        return self.canonical() if self.text is None else self.text

    def round_up_milli(self) -> Quantity:
        """Rounded away from zero to thousandths, as every stored resource is.

        `quantity.go RoundUp`, called by `pkg/apis/core/v1/defaults.go SetDefaults_ResourceList`.
        """
        if not self.arbitrary and self.scale >= _MILLI:
            return self
        step = 10 ** (_MILLI - _NANO)
        nanos = divide_away_from_zero(self.nanos, step) * step
        return Quantity(nanos, self.format, None, _MILLI, self.arbitrary)

    def __add__(self, other: Quantity) -> Quantity:
        """The exact sum, in the format of the first operand that is not zero."""
        return self._plus(other, other.nanos)

    def __sub__(self, other: Quantity) -> Quantity:
        """The exact difference, in the format of the first operand that is not zero."""
        # Go leaves the smallest int64 as it is when it negates it.
        return self._plus(other, other.nanos if other._is_min_int64 else -other.nanos)

    def _plus(self, other: Quantity, other_nanos: int) -> Quantity:
        format = self.format if self.nanos else other.format
        nanos = self.nanos + other_nanos
        scale = min(self.scale, other.scale)
        if self.arbitrary or other.arbitrary:
            return Quantity(nanos, format, None, scale, arbitrary=True)
        if other_nanos == 0:
            return Quantity(nanos, format, None, self.scale)
        if self.nanos == 0:
            return Quantity(nanos, format, None, other.scale)
        step = 10 ** (scale - _NANO)
        overflow = max(abs(n) for n in (self.nanos, other_nanos, nanos)) > MAX_INT64 * step
        return Quantity(nanos, format, None, scale, overflow)


ZERO = Quantity(0, Format.UNSET)
"""Go's zero value: what a missing entry counts as, and the start of a sum."""


def new_quantity(value: int, format: Format) -> Quantity:
    """A whole number as a quantity (`quantity.go NewQuantity`)."""
    return Quantity(value * 10**-_NANO, format)


def from_nanos(nanos: int, format: Format) -> Quantity:
    """So many billionths as a quantity, whole or not."""
    whole = nanos % 10**-_NANO == 0
    return Quantity(nanos, format, scale=0 if whole else _NANO)


def from_json(value: object) -> Quantity:
    """The quantity that a JSON value decodes to (`quantity.go UnmarshalJSON`).

    Numbers are read from the text that Kubernetes' YAML reader would hand over.
    QuantityError as by `parse`, and for values of any other type.
    """
    if isinstance(value, str):
        return parse(value.strip(_JSON_BLANKS))
    if value is None:
        return ZERO
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise QuantityError(_FORMAT_MESSAGE)
    if isinstance(value, float):
        return parse(_go_float(value))
    if value.bit_length() > 4 * MAX_DIGITS:  # str() of an integer is bounded, and quadratic
        raise QuantityError(_BOUND_MESSAGE)
    return parse(str(value))


def _go_float(value: float) -> str:
    """The float as Go's `encoding/json` prints it; exact, because both print shortest digits."""
    text = repr(value)
    if value == 0 or 1e-6 <= abs(value) < 1e21:
        return f"{Decimal(text):f}".removesuffix(".0")
    return text.replace("e-0", "e-")


@lru_cache(maxsize=1 << 16)
def parse(text: str) -> Quantity:
    """The quantity that a text means (`quantity.go ParseQuantity`); QuantityError if none."""
    if len(text) > _MAX_TEXT:
        raise QuantityError(_BOUND_MESSAGE)
    if text == "0":
        return Quantity(0, Format.DECIMAL_SI, text)
    match = _SCAN.fullmatch(text)
    if match is None or not text:
        raise QuantityError(_FORMAT_MESSAGE)
    format, exponent = _interpret(match["suffix"])
    whole, fraction = match["whole"] or "0", match["fraction"] or ""
    digits = whole + fraction
    if len(digits) > MAX_DIGITS or abs(exponent) > MAX_EXPONENT:
        raise QuantityError(_BOUND_MESSAGE)
    unscaled = -int(digits) if match["sign"] == "-" else int(digits)
    if format is Format.BINARY_SI:
        if not fraction and len(whole) + exponent * 3 // 10 <= _INT64_BINARY_DIGITS:
            return _int64_binary(text, unscaled, exponent)
        unscaled, exponent = unscaled << exponent, 0
    elif len(digits) <= _INT64_DECIMAL_DIGITS and exponent - len(fraction) >= _NANO:
        return _int64_decimal(text, digits, unscaled, exponent - len(fraction), format)
    if not (match["zeros"] or match["whole"] or fraction):
        raise QuantityError(_NUMBER_MESSAGE)
    return _arbitrary(unscaled, exponent - len(fraction), format)


def _interpret(suffix: str) -> tuple[Format, int]:
    """The format and the exponent, of two for binary suffixes, else of ten (`suffix.go`)."""
    if suffix in _DECIMAL_SUFFIXES:
        return Format.DECIMAL_SI, _DECIMAL_SUFFIXES[suffix]
    if suffix in _BINARY_SUFFIXES:
        return Format.BINARY_SI, _BINARY_SUFFIXES[suffix]
    match = _EXPONENT.fullmatch(suffix)
    if match is None or wrap_int64(exponent := int(match[1])) != exponent:
        raise QuantityError(_SUFFIX_MESSAGE)
    return Format.DECIMAL_EXPONENT, wrap_int32(exponent)


def _int64_binary(text: str, unscaled: int, exponent: int) -> Quantity:
    # Kubernetes keeps the authored text unless it might not be canonical; its test for that
    # is "not a multiple of 8", and for decimals the one below.
    kept = text if unscaled % 8 else None
    return Quantity((unscaled << exponent) * 10**-_NANO, Format.BINARY_SI, kept)


def _int64_decimal(text: str, digits: str, unscaled: int, scale: int, format: Format) -> Quantity:
    keep = scale % 3 == 0 and not digits.endswith("000") and digits[0] != "0"
    nanos = unscaled * 10 ** (scale - _NANO)
    return Quantity(nanos, format, text if keep else None, scale)


def _arbitrary(unscaled: int, scale: int, format: Format) -> Quantity:
    """Rounded away from zero to billionths; binary ones capped at the largest int64."""
    if scale >= _NANO:
        nanos = unscaled * 10 ** (scale - _NANO)
    else:
        nanos = divide_away_from_zero(unscaled, 10 ** (_NANO - scale))
    if format is Format.BINARY_SI:
        cap = MAX_INT64 * 10**-_NANO
        if abs(nanos) > cap:
            return Quantity(cap if nanos > 0 else -cap, format, arbitrary=True)
        if 0 < abs(nanos) < 10**-_NANO:
            format = Format.DECIMAL_SI
    return Quantity(nanos, format, None, _NANO, arbitrary=True)
