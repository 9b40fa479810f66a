"""From symbolic places to locations: one pass over each document, one question to each origin."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from qoslint.finding import Location, Place
from qoslint.source.document import Broken, Document, Origin, Wanted
from qoslint.source.locate import locate_all
from qoslint.span import Path

Documents: TypeAlias = Mapping[tuple[str, int], Document | Broken]
"""The documents of a run, by source id and number."""


def locate_places(places: Iterable[Place], documents: Documents) -> dict[Place, Location]:
    """The location of each place; a place in a broken document is where it broke."""
    by_document: defaultdict[tuple[str, int], dict[Place, None]] = defaultdict(dict)
    for place in places:
        by_document[place.object.source, place.object.document][place] = None
    located: dict[Place, Location] = {}
    rendered: defaultdict[Origin, dict[Place, Wanted]] = defaultdict(dict)
    for key, wanted in by_document.items():
        document = documents[key]
        file = document.source.path
        if document.source.rendered is not None:
            rendered[document.source.rendered.origin].update(
                (place, Wanted(document, _path(place), place.part)) for place in wanted
            )
            continue
        if isinstance(document, Broken):
            located.update((place, Location(file, document.span)) for place in wanted)
            continue
        paths = [(_path(place), place.part) for place in wanted]
        spans = locate_all(document, paths)
        for place, (span, exact) in zip(wanted, spans, strict=True):
            located[place] = Location(file, span, exact)
    for origin, asked in rendered.items():
        located.update(zip(asked, origin.locate(tuple(asked.values())), strict=True))
    return located


def _path(place: Place) -> Path:
    """The path in the document, through the items of a List."""
    return (*place.object.root, *place.path)
