"""Helm's `--set` notation, applied into values that exist: `pkg/strvals/parser.go`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

MOST_NESTED = 30
MOST_INDEX = 65536

Values: TypeAlias = dict[str, object]
_Typed: TypeAlias = Callable[[str], object]

_INTEGER = re.compile(r"[+-]?[0-9]+")
_FIXED = {"true": True, "false": False, "null": None}


class Int64(int):
    """A number that was given by name: an int64 to templates, where files give a float64."""


class NotationError(ValueError):
    """A name or value that Helm cannot read."""


class _Reader:
    """Runs through a text, character by character."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def until(self, stops: str) -> tuple[str, str]:
        """What stands before the next of the stops, and which it is; empty at the end."""
        found: list[str] = []
        while self.at < len(self.text):
            character = self.text[self.at]
            self.at += 1
            if character in stops:
                return "".join(found), character
            if character == "\\":
                character = self.text[self.at : self.at + 1]
                self.at += 1
            found.append(character)
        return "".join(found), ""

    def rest(self) -> str:
        return self.text[self.at :]


def apply(values: Values, name: str, value: str, typed: _Typed) -> None:
    """Set one value by its name; raise NotationError. `typed` makes the value of a text."""
    reader = _Reader(f"{name}={value}")
    _key(reader, values, 0, typed)
    if reader.rest():
        raise NotationError(f"{reader.rest()!r} is left over")


def typed(text: str) -> object:
    """What `--set` makes of a text (`typedVal`)."""
    lower = text.lower()
    if lower in _FIXED:
        return _FIXED[lower]
    if text == "0" or (not text.startswith("0") and _INTEGER.fullmatch(text)):
        number = int(text) if len(text) <= 20 else 1 << 64
        if -(1 << 63) <= number < 1 << 63:
            return Int64(number)
    return text


def escaped(text: str) -> str:
    """A text that is one value in the notation, whatever it holds."""
    return re.sub(r"([\\,{])", r"\\\1", text)


def one_value(text: str) -> str:
    """A value with its commas escaped, but for a list; what Argo CD does with `parameters`."""
    if text.startswith("{") and text.endswith("}"):
        return text
    return re.sub(r"([^\\]),", r"\1\\,", text)


def _key(reader: _Reader, data: Values, nested: int, typed: _Typed) -> None:
    name, stop = reader.until("=[,.")
    match stop:
        case "[":
            index = _index(reader)
            items = _list(data[name]) if name in data else []
            _put(data, name, _item(reader, items, index, nested, typed))
        case "=":
            _put(data, name, _value(reader, typed))
        case ".":
            if nested + 1 > MOST_NESTED:
                raise NotationError(f"it nests more than {MOST_NESTED} names")
            inner = data.get(name, {})
            if not isinstance(inner, dict):
                raise NotationError(f"{name!r} is no mapping")
            _key(reader, inner, nested + 1, typed)
            if not inner:
                raise NotationError(f"{name!r} has no value")
            _put(data, name, inner)
        case _:
            raise NotationError(f"{name!r} has no value")


def _put(data: Values, name: str, value: object) -> None:
    if name:
        data[name] = value


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise NotationError("an index leads into what is no list")
    return value


def _index(reader: _Reader) -> int:
    text, stop = reader.until("]")
    if not stop or not text.isdecimal() or int(text[:9]) > MOST_INDEX:
        raise NotationError(f"{text!r} is no index from 0 to {MOST_INDEX}")
    return int(text)


def _item(
    reader: _Reader, items: list[object], index: int, nested: int, typed: _Typed
) -> list[object]:
    text, stop = reader.until("[.=")
    if text:
        raise NotationError(f"{text!r} behind an index")
    old = items[index] if index < len(items) else None
    value: object
    match stop:
        case "=":
            value = _value(reader, typed)
        case "[":
            inside = [] if old is None else _list(old)
            value = _item(reader, inside, _index(reader), nested, typed)
        case ".":
            inner: Values = old if isinstance(old, dict) else {}
            _key(reader, inner, nested, typed)
            value = inner
        case _:
            raise NotationError("an index has no value")
    items.extend([None] * (index + 1 - len(items)))
    items[index] = value
    return items


def _value(reader: _Reader, typed: _Typed) -> object:
    if not reader.rest():
        return ""
    if reader.text[reader.at] != "{":
        return typed(reader.until(",")[0])
    reader.at += 1
    found: list[object] = []
    while True:
        text, stop = reader.until(",}")
        if not stop:
            raise NotationError("a list must end with '}'")
        found.append(typed(text))
        if stop == "}":
            if reader.rest().startswith(","):
                reader.at += 1
            return found
