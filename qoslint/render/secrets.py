"""Values that may be secret, found again in what is made of them."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator

_SHORTEST = 8
"""Characters; what is shorter are words that anything may hold."""


def parts(value: str) -> Iterator[str]:
    """The lines of a value that tell it: as they are written, decoded and encoded."""
    for form in (value, _decoded(value), base64.b64encode(value.encode()).decode()):
        lines = (line.strip() for line in form.splitlines())
        yield from (line for line in lines if len(line) >= _SHORTEST)


def scalars(value: object) -> Iterator[str]:
    """All texts and numbers in a value, keys included."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        for each in value:
            yield from scalars(each)
    elif isinstance(value, str | int):
        yield str(value)


def _decoded(value: str) -> str:
    try:
        return base64.b64decode("".join(value.split()), validate=True).decode()
    except (binascii.Error, ValueError):
        return ""
