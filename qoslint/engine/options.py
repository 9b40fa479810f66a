"""Options of rules: what a page declares, and what the settings make of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from qoslint.errors import nearest
from qoslint.kernel.quantity import QuantityError, from_json
from qoslint.model.expect.annotations import selector
from qoslint.model.subject import Options


class Option(NamedTuple):
    """An option of a rule, as the front matter of its page declares it."""

    default: object
    """None where the rule does without a value."""
    type: str
    """`boolean`, `integer`, `quantity`, `string`, `strings`, `selectors`, or `choice`."""
    choices: tuple[str, ...] = ()
    description: str = ""


class OptionError(NamedTuple):
    """What is wrong with one option of a rule; the message reads on from its path."""

    name: str
    message: str


def option_errors(declared: Mapping[str, Option], given: Options) -> Iterator[OptionError]:
    """Everything that the settings give and the page does not allow."""
    for name, value in given.items():
        if name not in declared:
            yield OptionError(name, f"is no option of the rule{nearest(name, declared)}")
        elif complaint := _complaint(declared[name], value):
            yield OptionError(name, f"must be {complaint}")


def resolved(declared: Mapping[str, Option], given: Options) -> Options:
    """The value of each declared option, which `option_errors` has nothing to say of."""
    return {
        name: _value(option, given.get(name, option.default)) for name, option in declared.items()
    }


def _complaint(option: Option, value: object) -> str:
    """What the value should be, if it is not."""
    match option.type:
        case "boolean":
            return "" if isinstance(value, bool) else "true or false"
        case "integer":
            fits = isinstance(value, int) and not isinstance(value, bool)
            return "" if fits else "a whole number"
        case "string":
            return "" if isinstance(value, str) else "a string"
        case "strings":
            fits = isinstance(value, list | tuple) and all(isinstance(each, str) for each in value)
            return "" if fits else "a list of strings"
        case "selectors":
            return _selectors_complaint(value)
        case "choice":
            if isinstance(value, str) and value in option.choices:
                return ""
            hint = nearest(value, option.choices) if isinstance(value, str) else ""
            return f"one of {', '.join(option.choices)}{hint}"
    try:
        from_json(value)
    except QuantityError as error:
        return f"a quantity: {error}"
    return ""


def _selectors_complaint(value: object) -> str:
    if not isinstance(value, list | tuple):
        return "a list of selectors such as kind=StatefulSet"
    for each in value:
        try:
            selector(str(each))
        except ValueError as error:
            return f"a list of selectors, and one {error}"
    return ""


def _value(option: Option, value: object) -> object:
    if option.type == "quantity" and value is not None:
        return from_json(value)
    if option.type == "selectors" and isinstance(value, list | tuple):
        return tuple(map(selector, map(str, value)))
    return tuple(value) if isinstance(value, list | tuple) else value
