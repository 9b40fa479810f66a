"""The integer arithmetic under a quantity, with Go's 64-bit limits where Kubernetes has them.

Mirrors `staging/src/k8s.io/apimachinery/pkg/api/resource`: `amount.go`, `math.go` and
`scale_int.go` (unchanged in v1.31 to v1.36). An amount is `unscaled * 10**scale`.
"""

from __future__ import annotations

MAX_INT32 = 2**31 - 1
MAX_INT64 = 2**63 - 1
MIN_INT64 = -(2**63)
_INT64_DIGITS = 19  # 10**19 is beyond int64


def wrap_int64(value: int) -> int:
    """The int64 that Go's conversion or arithmetic leaves of `value`."""
    return (value + 2**63) % 2**64 - 2**63


def wrap_int32(value: int) -> int:
    """The int32 that Go's conversion leaves of `value`."""
    return (value + 2**31) % 2**32 - 2**31


def divide_away_from_zero(value: int, divisor: int) -> int:
    """`value / divisor`, any remainder rounded away from zero."""
    quotient = -(-abs(value) // divisor)
    return -quotient if value < 0 else quotient


def divide_toward_zero(value: int, divisor: int) -> int:
    """`value / divisor` as Go divides integers; the divisor is positive."""
    quotient = abs(value) // divisor
    return -quotient if value < 0 else quotient


def int64_scaled(value: int, scale: int, to: int) -> int:
    """An int64 amount at another scale: rounded away from zero; if it overflows, what Go leaves.

    `amount.go int64Amount.AsScaledInt64`, as `Quantity.ScaledValue` uses it.
    """
    if scale < to:
        return divide_away_from_zero(value, 10 ** (to - scale))
    exact = scale_up_int64(value, scale - to)
    if exact is not None:
        return exact
    # `math.go positiveScaleInt64` multiplies once for these scales, and the product wraps; for
    # others it multiplies step by step and gives 0 at the first overflow.
    return wrap_int64(value * 10 ** (scale - to)) if scale - to in (1, 2, 3, 6, 9) else 0


def scale_up_int64(value: int, digits: int) -> int | None:
    """`value * 10**digits`, or None if an int64 cannot hold it (`math.go positiveScaleInt64`)."""
    if digits == 0:
        return value
    result: int = value * 10**digits
    return result if abs(result) <= MAX_INT64 else None


def decimal_scaled(unscaled: int, scale: int, to: int) -> int:
    """An arbitrary-precision amount at another scale, as an int64 that wraps around.

    `scale_int.go scaledValue`. A negative amount with a remainder is rounded *up*, even past
    zero when it is small: Kubernetes reads `-0.1n` as 1. Exactness includes this.
    """
    shift = to - scale
    if shift == 0:
        return wrap_int64(unscaled)
    if shift < 0:
        return wrap_int64(wrap_int64(unscaled) * _go_power_of_ten(-shift))
    divisor: int = 10**shift
    if unscaled < MAX_INT64 and shift < _INT64_DIGITS:
        narrow = wrap_int64(unscaled)
        return divide_toward_zero(narrow, divisor) + (narrow % divisor != 0)
    quotient, remainder = divmod(unscaled, divisor)
    return wrap_int64(wrap_int64(quotient) + (remainder != 0))


def _go_power_of_ten(digits: int) -> int:
    # Go multiplies by int64(math.Pow10(digits)); beyond int64 that conversion gives the
    # smallest int64 on amd64.
    return 10**digits if digits < _INT64_DIGITS else -(2**63)


def thousands(unscaled: int, scale: int) -> tuple[int, int]:
    """The amount as digits and the largest exponent of ten that is a multiple of 3.

    `amount.go AsCanonicalBytes`. `unscaled` is not zero.
    """
    unscaled, tens = _without_factor(unscaled, 10)
    exponent = scale + tens
    excess = exponent % 3
    return unscaled * 10**excess, exponent - excess


def kibis(value: int) -> tuple[int, int]:
    """An integer as digits and the largest power of 1024 (`amount.go AsCanonicalBase1024Bytes`)."""
    return _without_factor(value, 1024)


def _without_factor(value: int, factor: int) -> tuple[int, int]:
    times = 0
    while value % factor == 0:
        value //= factor
        times += 1
    return value, times
