"""Baselines as files: JSON, a line for each entry, so that a review shows what changed.

`schemas/baseline.schema.json` describes them.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from qoslint.errors import UsageError
from qoslint.finding import Sign
from qoslint.settings.file import SettingsFile, check_bytes, check_values, parsed, read_text

_VERSION = 1


def read_baseline(name: str, path: Path | None = None) -> Mapping[Sign, int]:
    """How many findings of each sign a baseline accepts; the path is that of another revision.

    Raises UsageError if there is no such file, SettingsError, at its line, for what is none.
    """
    path = path or Path(name)
    if not os.path.lexists(path):
        raise UsageError(f"the baseline {name!r} does not exist; --write-baseline writes one")
    text = read_text(path, name)
    check_bytes(name, text)
    file = parsed(text, Path(), name, "")
    check_values(name, file.data)
    file.check("baseline")
    return Counter(dict(_counts(file)))


def _counts(file: SettingsFile) -> Iterator[tuple[Sign, int]]:
    seen: set[Sign] = set()
    for index, entry in enumerate(file.data["accepted"]):
        each = Sign(entry["rule"], entry["object"], entry["field"])
        if each in seen:
            raise file.error(
                ("accepted", index), "an entry before is the same: add up their counts"
            )
        seen.add(each)
        yield each, entry.get("count", 1)


def baseline_text(counts: Mapping[Sign, int]) -> str:
    """The text of a baseline: the same for the same findings."""
    ordered = sorted(counts.items(), key=lambda item: (item[0].object, item[0]))
    lines = ",\n".join(f"    {json.dumps(_entry(each, count))}" for each, count in ordered)
    accepted = f"[\n{lines}\n  ]" if lines else "[]"
    return f'{{\n  "schemaVersion": {_VERSION},\n  "accepted": {accepted}\n}}\n'


def _entry(each: Sign, count: int) -> Mapping[str, object]:
    entry = {"object": each.object, "rule": each.rule, "field": each.field}
    return {**entry, "count": count} if count > 1 else entry
