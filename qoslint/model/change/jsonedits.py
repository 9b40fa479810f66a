"""The fields in which two JSON values differ."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from qoslint.model.setting import Setting
from qoslint.span import Path

_LONGEST = 80
_DEEPEST = 40


class FieldEdit(NamedTuple):
    """A field that one of two values lacks, or has otherwise; None is a value that is lacking."""

    path: Path
    before: str | None
    after: str | None


def field_edits(before: object, after: object, path: Path = ()) -> Iterator[FieldEdit]:
    """The smallest fields that differ, in the order of the older value, then of the newer."""
    if before == after and type(before) is type(after):
        return
    if len(path) < _DEEPEST:
        if isinstance(before, Mapping) and isinstance(after, Mapping):
            for key in dict.fromkeys((*before, *after)):
                yield from field_edits(before.get(key), after.get(key), (*path, key))
            return
        if isinstance(before, list | tuple) and isinstance(after, list | tuple):
            yield from _of_lists(before, after, path)
            return
    yield FieldEdit(path, shown(before), shown(after))


def _of_lists(before: Sequence[object], after: Sequence[object], path: Path) -> Iterator[FieldEdit]:
    for index in range(max(len(before), len(after))):
        ours = before[index] if index < len(before) else None
        theirs = after[index] if index < len(after) else None
        yield from field_edits(ours, theirs, (*path, index))


def shown(value: object) -> str | None:
    """A value in a sentence: text and numbers as they are, all else as short JSON."""
    if value is None:
        return None
    text = value if isinstance(value, str) else json.dumps(value, default=_plain)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _plain(value: object) -> object:
    if isinstance(value, Setting):
        return value.value
    return dict(value) if isinstance(value, Mapping) else str(value)
