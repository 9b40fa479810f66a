"""Where the settings say something: places in the files that hold them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from qoslint.finding import Location, Place
from qoslint.settings.file import SettingsFile, read_documents
from qoslint.source.document import Document
from qoslint.source.places import Documents, locate_places


def locate_settings(places: Iterable[Place], file: SettingsFile) -> dict[Place, Location]:
    """The location of each place in the settings and in the files that they name.

    Raises SettingsError for a file that can no longer be read.
    """
    toml: list[Place] = []
    others: list[Place] = []
    for place in dict.fromkeys(places):
        in_toml = place.object.source == file.name and file.document is None
        (toml if in_toml else others).append(place)
    sources = sorted({place.object.source for place in others})
    documents = {
        (source, number): document
        for source in sources
        for number, document in enumerate(_documents(source, file))
    }
    lines = {each: file.location(each.path) for each in toml}
    return {**locate_places(others, documents), **lines}


def locate_stated(
    places: Iterable[Place], documents: Documents, file: SettingsFile | None
) -> Mapping[Place, Location]:
    """The location of each place, in the settings or in the documents of a run."""
    own: list[Place] = []
    others: list[Place] = []
    for place in places:
        in_settings = file is not None and place.object.source == file.name
        (own if in_settings else others).append(place)
    found = locate_places(others, documents)
    return {**found, **locate_settings(own, file)} if file is not None else found


def _documents(source: str, file: SettingsFile) -> Iterator[Document]:
    if source == file.name:
        assert file.document is not None, "an empty file names no profiles"
        yield file.document
    else:
        yield from read_documents(file.root / source, source)
