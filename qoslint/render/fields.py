"""Fields of objects that anybody wrote: whatever has another type than it should is not there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from qoslint.render.reach import items

Fields = Mapping[str, object]

_NONE: Fields = MappingProxyType({})


def mapping(value: object) -> Fields:
    """The mapping, an empty one for anything else."""
    return value if isinstance(value, Mapping) else _NONE


def at(value: object, *path: str) -> object:
    """The value of a field, None if it is not there."""
    for key in path:
        value = mapping(value).get(key)
    return value


def text(value: object, *path: str) -> str:
    """The text of a field, "" if there is none."""
    found = at(value, *path)
    return found if isinstance(found, str) else ""


def texts(value: object) -> Iterator[str]:
    """The texts in a list, empty ones left out."""
    return (item for item in items(value) if isinstance(item, str) and item)


def mappings(value: object) -> Iterator[Fields]:
    """The mappings in a list."""
    return (item for item in items(value) if isinstance(item, Mapping))


def pairs(value: object) -> dict[str, str]:
    """The entries of a mapping whose values are texts."""
    return {key: item for key, item in mapping(value).items() if isinstance(item, str)}


def is_set(value: object, *path: str) -> bool:
    """Whether a field holds true."""
    return at(value, *path) is True


def under_root(*parts: str) -> str | None:
    """The parts as one path relative to the root, "" for the root; None if it leaves it."""
    names: list[str] = []
    for name in "/".join(parts).split("/"):
        if name == "..":
            if not names:
                return None
            names.pop()
        elif name not in ("", "."):
            names.append(name)
    return "/".join(names)


def clamped(*parts: str) -> str:
    """The parts as one path, where `..` at the root stays there (securejoin.SecureJoin)."""
    names: list[str] = []
    for name in "/".join(parts).split("/"):
        if name == "..":
            del names[-1:]
        elif name not in ("", "."):
            names.append(name)
    return "/".join(names)
