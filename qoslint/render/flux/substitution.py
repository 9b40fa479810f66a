"""Flux's `postBuild`: variables in the text of rendered objects (fluxcd/pkg envsubst)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from qoslint.render.fields import text
from qoslint.render.globs import shell

SWITCH = "kustomize.toolkit.fluxcd.io/substitute"

_DEEPEST = 50
_LONGEST = 1_000_000
_LONGEST_TRIMMED = 2000
_NAME = re.compile(r"[_A-Za-z][_A-Za-z0-9]*")
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_TOP = re.compile(r"\$\$|\$\{")


class SubstitutionError(Exception):
    """A text that Flux refuses: one sentence without a full stop says why."""


def is_name(name: str) -> bool:
    """Whether Flux takes it for the name of a variable; it applies nothing if one is wrong."""
    return _NAME.fullmatch(name) is not None


def is_disabled(data: object) -> bool:
    """Whether an object is left as it is, by its label or annotation."""
    places = ("labels", "annotations")
    return any(text(data, "metadata", place, SWITCH) == "disabled" for place in places)


def substituted(content: str, variables: Mapping[str, str], *, all_known: bool = True) -> str:
    """The text of one object with its variables filled in; raise SubstitutionError.

    `$${NAME}` stands for `${NAME}`. A variable that is not set is empty; if not all are known it
    stays as it is written.
    """
    reader = _Reader(content, variables, all_known)
    parts = []
    at = 0
    while (match := _TOP.search(content, at)) is not None:
        parts.append(content[at : match.start()])
        if match[0] == "$$":
            parts.append("$")
            at = match.end()
            continue
        value, at = reader.function(match.end(), 0)
        parts.append(content[match.start() : at] if value is None else value)
    return "".join([*parts, content[at:]])


class _Read(NamedTuple):
    """What an expression comes to, None if that is not known, and where it ends."""

    value: str | None
    end: int


class _Reader:
    """Reads `${...}` as envsubst/parse does, and evaluates it at once."""

    def __init__(self, content: str, variables: Mapping[str, str], all_known: bool) -> None:
        self._text = content
        self._variables = variables
        self._all_known = all_known

    def function(self, at: int, depth: int) -> _Read:
        """The expression whose `${` ends at the index."""
        if depth > _DEEPEST:
            raise SubstitutionError("variables are nested more than 50 levels deep")
        if self._peek(at) == "#":
            name, at = self._name(at + 1)
            value = self._value(name)
            return _Read(value and str(len(value.encode())), self._closed(at))
        name, at = self._name(at)
        sign = self._peek(at)
        value = self._value(name)
        if sign == "=" or (sign == ":" and self._peek(at + 1) in ("=", "-", "?", "+")):
            return self._default(value, at + (1 if sign == "=" else 2), depth)
        if sign == ":":
            return self._part(value, at + 1, depth)
        if sign in (",", "^") and sign:
            return self._cased(value, at)
        if sign == "/":
            return self._replaced(value, at + 1, depth)
        if sign in ("#", "%") and sign:
            return self._trimmed(value, at, depth)
        return _Read(value, self._closed(at))

    def _peek(self, at: int) -> str:
        return self._text[at : at + 1]

    def _value(self, name: str) -> str | None:
        found = self._variables.get(name)
        return "" if found is None and self._all_known else found

    def _name(self, at: int) -> tuple[str, int]:
        end = at
        while (sign := self._peek(end)) and (sign.isalpha() or sign.isdecimal() or sign == "_"):
            end += 1
        if end == at:
            raise self._refused(at, "a name is missing")
        return self._text[at:end], end

    def _closed(self, at: int) -> int:
        if self._peek(at) != "}":
            raise self._refused(at, "a closing brace is missing")
        return at + 1

    def _refused(self, at: int, why: str) -> SubstitutionError:
        start = max(self._text.rfind("${", 0, at), at - 40)
        shown = self._text[start : at + 20].split("\n")[0]
        return SubstitutionError(f"'{shown}' cannot be substituted: {why}")

    def _argument(self, at: int, stops: str, depth: int, *, escapes: bool = False) -> _Read:
        """An expression, or a text up to one of the stops or the next expression."""
        if self._text.startswith("${", at):
            return self.function(at + 2, depth + 1)
        parts = []
        end = at
        while (sign := self._peek(end)) and sign not in stops:
            pair = self._text[end : end + 2]
            if pair == "${":
                break
            if escapes and pair in ("$$", "\\/", "\\\\"):
                sign = pair[1]
                end += 1
            parts.append(sign)
            end += 1
        if not parts:
            raise self._refused(at, "an argument is missing")
        return _Read("".join(parts), end)

    def _default(self, value: str | None, at: int, depth: int) -> _Read:
        parts: list[str | None] = []
        while self._peek(at) != "}":
            part, at = self._argument(at, "}", depth)
            parts.append(part)
        if value is None or value:
            return _Read(value, at + 1)
        known = [part for part in parts if part is not None]
        return _Read("".join(known) if len(known) == len(parts) else None, at + 1)

    def _part(self, value: str | None, at: int, depth: int) -> _Read:
        start, at = self._argument(at, ":}", depth)
        length: str | None = ""
        if self._peek(at) == ":":
            while self._peek(at) == ":":
                at += 1
            length, at = self._argument(at, "}", depth)
        at = self._closed(at)
        if value is None or start is None or length is None:
            return _Read(None, at)
        return _Read(_part(value, start, length), at)

    def _cased(self, value: str | None, at: int) -> _Read:
        end = at
        while self._peek(end) in (",", "^") and end < min(at + 2, len(self._text)):
            end += 1
        case = _CASES.get(self._text[at:end], str)
        return _Read(None if value is None else case(value), self._closed(end))

    def _replaced(self, value: str | None, at: int, depth: int) -> _Read:
        kind = self._peek(at)
        if kind in ("/", "#", "%") and kind:
            at += 1
        else:
            kind = ""
        old, at = self._argument(at, "/", depth, escapes=True)
        if self._peek(at) != "/":
            raise self._refused(at, "a slash is missing")
        while self._peek(at) == "/":
            at += 1
        new: str | None = None
        given = self._peek(at) != "}"
        if given:
            new, at = self._argument(at, "}", depth, escapes=True)
        at = self._closed(at)
        if value is None or old is None or (given and new is None):
            return _Read(None, at)
        return _Read(_bounded(_replaced(value, kind, old, new)), at)

    def _trimmed(self, value: str | None, at: int, depth: int) -> _Read:
        sign = self._peek(at)
        longest = self._peek(at + 1) == sign
        pattern, at = self._argument(at + 1 + longest, "}", depth)
        at = self._closed(at)
        if value is None or pattern is None:
            return _Read(None, at)
        if sign == "#":
            return _Read(_without_start(value, pattern, longest), at)
        return _Read(_without_start(value[::-1], pattern[::-1], longest)[::-1], at)


def _first(case: Callable[[str], str]) -> Callable[[str], str]:
    return lambda value: case(value[:1]) + value[1:]


_CASES: Mapping[str, Callable[[str], str]] = {
    ",,": str.lower,
    "^^": str.upper,
    ",": _first(str.lower),
    "^": _first(str.upper),
}


def _bounded(value: str) -> str:
    if len(value) > _LONGEST:
        raise SubstitutionError("a variable grows beyond a million characters")
    return value


def _part(value: str, start: str, length: str) -> str:
    """`${NAME:start:length}`, in bytes as in Go; what is no number leaves the value as it is."""
    if not _INTEGER.fullmatch(start):
        return value
    content = value.encode()
    first = int(start) if int(start) >= 0 else max(len(content) + int(start), 0)
    last = len(content)
    if length:
        if not _INTEGER.fullmatch(length):
            return value
        last = first + int(length)
        if last < first:
            raise SubstitutionError(f"the length {length} of a part of a variable is negative")
    return content[first:last].decode("utf-8", "replace")


def _replaced(value: str, kind: str, old: str, new: str | None) -> str:
    if kind == "/":
        if len(value) * len(new or "") > 100 * _LONGEST:
            raise SubstitutionError("a variable grows beyond a million characters")
        return value.replace(old, new or "")
    if kind == "":
        return value.replace(old, new or "", 1)
    if new is None:
        return value
    if kind == "#":
        return new + value[len(old) :] if value.startswith(old) else value
    return value[: len(value) - len(old)] + new if value.endswith(old) else value


def _without_start(value: str, pattern: str, longest: bool) -> str:
    if len(value) > _LONGEST_TRIMMED:
        raise SubstitutionError("a variable to trim is longer than 2,000 characters")
    matches = shell(pattern)
    lengths = range(len(value), 0, -1) if longest else range(1, len(value) + 1)
    return next((value[length:] for length in lengths if matches(value[:length])), value)
