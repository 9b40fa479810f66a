"""What a YAML scalar means to Kubernetes' YAML reader.

Mirrors sigs.k8s.io/yaml goyaml.v2/resolve.go: resolve, decode.go: scalar and yaml.go:
convertToJSONableObject. It is YAML 1.1 with Go's idea of numbers: `yes` is true, `010` is 8, `08`
is 8 too, `0o10` and `1_000` are integers, `1:30` and dates are strings, integers beyond 64 bits
are floats and floats beyond their range are strings.
"""

from __future__ import annotations

import binascii
import codecs
import math
import re
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import TypeAlias

Scalar: TypeAlias = str | int | float | bool | None

_TAG_PREFIX = "tag:yaml.org,2002:"
_MIN_INT64 = -(2**63)
_MAX_INT64 = 2**63 - 1
_MAX_UINT64 = 2**64 - 1

_WORDS: dict[str, Scalar] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE"), False),
    **dict.fromkeys(("on", "On", "ON"), True),
    **dict.fromkeys(("off", "Off", "OFF"), False),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), math.inf),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), -math.inf),
}
HINTS = frozenset("+-.0123456789yYnNtTfFoO~")
"""Only plain texts with one of these first characters can be anything but a string."""

_INTEGER = re.compile(r"([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_BASE64 = re.compile("[A-Za-z0-9+/]*+={0,2}")
# Compiled on first use: only tags ask for it.
_TIMESTAMP = (
    r"(\d{4})-(\d\d?)-(\d\d?)"
    r"(?:[Tt](\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?(?:Z|[-+]\d\d:\d\d)"
    r"| (\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?)?"
)


class ScalarError(ValueError):
    """A scalar that its tag does not allow; the message is Kubernetes' own."""


def plain(text: str) -> Scalar:
    """The value of a plain scalar without a tag."""
    if text and text[0] not in HINTS:
        return text
    # Long texts do not repeat, and a cache of them would keep their memory.
    return _plain_cached(text) if len(text) < 64 else _plain(text)


def _plain(text: str) -> Scalar:
    if text in _WORDS:
        return _WORDS[text]
    if text[0] == ".":
        # Unlike below, underscores stay: Go then refuses the float.
        return _float(text) if _FLOAT.fullmatch(text) else text
    if text[0] not in "+-0123456789":
        return text
    return _number(text)


_plain_cached = lru_cache(maxsize=4096)(_plain)


def _number(text: str) -> Scalar:
    digits = text.replace("_", "")
    match = _INTEGER.fullmatch(digits)
    if match is not None and (value := _integer(match)) is not None:
        return value
    if _FLOAT.fullmatch(digits) is None:
        return text
    number = _float(digits)
    return text if isinstance(number, str) else number


def _integer(match: re.Match[str]) -> int | None:
    """None beyond 64 bits; an unsigned 64-bit integer has no sign, not even a plus (ParseUint)."""
    sign, *groups = match.groups()
    base, digits = next(
        (base, digits) for base, digits in zip((16, 2, 8, 10), groups, strict=True) if digits
    )
    # Longer digits than any 64-bit number has would only cost time (or Python's own limit).
    digits = digits.lstrip("0") or "0"
    if len(digits) > 64:
        return None
    value = int(digits, base)
    if sign == "-":
        return -value if -value >= _MIN_INT64 else None
    return value if value <= (_MAX_INT64 if sign else _MAX_UINT64) else None


def _float(text: str) -> float | str:
    """A float, or the text itself where Go's ParseFloat reports a range error."""
    number = float(text)
    return text if math.isinf(number) else number


def tagged(tag: str, text: str) -> Scalar:
    """The value of a scalar with a tag; raise ScalarError.

    Tags other than YAML's own leave a string.
    """
    name = tag.removeprefix(_TAG_PREFIX)
    if name == tag or name not in ("str", "binary", "bool", "int", "float", "null", "timestamp"):
        return text
    if name == "str":
        return text
    if name == "binary":
        return _binary(text)
    value = plain(text)
    found = _type_name(value)
    if name == "float" and found == "int" and isinstance(value, int) and value <= _MAX_INT64:
        return float(value)
    if name == "timestamp" and _is_timestamp(text):
        return text
    if name != found:
        raise ScalarError(f"cannot decode !!{found} `{text[:80]}` as a !!{name}")
    return value


def _type_name(value: Scalar) -> str:
    if value is None:
        return "null"
    return {bool: "bool", int: "int", float: "float", str: "str"}[type(value)]


def _binary(text: str) -> str:
    encoded = text.replace("\r", "").replace("\n", "")
    if len(encoded) % 4 or _BASE64.fullmatch(encoded) is None:
        raise ScalarError("!!binary value contains invalid base64 data")
    return binascii.a2b_base64(encoded).decode("utf-8", errors="qoslint-go-replace")


def _replace_one_byte(error: UnicodeError) -> tuple[str, int]:
    """Go puts U+FFFD for each wrong byte; Python's own handler one for a whole sequence."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return "\ufffd", error.start + 1


codecs.register_error("qoslint-go-replace", _replace_one_byte)


def _is_timestamp(text: str) -> bool:
    match = re.fullmatch(_TIMESTAMP, text, re.ASCII)
    if match is None:
        return False
    year, month, day, *time = (int(part) for part in match.groups() if part is not None)
    try:
        date(year or 4, month, day)
    except ValueError:
        return False
    return not time or (time[0] < 24 and time[1] < 60 and time[2] < 60)


def key_text(key: object) -> str:
    """The JSON key that a YAML key becomes; raise ScalarError for what cannot be one."""
    if isinstance(key, bool):
        return "true" if key else "false"
    if isinstance(key, str):
        return key
    if isinstance(key, int) and key <= _MAX_INT64:
        return str(key)
    if isinstance(key, float):
        return _float_key(key)
    if isinstance(key, dict | list):
        raise ScalarError("a mapping or sequence cannot be a key")
    raise ScalarError("a null key is refused" if key is None else f"the key {key} is out of range")


def _float_key(number: float) -> str:
    """As Go's strconv.FormatFloat(number, 'g', -1, 64), with YAML's words for the infinities."""
    if math.isnan(number):
        return ".nan"
    if math.isinf(number):
        return ".inf" if number > 0 else "-.inf"
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    text = "".join(map(str, digits))
    minus = "-" if sign else ""
    point = len(text) + int(exponent)
    if number == 0:
        return minus + "0"
    if -4 <= point - 1 < 6:
        if point <= 0:
            return f"{minus}0.{'0' * -point}{text}"
        whole = text[:point].ljust(point, "0")
        return f"{minus}{whole}.{text[point:]}" if len(text) > point else minus + whole
    fraction = f".{text[1:]}" if len(text) > 1 else ""
    return f"{minus}{text[0]}{fraction}e{point - 1:+03d}"
