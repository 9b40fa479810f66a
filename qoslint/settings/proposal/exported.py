"""Files that hold what somebody exported from a cluster: it decides, but nobody edits it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from qoslint.model.inventory import Item
from qoslint.settings.annotated import Line, commented_out, is_writable
from qoslint.settings.proposal.evidence import Evidence, at
from qoslint.source.writing import scalar

_STAMPS = ("uid", "resourceVersion")
"""Metadata that the API server writes and nobody else."""


class Exported(NamedTuple):
    """A file of that kind."""

    file: str
    why: str


def exported(evidence: Evidence) -> Iterator[Exported]:
    """The files of which all that decides about pods, and nothing else, is from a cluster."""
    by_file: dict[str, list[Item]] = {}
    for item in evidence.inventory.items:
        by_file.setdefault(item.object.file, []).append(item)
    for file, items in by_file.items():
        if is_writable(file) and all(map(_is_exported, items)):
            first = items[0].object
            stamp = next(each for each in _STAMPS if each in first.metadata)
            why = f"{at(first, ('metadata', stamp))}: {stamp} is what an API server writes"
            yield Exported(file, f"{why}, so it is exported")


def context_lines(own: list[Exported], others: list[Exported], indent: str) -> Iterator[Line]:
    """The list `context` of a cluster; of which cluster the others are, is not known."""
    nobody = "from which cluster, nothing tells"
    lines = [
        Line(f"{indent}context:", "what exists in the cluster and is not checked"),
        *(Line(f"{indent}  - {scalar(each.file)}", each.why) for each in own),
        *(Line(f"{indent}  - {scalar(e.file)}", f"{e.why}; {nobody}", holds=False) for e in others),
    ]
    if own:
        yield from lines
    elif others:
        yield from commented_out(lines)


def _is_exported(item: Item) -> bool:
    stamped = any(stamp in item.object.metadata for stamp in _STAMPS)
    return item.decides and stamped and not item.object.is_rendered
