"""Typed values out of JSON for a component's own configuration, refused in Go's words.

Mirrors `sigs.k8s.io/json` (Go's `encoding/json`): a value of another type is noted and reading
goes on, as only the first is reported; a text that a type cannot parse ends it at once. Null is
the zero value; where a pointer makes absent and zero differ, it is None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from qoslint.kernel.duration import DurationError, parse_duration
from qoslint.kernel.pod import ResourceList
from qoslint.kernel.quantity import QuantityError, from_json


class GoJSONError(ValueError):
    """What Go says of a value that it cannot read."""


class Place(NamedTuple):
    """Where a value is: the Go struct and the path of fields; `errors` collects what is noted."""

    struct: str
    field: str
    errors: list[str]

    def at(self, name: str) -> Place:
        """The place of a field of the object."""
        return self._replace(field=f"{self.field}.{name}" if self.field else name)

    def refuse(self, value: str, go_type: str) -> None:
        """Note a value of the wrong type."""
        self.errors.append(self.wrong_type(value, go_type))

    def wrong_type(self, value: str, go_type: str) -> str:
        """`UnmarshalTypeError.Error`."""
        if not (self.struct or self.field):
            return f"json: cannot unmarshal {value} into Go value of type {go_type}"
        field = f"{self.struct}.{self.field}"
        return f"json: cannot unmarshal {value} into Go struct field {field} of type {go_type}"


Read: TypeAlias = Callable[[object, Place], object]


def read_object(
    value: object, place: Place, struct: str, readers: Mapping[str, Read]
) -> dict[str, object]:
    """What the readers make of the fields of a Go struct, in its order.

    Unknown fields are left out.
    """
    if not isinstance(value, dict):
        if value is not None:
            place.refuse(_described(value), f"v1beta1.{struct}" if struct else "struct")
        return {}
    inner = place._replace(struct=struct)
    return {name: readers[name](value[name], inner.at(name)) for name in value if name in readers}


def list_of(read: Read, go_type: str) -> Read:
    """A reader of lists, None for null."""

    def read_list(value: object, place: Place) -> tuple[object, ...] | None:
        if isinstance(value, list):
            return tuple([read(item, place) for item in value])
        if value is not None:
            place.refuse(_described(value), go_type)
        return None

    return read_list


def _map_of(read: Read, go_type: str) -> Read:
    def read_map(value: object, place: Place) -> dict[str, object] | None:
        if isinstance(value, dict):
            return {name: read(item, place) for name, item in value.items()}
        if value is not None:
            place.refuse(_described(value), go_type)
        return None

    return read_map


def _string(value: object, place: Place) -> str | None:
    if value is None or isinstance(value, str):
        return value
    place.refuse(_described(value), "string")
    return None


def _boolean(value: object, place: Place) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    place.refuse(_described(value), "bool")
    return None


def _float64(value: object, place: Place) -> float | None:
    if value is None or isinstance(value, float):
        return value
    if isinstance(value, bool) or not isinstance(value, int):
        place.refuse(_described(value), "float64")
        return None
    try:
        return float(value)
    except OverflowError:
        place.refuse(f"number {_digits(value)}", "float64")
        return None


def _integer(bits: int) -> Read:
    bound = 2 ** (bits - 1)

    def read_integer(value: object, place: Place) -> int | None:
        # YAML's 2.0 reaches Go as 2: the conversion to JSON drops the fraction.
        if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
            value = int(value)
        if value is None or (isinstance(value, int) and not isinstance(value, bool)):
            if value is None or -bound <= value < bound:
                return value
            place.refuse(f"number {_digits(value)}", f"int{bits}")
            return None
        number = f"number {value}" if isinstance(value, float) else _described(value)
        place.refuse(number, f"int{bits}")
        return None

    return read_integer


def _duration(value: object, place: Place) -> int:
    """Nanoseconds; the type has no null, which reads as an empty text."""
    if value is not None and not isinstance(value, str):
        raise GoJSONError(place.wrong_type(_described(value), "string"))
    try:
        return parse_duration(value or "")
    except DurationError as error:
        raise GoJSONError(str(error)) from None


def _optional_duration(value: object, place: Place) -> int | None:
    return None if value is None else _duration(value, place)


def resource_list(value: object, place: Place) -> ResourceList | None:
    """Quantities by resource, None for null."""
    if not isinstance(value, dict):
        if value is not None:
            place.refuse(_described(value), "v1.ResourceList")
        return None
    try:
        return ResourceList({name: from_json(item) for name, item in value.items()})
    except QuantityError as error:
        raise GoJSONError(str(error)) from None


def _map_value(read: Read, zero: object) -> Read:
    def read_value(value: object, place: Place) -> object:
        return zero if value is None else read(value, place)

    return read_value


STRING: Read = _string
BOOLEAN: Read = _boolean
INT32 = _integer(32)
INT64 = _integer(64)
FLOAT64: Read = _float64
DURATION: Read = _duration
OPTIONAL_DURATION: Read = _optional_duration
STRINGS = list_of(_map_value(STRING, ""), "[]string")
STRING_MAP = _map_of(_map_value(STRING, ""), "map[string]string")
BOOLEAN_MAP = _map_of(_map_value(BOOLEAN, False), "map[string]bool")

_SHOWN_DIGITS = 100


def _digits(value: int) -> str:
    """An integer's text; beyond a bound its size, since Python does not print any size."""
    if value.bit_length() > 3 * _SHOWN_DIGITS:
        return f"of more than {_SHOWN_DIGITS * 9 // 10} digits"
    return str(value)


def _described(value: object) -> str:
    """The JSON type in Go's words."""
    match value:
        case bool():
            return "bool"
        case int() | float():
            return "number"
        case str():
            return "string"
        case dict():
            return "object"
    return "array"
