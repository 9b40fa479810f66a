"""From symbolic places to locations, one pass over each document concerned."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from qoslint.finding import Location, Place
from qoslint.source.document import Broken, Document
from qoslint.source.locate import locate_all

Documents: TypeAlias = Mapping[tuple[str, int], Document | Broken]
"""The documents of a run, by source id and number."""


def locate_places(places: Iterable[Place], documents: Documents) -> dict[Place, Location]:
    """The location of each place; a place in a broken document is where it broke."""
    by_document: defaultdict[tuple[str, int], dict[Place, None]] = defaultdict(dict)
    for place in places:
        by_document[place.object.source, place.object.document][place] = None
    located: dict[Place, Location] = {}
    for key, wanted in by_document.items():
        document = documents[key]
        file = document.source.path
        if isinstance(document, Broken):
            located.update((place, Location(file, document.span)) for place in wanted)
            continue
        paths = [((*place.object.root, *place.path), place.part) for place in wanted]
        spans = locate_all(document, paths)
        for place, (span, exact) in zip(wanted, spans, strict=True):
            located[place] = Location(file, span, exact)
    return located
