"""The errors of jsonschema as sentences of our own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from qoslint.errors import nearest
from qoslint.schema.accept import Json
from qoslint.span import Path, field_path

if TYPE_CHECKING:
    from jsonschema import ValidationError

_LONGEST_SHOWN = 60
_LONGEST_PATH = 500

_TYPE_NAMES = {
    "object": "a mapping",
    "array": "a list",
    "string": "a string",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}

_OPTIONS = {"baseline": "--baseline FILE", "failon": "--fail-on SEVERITY"}


class SchemaProblem(NamedTuple):
    """What is wrong at one path of the data; the message names the path."""

    path: Path
    message: str


def problems(error: ValidationError) -> Iterator[SchemaProblem]:
    """What one error says, in most cases one problem."""
    path: Path = tuple(error.absolute_path)
    wanted: Json = error.validator_value
    found: Json = error.instance
    if error.validator == "additionalProperties":
        for key, known in _unknown_keys(error):
            hint = nearest(key, known) or _option(key)
            message = f"unknown key {_shown(key)}{_inside(path)}{hint}"
            yield SchemaProblem((*path, key), message)
    elif error.validator == "required":
        for key in wanted:
            if key not in found:
                yield SchemaProblem(path, f"missing key {key!r}{_inside(path)}")
    elif "propertyNames" in error.schema_path:
        yield SchemaProblem((*path, found), _wrong_key(error, path))
    else:
        yield SchemaProblem(path, f"{_named(path) or 'the document'} {_sentence(error)}")


def _option(key: str) -> str:
    """A closing hint for what other tools have in their settings, and is an option here."""
    plain = key.replace("_", "").replace("-", "").lower()
    if plain not in _OPTIONS:
        return ""
    option = _OPTIONS[plain]
    return (
        f": give {option} on the command line, in a hook's `args`, or as the input "
        f"`{option.strip('-').split()[0]}` of the action"
    )


def _unknown_keys(error: ValidationError) -> Iterator[tuple[str, Iterable[str]]]:
    schema: Json = error.schema
    found: Json = error.instance
    known = schema.get("properties", {})
    missing = [key for key in known if key not in found]
    for key in found:
        if key not in known and not _matches(key, schema.get("patternProperties", {})):
            yield key, missing


def _matches(key: str, patterns: Iterable[str]) -> bool:
    return any(re.search(pattern, key) for pattern in patterns)


def _wrong_key(error: ValidationError, path: Path) -> str:
    steps = list(error.absolute_schema_path)
    if "dependentSchemas" in steps:
        other = steps[steps.index("dependentSchemas") + 1]
        return f"key {_shown(error.instance)}{_inside(path)} cannot stand beside {other!r}"
    return f"key{_inside(path)} {_sentence(error)}"


def _sentence(error: ValidationError) -> str:
    """What a value must be and is not, to be read behind the path of the value."""
    wanted: Json = error.validator_value
    found: Json = error.instance
    match error.validator:
        case "type":
            names = [wanted] if isinstance(wanted, str) else wanted
            expected = _either([_TYPE_NAMES[name] for name in names])
            quotes = "; put it in quotes" if "string" in names and _is_number(found) else ""
            return f"must be {expected}, not {_described(found)}{quotes}"
        case "enum":
            hint = nearest(found, wanted) if isinstance(found, str) else ""
            return f"must be {_either(list(map(_shown, wanted)))}, not {_shown(found)}{hint}"
        case "const":
            return f"must be {_shown(wanted)}, not {_shown(found)}"
        case "pattern":
            schema: Json = error.schema
            examples = [repr(example) for example in schema.get("examples", ())]
            like = f"look like {_either(examples)}" if examples else f"match {wanted!r}"
            return f"must {like}, not {_shown(found)}"
        case "minLength" | "minItems" | "minProperties":
            return f"must have at least {wanted} {_unit(error)}" if found else "must not be empty"
        case "maxLength" | "maxItems" | "maxProperties":
            return f"must have at most {wanted} {_unit(error)}, not {len(found)}"
        case "minimum":
            return f"must be at least {wanted}, not {_shown(found)}"
        case "maximum":
            return f"must be at most {wanted}, not {_shown(found)}"
    return f"is not valid: {error.message[:_LONGEST_SHOWN]}"


def _unit(error: ValidationError) -> str:
    return {"Length": "characters", "Items": "items"}.get(str(error.validator)[3:], "keys")


def _inside(path: Path) -> str:
    return f" in {_named(path)}" if path else ""


def _named(path: Path) -> str:
    """The path as a sentence can hold it; its end says most."""
    text = field_path(path)
    return text if len(text) <= _LONGEST_PATH else f"...{text[-_LONGEST_PATH:]}"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _described(value: object) -> str:
    match value:
        case None:
            return "nothing"
        case dict():
            return "a mapping"
        case list():
            return "a list"
        case str():
            return f"the string {_shown(value)}"
        case bool():
            return _shown(value)
    return f"the number {_shown(value)}"


def _shown(value: object) -> str:
    text = repr(value) if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."


def _either(words: list[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]
