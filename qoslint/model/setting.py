"""Settings of a kubelet, each with the place where somebody set it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from qoslint.finding import Place
from qoslint.schema import Json


@dataclass(frozen=True, slots=True)
class Setting:
    """A field of a kubelet's configuration. Settings that differ only in their place are equal."""

    value: object
    """JSON with its lists as tuples and its mappings read-only."""
    place: Place = field(compare=False)


def settings_at(place: Place, fields: Mapping[str, Json], *below: str | int) -> dict[str, Setting]:
    """The settings that the fields are, which stand under a path below the place."""
    path = (*place.path, *below)
    return {
        name: Setting(frozen(value), Place(place.object, (*path, name)))
        for name, value in fields.items()
    }


def frozen(value: Json) -> Json:
    """The JSON value with its lists as tuples and its mappings read-only."""
    if isinstance(value, dict):
        return MappingProxyType({key: frozen(item) for key, item in value.items()})
    if isinstance(value, list):
        return tuple(frozen(item) for item in value)
    return value
