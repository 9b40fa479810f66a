"""Durations as Go reads and prints them: `1m30s` is 90 seconds.

Mirrors `time/time.go` String and `time/format.go` ParseDuration of Go's standard library.
"""

from __future__ import annotations

import re

MILLISECOND = 10**6
SECOND = 10**9
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
"""Nanoseconds, the unit of every duration here."""

_UNITS = {
    "ns": 1,
    "us": 1000,
    "µs": 1000,  # the micro sign
    "μs": 1000,  # the Greek letter
    "ms": MILLISECOND,
    "s": SECOND,
    "m": MINUTE,
    "h": HOUR,
}
_MAX_UINT = 2**63
# Possessive, so that hostile text costs no time.
_PART = re.compile(r"([0-9]*+)(?:\.([0-9]*+))?([^.0-9]*+)")


class DurationError(ValueError):
    """A text is no duration; the message is Go's own."""


def parse_duration(text: str) -> int:
    """Nanoseconds; DurationError if the text is no duration (`ParseDuration`).

    A fraction is computed in floating point, as Go does.
    """
    negative = text.startswith("-")
    rest = text[1:] if text[:1] in ("-", "+") else text
    if rest == "0":
        return 0
    total = 0 if rest else _MAX_UINT + 1
    position = 0
    while position < len(rest) and total <= _MAX_UINT:
        part = _PART.match(rest, position)
        assert part is not None
        total += _nanoseconds(part, text)
        position = part.end()
    if total > _MAX_UINT - (not negative):
        raise DurationError(f"time: invalid duration {_quoted(text)}")
    return -total if negative else total


def _nanoseconds(part: re.Match[str], text: str) -> int:
    whole, fraction, name = part[1], part[2] or "", part[3]
    # No number of more digits fits; Python would refuse to read it.
    digits = whole.lstrip("0")
    if not (whole or fraction) or len(digits) > 19 or int(digits or "0") > _MAX_UINT:
        raise DurationError(f"time: invalid duration {_quoted(text)}")
    if not name:
        raise DurationError(f"time: missing unit in duration {_quoted(text)}")
    unit = _UNITS.get(name)
    if unit is None:
        raise DurationError(f"time: unknown unit {_quoted(name)} in duration {_quoted(text)}")
    nanos = int(digits or "0") * unit
    kept = _kept_fraction(fraction)
    return nanos + (int(float(int(kept)) * (unit / 10.0 ** len(kept))) if kept else 0)


def _kept_fraction(fraction: str) -> str:
    """The digits that Go's `leadingFraction` reads before its 64 bits overflow."""
    kept = fraction[:18]
    for digit in fraction[18:20]:
        if int(kept) > (_MAX_UINT - 1) // 10 or int(kept + digit) > _MAX_UINT:
            break
        kept += digit
    return kept


def _quoted(text: str) -> str:
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    if " " <= char < "\x80":
        return char
    return "".join(f"\\x{byte:02x}" for byte in char.encode("utf-8", "surrogatepass"))


def format_duration(nanos: int) -> str:
    """What Go prints: `5m0s`, `1.5s`, `100ms`, `999µs`, `0s` (`Duration.String`)."""
    sign, size = ("-" if nanos < 0 else ""), abs(nanos)
    if size == 0:
        return "0s"
    for name, unit in (("ns", 1), ("µs", 1000), ("ms", MILLISECOND)):
        if size < unit * 1000:
            return f"{sign}{_decimal(size, unit)}{name}"
    minutes, rest = divmod(size, MINUTE)
    seconds = f"{_decimal(rest, SECOND)}s"
    if not minutes:
        return sign + seconds
    hours, minutes = divmod(minutes, 60)
    return f"{sign}{f'{hours}h' if hours else ''}{minutes}m{seconds}"


def _decimal(nanos: int, unit: int) -> str:
    whole, rest = divmod(nanos, unit)
    fraction = str(unit + rest)[1:].rstrip("0") if rest else ""
    return f"{whole}.{fraction}" if fraction else str(whole)
