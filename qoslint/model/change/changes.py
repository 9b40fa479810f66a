"""All changes of a run, as a rule looks at them that asks for the reach of one edit."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

from qoslint.finding import Place
from qoslint.model.change.blast import Blast, Where
from qoslint.model.change.record import Edit, NodeChange


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """What differs between two revisions, cause by cause."""

    base: str
    """The older revision, as people name it."""
    blasts: tuple[Blast, ...]
    nodes: tuple[NodeChange, ...]
    where: Where
    documents: Container[tuple[str, int]]
    """What was read of the newer revision, by source and number."""

    def places(self, edits: Iterable[Edit]) -> Iterator[Place]:
        """The places of edits in what was read of the newer revision, so that they can be told."""
        for edit in edits:
            place = edit.here
            if place and (place.object.source, place.object.document) in self.documents:
                yield place
