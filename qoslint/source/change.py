"""A wanted change of a JSON value: what shall differ, told apart from what must stay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

from qoslint.finding import Json
from qoslint.span import Path


class NoEditError(Exception):
    """A change that cannot surely be made in the text."""


class Value(NamedTuple):
    """What a field shall be; `GONE` stands for a field that shall not be."""

    value: Json


GONE = Value({"": None})
"""Recognised by identity: no field has to be this very value."""

Below: TypeAlias = "dict[str | int, Change]"
Change: TypeAlias = "Below | Value"
"""The changes below a value by the next step to them, or what the value itself becomes."""


def change(edits: Iterable[tuple[Path, Value]]) -> Below:
    """All the edits as one change; raise NoEditError where two of them contradict each other."""
    root: Below = {}
    for path, value in edits:
        *way, last = path or _nowhere()
        below = root
        for step in way:
            inner = below.setdefault(step, {})
            if isinstance(inner, Value):
                raise NoEditError
            below = inner
        if below.setdefault(last, value) is not value and not _equal(below[last], value):
            raise NoEditError
    return root


def _nowhere() -> Path:
    raise NoEditError


def _equal(one: Change, other: Value) -> bool:
    if one is GONE or other is GONE or not isinstance(one, Value):
        return False
    return same(one.value, other.value)


def made(wanted: Change) -> Json:
    """The new value of a field that is missing; `GONE.value` if there is none to make."""
    if isinstance(wanted, Value):
        return wanted.value
    inner: dict[str, Json] = {}
    for key, below in wanted.items():
        if isinstance(key, int):
            raise NoEditError
        value = made(below)
        if value is not GONE.value:
            inner[key] = value
    return inner or GONE.value


def same(one: object, other: object) -> bool:
    """Whether two JSON values are equal, in type too: 1 is neither true nor 1.0."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one is other or (
            one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
        )
    if type(one) is not type(other):
        return False
    if isinstance(one, list) and isinstance(other, list):
        return one is other or (len(one) == len(other) and all(map(same, one, other)))
    return one == other


def happened(wanted: Change, before: object, after: object) -> bool:
    """Whether `after` is `before` with exactly the wanted change."""
    if isinstance(wanted, Value):
        return wanted is not GONE and same(wanted.value, after)
    if not wanted:
        return same(before, after)
    if isinstance(before, list):
        return isinstance(after, list) and _happened_in_list(wanted, before, after)
    return isinstance(after, dict) and _happened_in_mapping(wanted, before, after)


def _happened_in_list(wanted: Below, before: list[object], after: list[object]) -> bool:
    if any(not isinstance(step, int) or not 0 <= step < len(before) for step in wanted):
        return False
    kept = [index for index in range(len(before)) if wanted.get(index) is not GONE]
    return len(kept) == len(after) and all(
        happened(wanted.get(index, {}), before[index], new)
        for index, new in zip(kept, after, strict=True)
    )


def _happened_in_mapping(wanted: Below, before: object, after: dict[str, object]) -> bool:
    if before is None:
        before = {}
    if not isinstance(before, dict):
        return False
    new: dict[str | int, Json] = {key: made(wanted[key]) for key in wanted if key not in before}
    new = {key: value for key, value in new.items() if value is not GONE.value}
    kept = {key for key in before if wanted.get(key) is not GONE}
    return (
        after.keys() == kept | new.keys()
        and all(happened(wanted.get(key, {}), before[key], after[key]) for key in kept)
        and all(same(value, after[str(key)]) for key, value in new.items())
    )
