"""How a value is written: as a scalar, as a flow collection, or as lines of block style."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping

from qoslint.finding import Json
from qoslint.source.change import NoEditError
from qoslint.source.scalars import plain

# What needs no quotes for any YAML reader, be it one of YAML 1.1, of 1.2 or Kubernetes' own.
_PLAIN = re.compile(r"[A-Za-z0-9./_][A-Za-z0-9./_+-]*")
# To some readers these are numbers or dates, although Kubernetes' reader takes some for text.
_NUMBER_LIKE = re.compile(r"[0-9._+-]*|0[xXoObB][0-9a-fA-F_]*|[0-9._+-]+[eE][0-9._+-]*")
DOUBLE, SINGLE = '"', "'"


def scalar(value: Json, quote: str = "") -> str:
    """A scalar; text gets the quote, and without one is quoted only where it must be.

    Raises NoEditError for text with characters that could not be read in a diff.
    """
    if not isinstance(value, str):
        if isinstance(value, Mapping) or (isinstance(value, float) and not math.isfinite(value)):
            raise NoEditError
        return json.dumps(value)
    if not value.isprintable():
        raise NoEditError
    if quote == SINGLE:
        return "'" + value.replace("'", "''") + "'"
    if quote == DOUBLE or not _is_plain(value):
        return json.dumps(value, ensure_ascii=False)
    return value


def flow(value: Json, quote: str = "") -> str:
    """A value on one line; `quote` is that of text and keys."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(flow_entries(value, quote)) + "}"
    return scalar(value, quote)


def flow_entries(mapping: Mapping[str, Json], quote: str = "") -> Iterator[str]:
    """Each entry as it stands between the commas of a flow mapping."""
    for key, value in mapping.items():
        yield f"{scalar(key, quote)}: {flow(value, quote)}"


def block(mapping: Mapping[str, Json], indent: int, step: int) -> Iterator[str]:
    """The lines of a block mapping, with deeper ones indented by `step` more."""
    for key, value in mapping.items():
        name = " " * indent + scalar(key)
        if isinstance(value, Mapping) and value:
            yield f"{name}:"
            yield from block(value, indent + step, step)
        else:
            yield f"{name}: {flow(value)}"


def _is_plain(text: str) -> bool:
    return (
        _PLAIN.fullmatch(text) is not None
        and _NUMBER_LIKE.fullmatch(text) is None
        and isinstance(plain(text), str)
    )
