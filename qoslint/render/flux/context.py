"""What Flux's objects refer to: sources, and the ConfigMaps and Secrets with values."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping
from typing import NamedTuple, NoReturn

from qoslint.render.fields import Fields, at, mappings, pairs, text
from qoslint.render.objects import Nearby, Object, Objects, key
from qoslint.render.reach import items
from qoslint.render.sources import Effort, NotRenderedError, Repository, Sources
from qoslint.render.target import Missing
from qoslint.source.document import Remote
from qoslint.span import Path

SOURCES = "source.toolkit.fluxcd.io"
EXTENSIONS = "source.extensions.fluxcd.io"


class Maker(NamedTuple):
    """An ArtifactGenerator, and its rule for one artifact."""

    object: Object
    artifact: Fields


class Context(NamedTuple):
    """What Flux's objects are resolved against."""

    repository: Repository
    objects: Objects
    makers: Nearby[Maker]
    """Who makes an artifact, by its name."""
    effort: Effort
    listed: dict[str, list[str]]
    """By folder without a kustomization what it holds: many objects may name the same."""
    sources: Sources = Sources({})


class Reference(NamedTuple):
    """A source that an object names."""

    kind: str
    namespace: str | None
    name: str

    @property
    def title(self) -> str:
        """As people name it."""
        space = f"{self.namespace}/" if self.namespace else ""
        return f"{self.kind} {space}{self.name}"


def reference(owner: Object, data: object) -> Reference:
    """The source that a `sourceRef` names, in the owner's namespace unless it states another."""
    return Reference(
        text(data, "kind"), text(data, "namespace") or owner.namespace, text(data, "name")
    )


def url(wanted: Reference, owner: Object, objects: Objects) -> str:
    """The address of a source; its title if no object of that name is at hand."""
    found = objects.find(key(wanted.kind, wanted.name), wanted.namespace, owner)
    if found is None:
        return wanted.title
    if wanted.kind == "Bucket":
        spec = at(found.data, "spec")
        return f"{text(spec, 'endpoint')}/{text(spec, 'bucketName')}"
    return text(found.data, "spec", "url") or wanted.title


def refuse(owner: Object, message: str, *path: str | int, remote: Remote | None = None) -> NoReturn:
    """Raise what to tell of an object that is not rendered, at one of its fields."""
    line = owner.line(*path)
    raise NotRenderedError(Missing(owner.title, owner.file, line, message, remote))


class Values(NamedTuple):
    """The entries of a ConfigMap or a Secret."""

    object: Object
    entries: Mapping[str, str]
    places: Mapping[str, Path]
    """Where each entry stands as it is; none for those that are encoded."""


def values(kind: str, named: str, owner: Object, context: Context) -> Values | None:
    """What a ConfigMap or Secret beside the owner holds; None if it is not here or encrypted."""
    found = context.objects.find(key(kind, named), owner.namespace, owner)
    if found is None or kind not in ("ConfigMap", "Secret") or "sops" in found.data:
        return None
    entries = dict(_entries(found.data, kind))
    plain = "data" if kind == "ConfigMap" else "stringData"
    places: dict[str, Path] = {name: (plain, name) for name in pairs(found.data.get(plain))}
    return Values(found, entries, places)


def _entries(data: Fields, kind: str) -> Iterator[tuple[str, str]]:
    for name, value in pairs(data.get("data")).items():
        if kind == "ConfigMap":
            yield name, value
            continue
        try:
            yield name, base64.b64decode(value.replace("\n", ""), validate=True).decode()
        except (binascii.Error, ValueError):
            continue
    if kind == "Secret":
        yield from pairs(data.get("stringData")).items()


def names_of_data(data: object) -> Iterator[tuple[str, str]]:
    """Kind and name of the ConfigMaps and Secrets that an object takes values from."""
    for item in items(at(data, "items")):
        yield from names_of_data(item)
    for field in (at(data, "spec", "valuesFrom"), at(data, "spec", "postBuild", "substituteFrom")):
        for each in mappings(field):
            yield text(each, "kind"), text(each, "name")
