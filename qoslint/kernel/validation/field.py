"""Field paths and field errors, printed as the API server prints them.

Mirrors `staging/src/k8s.io/apimachinery/pkg/util/validation/field/{path,errors}.go`. Values are
printed as since v1.34 (as JSON); before, some were printed as Go would dump them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from enum import StrEnum
from itertools import chain
from typing import NamedTuple

from qoslint.kernel.pod import Path
from qoslint.kernel.quoted import quoted


class Field(NamedTuple):
    """A field: as Kubernetes prints it, and as a path into the JSON value.

    They differ where Kubernetes prints a parent, or a name that does not exist. Both are put
    together when they are asked for: validation makes many fields and most have no error.
    """

    parent: Field | None
    suffix: str
    """What is printed after the parent; all of it if there is none."""
    step: Path
    """What the path has after the parent's."""
    shown: Field | None = None
    """The field that is printed instead."""

    @property
    def text(self) -> str:
        """The field as Kubernetes prints it: `spec.containers[0].resources.limits[cpu]`."""
        parts = []
        field: Field | None = self
        while field is not None:
            while field.shown is not None:
                field = field.shown
            parts.append(field.suffix)
            field = field.parent
        return "".join(reversed(parts)).removeprefix(".")

    @property
    def path(self) -> Path:
        """The path into the JSON value."""
        steps = []
        field: Field | None = self
        while field is not None:
            steps.append(field.step)
            field = field.parent
        return tuple(chain.from_iterable(reversed(steps)))

    def child(self, name: str) -> Field:
        """A field of this object: `spec.containers`."""
        return Field(self, f".{name}", (name,))

    def item(self, index: int) -> Field:
        """An item of this list: `containers[0]`."""
        return Field(self, f"[{index}]", (index,))

    def key(self, key: str) -> Field:
        """An entry of this map: `limits[cpu]`."""
        return Field(self, f"[{key}]", (key,))

    def at(self, path: Path) -> Field:
        """A field below this one, of objects and lists only."""
        field = self
        for step in path:
            field = field.item(step) if isinstance(step, int) else field.child(step)
        return field

    def printed_as(self, other: Field) -> Field:
        """This field's path under the text of another, which Kubernetes names instead."""
        return self._replace(shown=other)


def field_at(text: str, path: Path) -> Field:
    """A field that starts a tree of its own, or whose text has nothing to do with its path."""
    return Field(None, text, path)


POD_SPEC = field_at("spec", ())
"""The root of a pod's own errors: paths into the spec, texts from the object's root."""

ROOT = field_at("", ())
"""The root of an object."""


class ErrorType(StrEnum):
    """What is wrong with a field, in the words of `errors.go ErrorType.String`."""

    INVALID = "Invalid value"
    REQUIRED = "Required value"
    FORBIDDEN = "Forbidden"
    NOT_SUPPORTED = "Unsupported value"
    DUPLICATE = "Duplicate value"
    NOT_FOUND = "Not found"
    TOO_LONG = "Too long"


class FieldError(NamedTuple):
    """One complaint of the API server; `str()` is its text."""

    field: Field
    type: ErrorType
    value: str | None
    """The bad value as printed; None where the type of error prints none."""
    detail: str = ""

    def __str__(self) -> str:
        """The text as in `errors.go Error`."""
        parts = [self.field.text, str(self.type)]
        if self.value is not None:
            parts.append(self.value)
        if self.detail:
            parts.append(self.detail)
        return ": ".join(parts)


def invalid(field: Field, value: object, detail: str) -> FieldError:
    """A value that breaks a rule."""
    return FieldError(field, ErrorType.INVALID, printed(value), detail)


def required(field: Field, detail: str = "") -> FieldError:
    """A value that is missing."""
    return FieldError(field, ErrorType.REQUIRED, None, detail)


def forbidden(field: Field, detail: str) -> FieldError:
    """A field that may not be set here."""
    return FieldError(field, ErrorType.FORBIDDEN, None, detail)


def not_supported(field: Field, value: object, supported: Iterable[str]) -> FieldError:
    """A value out of an enumeration; the supported ones are printed in the order given."""
    names = ", ".join(quoted(name) for name in supported)
    return FieldError(field, ErrorType.NOT_SUPPORTED, printed(value), f"supported values: {names}")


def duplicate(field: Field, value: object) -> FieldError:
    """A value that another item of the list has."""
    return FieldError(field, ErrorType.DUPLICATE, printed(value))


def not_found(field: Field, value: object, detail: str) -> FieldError:
    """A reference to nothing."""
    return FieldError(field, ErrorType.NOT_FOUND, printed(value), detail)


def too_long(field: Field, limit: int) -> FieldError:
    """A text above a length."""
    return FieldError(field, ErrorType.TOO_LONG, None, f"may not be more than {limit} bytes")


MAX_ERRORS = 200
"""No object is said to have more: it is refused all the same, and nobody reads on."""

_PRINTED_LENGTH = 1000


def printed(value: object) -> str:
    """A bad value as an error shows it; very long ones are cut, which Kubernetes does not do."""
    if isinstance(value, str):
        return quoted(value[:_PRINTED_LENGTH])
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, sort_keys=True, default=str)
    return text[:_PRINTED_LENGTH]
