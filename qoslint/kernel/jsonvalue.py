"""Typed values out of JSON, as the API server's decoder takes them.

Mirrors the rules of `sigs.k8s.io/json` (Go's `encoding/json`): null is the zero value of any type,
unknown fields are ignored, and a value of another type ends the request. The sentences are ours:
Go's own text names its types rather than the author's fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias, TypeVar

from qoslint.kernel.pod import Path

_INT32 = 2**31
_INT64 = 2**63

_T = TypeVar("_T")


class DecodeError(ValueError):
    """A value that the API server cannot read: where it is, and one sentence about it."""

    def __init__(self, path: Path, message: str) -> None:
        """Refuse the value at `path`."""
        super().__init__(message)
        self.path = path
        self.message = message

    def below(self, parent: Path) -> DecodeError:
        """The same error, seen from an object that holds this one at `parent`."""
        return DecodeError((*parent, *self.path), self.message)


_Fields: TypeAlias = Mapping[str, object]
"""The object that a field is read from: `key` names the field, `path` leads to the object."""


def mapping(value: object, path: Path) -> Mapping[str, object]:
    """The object at `path`; empty if null."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _wrong_type(value, path, "a mapping")
    return value


def optional_mapping(value: object, path: Path) -> Mapping[str, object] | None:
    """An object, or None if null: for fields where absent and empty differ."""
    return None if value is None else mapping(value, path)


def items(data: _Fields, key: str, path: Path = ()) -> Iterable[tuple[Path, object]]:
    """The items of a list, each with its path; none if null."""
    value = data.get(key)
    if value is None:
        return ()
    if not isinstance(value, list):
        raise _wrong_type(value, (*path, key), "a list")
    return [((*path, key, index), item) for index, item in enumerate(value)]


def each(
    data: _Fields, key: str, decode: Callable[[object, Path], _T], path: Path = ()
) -> tuple[_T, ...]:
    """What `decode` makes of each item of a list and its path; none if null."""
    return tuple([decode(item, where) for where, item in items(data, key, path)])


def string(data: _Fields, key: str, path: Path = ()) -> str:
    """A text; empty if null."""
    value = data.get(key)
    if isinstance(value, str):  # a path is only put together for an error
        return value
    return "" if value is None else _text(value, (*path, key))


def optional_string(data: _Fields, key: str, path: Path = ()) -> str | None:
    """A text, or None if null: for pointers, where absent and empty differ."""
    return None if data.get(key) is None else string(data, key, path)


def strings(data: _Fields, key: str, path: Path = ()) -> tuple[str, ...]:
    """A list of texts."""
    return each(data, key, _text, path)


def string_map(data: _Fields, key: str, path: Path = ()) -> Mapping[str, str]:
    """A map of texts, such as labels."""
    value = data.get(key)
    if value is None:
        return {}
    where = (*path, key)
    texts = mapping(value, where)
    return {name: string(texts, name, where) for name in texts}


def boolean(data: _Fields, key: str, path: Path = ()) -> bool | None:
    """True, false, or None if null."""
    value = data.get(key)
    if value is not None and not isinstance(value, bool):
        raise _wrong_type(value, (*path, key), "true or false")
    return value


def int32(data: _Fields, key: str, path: Path = ()) -> int | None:
    """A 32-bit integer, or None if null."""
    return _integer(data, key, path, _INT32)


def int64(data: _Fields, key: str, path: Path = ()) -> int | None:
    """A 64-bit integer, or None if null."""
    return _integer(data, key, path, _INT64)


def _integer(data: _Fields, key: str, path: Path, bound: int) -> int | None:
    value = data.get(key)
    if value is None:
        return None
    # YAML's 2.0 reaches the API server as 2: the conversion to JSON drops the fraction.
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise _wrong_type(value, (*path, key), "an integer")
    if not -bound <= value < bound:
        bits = 32 if bound == _INT32 else 64
        raise DecodeError((*path, key), f"'{key}' must fit a {bits}-bit integer.")
    return value


def _text(value: object, path: Path) -> str:
    """A value as a text; empty if null."""
    if value is None:
        return ""
    if not isinstance(value, str):
        scalar = isinstance(value, bool | int | float)
        raise _wrong_type(value, path, "a string", " Put it in quotes." if scalar else "")
    return value


def _wrong_type(value: object, path: Path, expected: str, advice: str = "") -> DecodeError:
    message = f"{_named(path)} must be {expected}, not {_described(value)}.{advice}"
    return DecodeError(path, message)


def _named(path: Path) -> str:
    """The field that a path ends in, with the index of a list item."""
    names = [step for step in path if isinstance(step, str)]
    if not names:
        return "The object"
    if isinstance(path[-1], int):
        return f"Item {path[-1]} of '{names[-1]}'"
    return f"'{names[-1]}'"


def _described(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case dict():
            return "a mapping"
    return "a list"
