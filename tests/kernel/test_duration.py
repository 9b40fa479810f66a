"""Durations are read and printed as Go does."""

from __future__ import annotations

import pytest

from qoslint.kernel.duration import (
    HOUR,
    MINUTE,
    SECOND,
    DurationError,
    format_duration,
    parse_duration,
)


@pytest.mark.parametrize(
    ("text", "nanos", "printed"),
    [
        ("1m30s", 90 * SECOND, "1m30s"),
        ("1.5h", 90 * MINUTE, "1h30m0s"),
        ("-1s", -SECOND, "-1s"),
        ("+.5s", SECOND // 2, "500ms"),
        ("1.s", SECOND, "1s"),
        ("0", 0, "0s"),
        ("999us", 999_000, "999µs"),
        ("1.0000005s", SECOND + 500, "1.0000005s"),
        ("100h", 100 * HOUR, "100h0m0s"),
        ("0.1234567890123456789999s", 123_456_789, "123.456789ms"),
        ("-9223372036854775808ns", -(2**63), "-2562047h47m16.854775808s"),
    ],
)
def test_a_duration_is_read_and_printed_as_by_go(text, nanos, printed):
    assert parse_duration(text) == nanos
    assert format_duration(nanos) == printed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", 'time: invalid duration ""'),
        ("5", 'time: missing unit in duration "5"'),
        ("1x", 'time: unknown unit "x" in duration "1x"'),
        ("1s ", 'time: unknown unit "s " in duration "1s "'),
        (".s", 'time: invalid duration ".s"'),
        ("s", 'time: invalid duration "s"'),
        ("9223372036854775808ns", 'time: invalid duration "9223372036854775808ns"'),
        ("9" * 5000 + "s", "time: invalid duration"),
        ('1"é', r'time: unknown unit "\"\xc3\xa9" in duration "1\"\xc3\xa9"'),
    ],
)
def test_what_is_no_duration_is_refused_in_go_s_words(text, message):
    with pytest.raises(DurationError) as caught:
        parse_duration(text)
    assert str(caught.value).startswith(message)
