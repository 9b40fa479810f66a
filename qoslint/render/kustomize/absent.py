"""Files that only generators of ConfigMaps and Secrets read, and that are not in the repository.

Git often ignores them, for they hold secrets. What a ConfigMap or Secret holds decides nothing
about pods, so that an empty file does as well, unless something reads what was generated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from qoslint.render.kustomize import annotated
from qoslint.render.kustomize.files import parsed
from qoslint.render.kustomize.inputs import Inputs, Read
from qoslint.render.kustomize.named import PLUGINS, As, generated
from qoslint.render.reach import items
from qoslint.source.paths import joined

_KINDS = ("ConfigMap", "Secret")
_MAY_REPLACE = (As.REPLACEMENT, As.CONFIG, As.BASE)
_TRANSFORMER = "ReplacementTransformer"
"""Among the resources of a folder of transformers."""
_ANY = ""
"""Part of every name."""


class Absent(NamedTuple):
    """The files, and the names that the generators give which read them."""

    files: frozenset[str]
    names: frozenset[str]

    def holders(self, stream: str) -> frozenset[int]:
        """The documents of a built stream, by number, whose data is not what a cluster has."""
        found = enumerate(map(annotated.identity, map(_text, annotated.documents(stream))))
        return frozenset(
            number
            for number, each in found
            if each.kind in _KINDS and any(name in each.name for name in self.names)
        )


def absent(reads: Inputs, files: Iterable[str], read: Read) -> Absent | None:
    """What may be taken as empty of the files that are not here; None if nothing may.

    Nothing may where a replacement or a variable reads what is generated of them.
    """
    missing = frozenset(file for file in files if reads.files.get(file) is As.DATA)
    if not missing:
        return None
    names = frozenset(_names(reads, missing))
    if any(_reads_data(source, names) for source in _sources(reads, read)):
        return None
    return Absent(missing, names)


def _names(reads: Inputs, missing: frozenset[str]) -> Iterator[str]:
    """Of the generators that name one of the files."""
    explained = set()
    for folder, document in reads.kustomizations.items():
        for name, value in generated(_mapping(document.data)):
            path = joined(folder, value)
            if path in missing:
                explained.add(path)
                yield name
    if explained != missing:
        # Generators in files of their own, or added by a controller.
        yield _ANY


def _sources(reads: Inputs, read: Read) -> Iterator[Mapping[str, object]]:
    """What replacements and variables read: where the field stands, and in which objects."""
    contents = [_mapping(document.data) for document in reads.kustomizations.values()]
    inline = [
        text
        for content in contents
        for key in PLUGINS
        for text in items(content.get(key))
        if isinstance(text, str) and "\n" in text
    ]
    others = [
        document.data for text in (*inline, *_files(reads, read)) for document in parsed("", text)
    ]
    for content in (*contents, *others):
        for each in items(content):
            # A file of replacements may be a list of them.
            yield from _source(each)
        for key in ("replacements", "vars"):
            for each in items(_mapping(content).get(key)):
                yield from _source(each)
        yield from _source(content)


def _files(reads: Inputs, read: Read) -> Iterator[str]:
    for file, what in reads.files.items():
        text = read(file) or "" if what in _MAY_REPLACE else ""
        if what is not As.BASE or _TRANSFORMER in text:
            yield text


def _source(each: object) -> Iterator[Mapping[str, object]]:
    entry = _mapping(each)
    if isinstance(entry.get("source"), dict):
        yield _mapping(entry["source"])
    if isinstance(entry.get("objref"), dict):
        field = _mapping(entry.get("fieldref")).get("fieldpath")
        yield {**_mapping(entry["objref"]), "fieldPath": field}


def _reads_data(source: Mapping[str, object], names: frozenset[str]) -> bool:
    """Whether it may read the data of an object that one of the generators makes."""
    kind, name, field = (source.get(key) for key in ("kind", "name", "fieldPath"))
    if field is None or str(field).startswith("metadata") or (kind and kind not in _KINDS):
        return False
    return not isinstance(name, str) or any(each in name for each in names)


def _text(document: annotated.Annotated) -> str:
    return document.text


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}
