"""Checks data against a shipped JSON Schema; the problems are sentences of our own."""

from __future__ import annotations

import functools
import heapq
import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from qoslint.package_data import data as package_data
from qoslint.schema.accept import Json, accepts
from qoslint.schema.sentences import SchemaProblem, problems

if TYPE_CHECKING:
    from jsonschema import ValidationError

__all__ = ["Json", "SchemaProblem", "check"]

_SUFFIX = ".schema.json"
_MOST_ERRORS = 1000
_FOR_READERS = frozenset({"$schema", "$id", "$ref", "title", "description"})
"""Keywords that an inlined schema does without; a property of such a name has no string."""


def check(data: Json, name: str) -> Iterator[SchemaProblem]:
    """What is wrong with `data` by the schema `name`, such as `settings`; misspelt keys first.

    A key that is misspelt is often also missing, so that the misspelling says more. Of very many
    errors the first by path are told.
    """
    schema = _schema(name)
    if accepts(schema, data):
        return
    # Imported here because few runs come here; see `accept`.
    from jsonschema import Draft202012Validator

    # It goes through the keys of a mapping in the order of a set.
    errors = Draft202012Validator(schema).iter_errors(data)
    told = set()
    for error in heapq.nsmallest(_MOST_ERRORS, errors, key=_order):
        for problem in problems(error):
            # One error of `required` comes for each missing key, and each of them tells all.
            if problem not in told:
                told.add(problem)
                yield problem


def _order(error: ValidationError) -> tuple[bool, list[str | int]]:
    return error.validator != "additionalProperties", list(error.absolute_path)


@functools.cache
def _schema(name: str) -> Json:
    files = package_data("schemas").iterdir()
    schemas = {file.name: json.loads(file.read_text("utf-8")) for file in files}
    return _inlined(schemas[name + _SUFFIX], name + _SUFFIX, schemas)


def _inlined(schema: Json, home: str, schemas: Mapping[str, Json]) -> Json:
    """The schema with what it refers to in the place of each `$ref`, from our own files only.

    Following a reference for each value takes as long as all else that a validator does. It works
    because no schema of ours refers to itself, and a `$ref` has only annotations beside it.
    """
    if isinstance(schema, list):
        return [_inlined(item, home, schemas) for item in schema]
    if not isinstance(schema, dict):
        return schema
    own = {
        key: _inlined(value, home, schemas)
        for key, value in schema.items()
        if not (key == "$defs" or (key in _FOR_READERS and isinstance(value, str)))
    }
    if "$ref" not in schema:
        return own
    file, _, pointer = schema["$ref"].partition("#")
    target = schemas[file or home]
    for step in pointer.split("/")[1:]:
        target = target[step]
    return {**_inlined(target, file or home, schemas), **own}
