"""Cron schedules: what is wrong with one, in the words of the parser that CronJobs use.

Mirrors `github.com/robfig/cron/v3` parser.go ParseStandard.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from qoslint.kernel.duration import DurationError, parse_duration

_MAX_INT64 = 2**63 - 1
_DESCRIPTORS = frozenset(
    f"@{word}"
    for word in ("yearly", "annually", "monthly", "weekly", "daily", "midnight", "hourly")
)
_EVERY = "@every "
_LONGEST = 1000


class _Bounds(NamedTuple):
    """The numbers and names that one field may have."""

    min: int
    max: int
    names: Mapping[str, int]


def _numbered(first: int, names: str) -> dict[str, int]:
    return {name: first + index for index, name in enumerate(names.split())}


_FIELDS = (
    _Bounds(0, 59, {}),
    _Bounds(0, 23, {}),
    _Bounds(1, 31, {}),
    _Bounds(1, 12, _numbered(1, "jan feb mar apr may jun jul aug sep oct nov dec")),
    _Bounds(0, 6, _numbered(0, "sun mon tue wed thu fri sat")),
)


class _ScheduleError(ValueError):
    """The parser's complaint."""


def schedule_error(schedule: str) -> str | None:
    """The complaint about a schedule, or None if it is fine."""
    try:
        _check(schedule)
    except _ScheduleError as error:
        return str(error)
    return None


def _check(schedule: str) -> None:
    if len(schedule) > _LONGEST:
        raise _ScheduleError(f"schedules of more than {_LONGEST} characters are not evaluated")
    if schedule.startswith(("TZ=", "CRON_TZ=")):
        # The time zone itself is not checked: CronJobs may not name one here anyway.
        schedule = schedule.partition(" ")[2].strip()
    if schedule.startswith("@"):
        _check_descriptor(schedule)
        return
    fields = schedule.split()
    if len(fields) != len(_FIELDS):
        listed = " ".join(fields)
        raise _ScheduleError(
            f"expected exactly {len(_FIELDS)} fields, found {len(fields)}: [{listed}]"
        )
    for field, bounds in zip(fields, _FIELDS, strict=True):
        for expression in filter(None, field.split(",")):
            _check_range(expression, bounds)


def _check_descriptor(schedule: str) -> None:
    if schedule.startswith(_EVERY):
        try:
            parse_duration(schedule.removeprefix(_EVERY))
        except DurationError as error:
            raise _ScheduleError(f"failed to parse duration {schedule}: {error}") from None
    elif schedule not in _DESCRIPTORS:
        raise _ScheduleError(f"unrecognized descriptor: {schedule}")


def _check_range(expression: str, bounds: _Bounds) -> None:
    """A number, range or star, each with an optional step (`getRange`)."""
    span, *steps = expression.split("/")
    low, *highs = span.split("-")
    if low in ("*", "?"):
        start, end = bounds.min, bounds.max
    else:
        start = end = _number_or_name(low, bounds)
        if len(highs) > 1:
            raise _ScheduleError(f"too many hyphens: {expression}")
        if highs:
            end = _number_or_name(highs[0], bounds)
    if len(steps) > 1:
        raise _ScheduleError(f"too many slashes: {expression}")
    step = _number(steps[0]) if steps else 1
    if steps and not highs:
        end = bounds.max
    _check_order(start, end, bounds, expression)
    if step == 0:
        raise _ScheduleError(f"step of range should be a positive number: {expression}")


def _check_order(start: int, end: int, bounds: _Bounds, expression: str) -> None:
    if start < bounds.min:
        raise _ScheduleError(
            f"beginning of range ({start}) below minimum ({bounds.min}): {expression}"
        )
    if end > bounds.max:
        raise _ScheduleError(f"end of range ({end}) above maximum ({bounds.max}): {expression}")
    if start > end:
        raise _ScheduleError(
            f"beginning of range ({start}) beyond end of range ({end}): {expression}"
        )


def _number_or_name(text: str, bounds: _Bounds) -> int:
    named = bounds.names.get(text.lower())
    return _number(text) if named is None else named


def _number(text: str) -> int:
    """Go's `strconv.Atoi`, without a sign of minus."""
    if not re.fullmatch(r"[+-]?[0-9]+", text, re.ASCII):
        complaint = f'strconv.Atoi: parsing "{text}": invalid syntax'
        raise _ScheduleError(f"failed to parse int from {text}: {complaint}")
    number = int(text)
    if abs(number) > _MAX_INT64:
        complaint = f'strconv.Atoi: parsing "{text}": value out of range'
        raise _ScheduleError(f"failed to parse int from {text}: {complaint}")
    if number < 0:
        raise _ScheduleError(f"negative number ({number}) not allowed: {text}")
    return number
