"""Whether data is valid by a JSON Schema: the quick answer for data that is.

jsonschema takes 200 ms to import and a second for a thousand clusters. Settings are nearly always
valid, so the keywords that the schemas of people's files use are evaluated here first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Json: TypeAlias = Any
"""A JSON value of which a schema says what it is, better than a type could."""


def accepts(schema: Json, value: Json) -> bool:
    """Whether the value is valid, as far as the keywords are known here.

    False may mean that one is not: jsonschema, which knows all, then has the last word.
    """
    try:
        return _holds(schema, value)
    except KeyError:
        return False


def _holds(schema: Json, value: Json) -> bool:
    for key, wanted in schema.items():
        kind, holds = _KEYWORDS[key]
        if isinstance(value, kind) and not holds(wanted, value, schema):
            return False
    return True


def _has_type(names: Json, value: Json, _: Json) -> bool:
    names = [names] if isinstance(names, str) else names
    return any(
        isinstance(value, _TYPES[name]) and isinstance(value, bool) == (name == "boolean")
        for name in names
    )


def _has_only(wanted: Json, value: Json, schema: Json) -> bool:
    known, patterns = schema.get("properties", ()), schema.get("patternProperties", ())
    others = (
        key
        for key in value
        if key not in known and not any(re.search(pattern, key) for pattern in patterns)
    )
    return all(wanted is not False and _holds(wanted, value[key]) for key in others)


def _branch(condition: Json, value: Json, schema: Json) -> bool:
    return _holds(schema.get("then" if _holds(condition, value) else "else", {}), value)


_TYPES: Mapping[str, Json] = {
    "object": dict, "array": list, "string": str, "boolean": bool, "integer": int,
    "number": (int, float), "null": type(None),
}  # fmt: skip

_ANNOTATION = (object, lambda wanted, value, schema: True)
_KEYWORDS: Mapping[str, tuple[Json, Callable[[Json, Json, Json], bool]]] = {
    "type": (object, _has_type),
    "enum": (object, lambda wanted, value, _: value in wanted),
    "pattern": (str, lambda wanted, value, _: re.search(wanted, value) is not None),
    "minLength": (str, lambda wanted, value, _: len(value) >= wanted),
    "maxLength": (str, lambda wanted, value, _: len(value) <= wanted),
    "minItems": (list, lambda wanted, value, _: len(value) >= wanted),
    "maxItems": (list, lambda wanted, value, _: len(value) <= wanted),
    "minProperties": (dict, lambda wanted, value, _: len(value) >= wanted),
    "maxProperties": (dict, lambda wanted, value, _: len(value) <= wanted),
    "minimum": ((int, float), lambda wanted, value, _: value >= wanted),
    "maximum": ((int, float), lambda wanted, value, _: value <= wanted),
    "required": (dict, lambda wanted, value, _: all(key in value for key in wanted)),
    "properties": (
        dict,
        lambda wanted, value, _: all(
            _holds(wanted[key], item) for key, item in value.items() if key in wanted
        ),
    ),
    "patternProperties": (
        dict,
        lambda wanted, value, _: all(
            _holds(schema, item)
            for pattern, schema in wanted.items()
            for key, item in value.items()
            if re.search(pattern, key)
        ),
    ),
    "additionalProperties": (dict, _has_only),
    "propertyNames": (dict, lambda wanted, value, _: all(_holds(wanted, key) for key in value)),
    "dependentSchemas": (
        dict,
        lambda wanted, value, _: all(
            _holds(schema, value) for key, schema in wanted.items() if key in value
        ),
    ),
    "items": (list, lambda wanted, value, _: all(_holds(wanted, item) for item in value)),
    "anyOf": (object, lambda wanted, value, _: any(_holds(schema, value) for schema in wanted)),
    "not": (object, lambda wanted, value, _: not _holds(wanted, value)),
    "if": (object, _branch),
    "then": _ANNOTATION,
    "else": _ANNOTATION,
    "examples": _ANNOTATION,
    "default": _ANNOTATION,
}
