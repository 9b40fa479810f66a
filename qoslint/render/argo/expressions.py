"""The expressions of Go templates in ApplicationSets: fields, and the functions used most."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NoReturn

from qoslint.render.argo.gotext import go_text
from qoslint.render.fields import Fields

_DEEPEST = 100
_TOKEN = re.compile(
    r"""\s*(?:(?P<text>"(?:[^"\\\n]|\\.)*"|`[^`]*`)|(?P<number>-?\d{1,9}(?![\w.]))
    |(?P<field>\.(?:\w+(?:\.\w+)*)?)|(?P<name>[A-Za-z]\w*)|(?P<sign>[()|]))""",
    re.VERBOSE,
)
_NOT_IN_NAMES = re.compile(r"[^-a-z0-9.]")


class UnevaluatedError(Exception):
    """A template that is not filled in here: one sentence without a full stop says why."""


class _Nothing:
    """What a field is that does not exist."""


_NOTHING = _Nothing()


def normalized(name: str) -> str:
    """The text as a name for an object (applicationset/utils SanitizeName)."""
    return _NOT_IN_NAMES.sub("-", name.lower())[:253].strip("-.")


def evaluated(expression: str, parameters: Fields, *, strict: bool) -> str:
    """What stands in place of an expression; raise UnevaluatedError.

    With `strict`, a field that is not set is an error.
    """
    return _shown(_Expression(expression, parameters, strict).value())


def _shown(value: object) -> str:
    if value is None or value is _NOTHING:
        return "<no value>"
    try:
        return go_text(value)
    except ValueError as error:
        raise UnevaluatedError("a template prints a list or a mapping") from error


class _Expression:
    """A pipeline of a Go template: fields, literals, parentheses and a few functions."""

    def __init__(self, expression: str, parameters: Fields, strict: bool) -> None:
        self._expression = expression
        self._parameters = parameters
        self._strict = strict
        self._tokens = list(_tokens(expression))
        self._at = 0
        self._depth = 0

    def value(self) -> object:
        """What it comes to."""
        found = self._pipeline()
        if self._at < len(self._tokens):
            self._refuse()
        return found

    def _refuse(self) -> NoReturn:
        shown = self._expression[:60]
        raise UnevaluatedError(f"qoslint does not evaluate the template '{{{{ {shown} }}}}'")

    def _next(self) -> tuple[str, str]:
        return self._tokens[self._at] if self._at < len(self._tokens) else ("end", "")

    def _pipeline(self) -> object:
        self._depth += 1
        if self._depth > _DEEPEST:
            self._refuse()
        found = self._command([])
        while self._next() == ("sign", "|"):
            self._at += 1
            found = self._command([found])
        self._depth -= 1
        return found

    def _command(self, piped: list[object]) -> object:
        kind, word = self._next()
        if kind == "name" and word in _FUNCTIONS:
            self._at += 1
            arguments = [*self._operands(), *piped]
            try:
                return _FUNCTIONS[word](*arguments)
            except (TypeError, ValueError, LookupError, AttributeError):
                self._refuse()
        operands = list(self._operands())
        if len(operands) != 1 or piped:
            self._refuse()
        return operands[0]

    def _operands(self) -> Iterator[object]:
        while True:
            kind, word = self._next()
            if kind == "text":
                self._at += 1
                yield word[1:-1] if word[0] == "`" else self._unquoted(word)
            elif kind == "number":
                self._at += 1
                yield int(word)
            elif kind == "field":
                self._at += 1
                yield self._field(self._parameters, word)
            elif kind == "name" and word in ("true", "false"):
                self._at += 1
                yield word == "true"
            elif (kind, word) == ("sign", "("):
                self._at += 1
                inner = self._pipeline()
                if self._next() != ("sign", ")"):
                    self._refuse()
                self._at += 1
                yield inner
            else:
                return

    def _unquoted(self, word: str) -> object:
        try:
            return json.loads(word)
        except ValueError:
            return self._refuse()

    def _field(self, value: object, chain: str) -> object:
        for number, name in enumerate(filter(None, chain.split("."))):
            if number and value is _NOTHING:
                self._refuse()
            if not isinstance(value, Mapping):
                self._refuse()
            elif name in value:
                value = value[name]
            elif self._strict:
                raise UnevaluatedError(f"the template names '{chain}', which is not set")
            else:
                value = _NOTHING
        return value


def _tokens(expression: str) -> Iterator[tuple[str, str]]:
    at = 0
    expression = expression.rstrip()
    while at < len(expression):
        match = _TOKEN.match(expression, at)
        if match is None or match.lastgroup is None:
            yield "other", expression[at:]
            return
        yield match.lastgroup, match[match.lastgroup]
        at = match.end()


def _index(value: object, *keys: object) -> object:
    for key in keys:
        if isinstance(value, Mapping) and isinstance(key, str):
            value = value.get(key, _NOTHING)
        elif isinstance(value, list) and isinstance(key, int) and 0 <= key < len(value):
            value = value[key]
        else:
            raise LookupError(key)
    return value


def _default(instead: object, value: object = _NOTHING) -> object:
    return instead if value is _NOTHING or not value else value


def _text(value: object) -> str:
    """An argument that must be a text in Go."""
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _list(value: object) -> Sequence[object]:
    if not isinstance(value, list) or not value:
        raise TypeError(value)
    return value


def _quoted(value: str) -> str:
    """Go's `%q`, for texts in which it escapes nothing that JSON does not."""
    if not value.isascii() or not value.isprintable():
        raise ValueError(value)
    return json.dumps(value)


def _joined(separator: object, values: object) -> str:
    return _text(separator).join(_shown(each) for each in _iterable(values))


def _iterable(values: object) -> Iterable[object]:
    if not isinstance(values, list):
        raise TypeError(values)
    return values


def _truncated(length: object, value: object) -> str:
    if not isinstance(length, int) or isinstance(length, bool):
        raise TypeError(length)
    content = _text(value)
    return content[:length] if length >= 0 else content[length:]


_FUNCTIONS: Mapping[str, Callable[..., object]] = {
    "index": _index,
    "default": _default,
    "quote": lambda value: _quoted(_shown(value)),
    "squote": lambda value: f"'{_shown(value)}'",
    "toString": _shown,
    "lower": lambda value: _text(value).lower(),
    "upper": lambda value: _text(value).upper(),
    "trim": lambda value: _text(value).strip(),
    "trimPrefix": lambda prefix, value: _text(value).removeprefix(_text(prefix)),
    "trimSuffix": lambda suffix, value: _text(value).removesuffix(_text(suffix)),
    "trunc": _truncated,
    "replace": lambda old, new, value: _text(value).replace(_text(old), _text(new)),
    "normalize": lambda value: normalized(_text(value)),
    "splitList": lambda separator, value: _text(value).split(_text(separator)),
    "join": _joined,
    "first": lambda values: _list(values)[0],
    "last": lambda values: _list(values)[-1],
}
"""Of Sprig and Argo CD, those that ApplicationSets use most."""
