"""Problems with the lines that they stand at, and the other lines where a comment counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from qoslint.engine.run import Raised
from qoslint.finding import Location, Part, Place, RelatedLocation
from qoslint.source.document import Document
from qoslint.source.locate import locate_all
from qoslint.source.places import Documents, locate_places
from qoslint.span import Path

_CONTAINERS = ("containers", "initContainers", "ephemeralContainers")


@dataclass(frozen=True, slots=True, eq=False)
class Located:
    """A problem and its places in files."""

    raised: Raised
    location: Location
    related: tuple[RelatedLocation, ...] = ()


Spots: TypeAlias = Mapping[Located, Sequence[tuple[str, int]]]
"""By problem the lines of texts where a comment is about it; a text is a file or a source's id."""


def located(raised: Iterable[Raised], documents: Documents) -> tuple[Located, ...]:
    """The problems of a run, each at its lines."""
    found = tuple(raised)
    locations = locate_places(_places(found), documents)
    return tuple(
        Located(
            item,
            locations[item.place],
            tuple(RelatedLocation(locations[each.place], each.message) for each in item.related),
        )
        for item in found
    )


def _places(found: Iterable[Raised]) -> Iterator[Place]:
    for item in found:
        yield item.place
        yield from (related.place for related in item.related)


def spots(items: Iterable[Located], documents: Documents, commented: Collection[str]) -> Spots:
    """Where comments count for each problem, as far as there are any.

    That is the line that it stands at. Of what is rendered it is also the line of the text as it
    was rendered, which has the comments of templates, and where the object and the container are
    named: in a base of which a patch changes a field, in a template of which values fill one in.
    """
    if not commented:
        return {}
    found: dict[Located, list[tuple[str, int]]] = defaultdict(list)
    rendered: dict[Document, list[Located]] = defaultdict(list)
    for item in items:
        if item.location.file in commented:
            found[item].append((item.location.file, item.location.span.start.line))
        owner = item.raised.place.object
        document = documents[owner.source, owner.document]
        if isinstance(document, Document) and document.source.rendered is not None:
            rendered[document].append(item)
    for document, inside in rendered.items():
        if document.source.id in commented:
            for item, spot in _in_text(document, inside):
                found[item].append(spot)
    for item, location in _as_written(rendered, documents, commented):
        found[item].append((location.file, location.span.start.line))
    return found


def _in_text(
    document: Document, items: Sequence[Located]
) -> Iterator[tuple[Located, tuple[str, int]]]:
    places = [item.raised.place for item in items]
    wanted = [((*place.object.root, *place.path), place.part) for place in places]
    for item, (span, _) in zip(items, locate_all(document, wanted), strict=True):
        yield item, (document.source.id, span.start.line)


def _as_written(
    rendered: Mapping[Document, Sequence[Located]], documents: Documents, commented: Collection[str]
) -> Iterator[tuple[Located, Location]]:
    """Where the object and the container are named: names are looked for without rendering."""
    wanted = [
        (item, place)
        for document, items in rendered.items()
        if document.source.rendered
        if any(file in commented for file in document.source.rendered.inputs)
        for item in items
        for place in _names(item.raised.place)
    ]
    if wanted:
        locations = locate_places((place for _, place in wanted), documents)
        for item, place in wanted:
            location = locations[place]
            if location.exact and location.file in commented:
                yield item, location


def _names(place: Place) -> Iterator[Place]:
    """The version of the object, which is its first line, and the name of the container."""
    yield place._replace(path=("apiVersion",), part=Part.ENTRY)
    path = container_path(place.path)
    if path is not None:
        yield place._replace(path=(*path, "name"), part=Part.ENTRY)


def container_path(path: Path) -> Path | None:
    """The part of a path that leads to a container, None outside of containers."""
    for end in range(1, len(path)):
        if path[end - 1] in _CONTAINERS and isinstance(path[end], int):
            return path[: end + 1]
    return None
