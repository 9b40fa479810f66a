"""Cron schedules, in the words of the parser that the API server uses."""

from __future__ import annotations

import pytest

from qoslint.kernel.validation.cron import schedule_error


@pytest.mark.parametrize(
    "schedule",
    [
        "* * * * *",
        "*/5 0-23/2 1,15 jan-DEC mon-fri",
        "0 0 ? * SUN",
        "5/15 * * * *",
        "0 3 * * 0",
        "  0   3 * * 6  ",
        "*/61 * * * *",
        "@hourly",
        "@midnight",
        "@every 1h30m",
        "@every 1.5s",
        "TZ=Europe/Paris 0 0 * * *",
    ],
)
def test_a_schedule_is_fine(schedule):
    assert schedule_error(schedule) is None


@pytest.mark.parametrize(
    ("schedule", "complaint"),
    [
        ("bad", "expected exactly 5 fields, found 1: [bad]"),
        ("0 0 * * * *", "expected exactly 5 fields, found 6: [0 0 * * * *]"),
        ("61 * * * *", "end of range (61) above maximum (59): 61"),
        ("* 24 * * *", "end of range (24) above maximum (23): 24"),
        ("* * 0 * *", "beginning of range (0) below minimum (1): 0"),
        ("* * * 13 *", "end of range (13) above maximum (12): 13"),
        ("* * * * 7", "end of range (7) above maximum (6): 7"),
        ("30-10 * * * *", "beginning of range (30) beyond end of range (10): 30-10"),
        ("*/0 * * * *", "step of range should be a positive number: */0"),
        ("1-2-3 * * * *", "too many hyphens: 1-2-3"),
        ("1/2/3 * * * *", "too many slashes: 1/2/3"),
        (
            "a * * * *",
            'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax',
        ),
        (
            "-1 * * * *",
            'failed to parse int from : strconv.Atoi: parsing "": invalid syntax',
        ),
        ("*/-1 * * * *", "negative number (-1) not allowed: -1"),
        (
            "99999999999999999999 * * * *",
            "failed to parse int from 99999999999999999999: strconv.Atoi: parsing "
            '"99999999999999999999": value out of range',
        ),
        ("@dayly", "unrecognized descriptor: @dayly"),
        ("@every", "unrecognized descriptor: @every"),
        (
            "@every 5",
            'failed to parse duration @every 5: time: missing unit in duration "5"',
        ),
        (
            "@every 1d",
            'failed to parse duration @every 1d: time: unknown unit "d" in duration "1d"',
        ),
        ("@every x", 'failed to parse duration @every x: time: invalid duration "x"'),
    ],
)
def test_a_schedule_is_refused(schedule, complaint):
    assert schedule_error(schedule) == complaint
