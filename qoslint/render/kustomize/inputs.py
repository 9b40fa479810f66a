"""What a build would read, told without building, and what it must not reach for."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from qoslint.finding import Part
from qoslint.render.failure import RenderError
from qoslint.render.kustomization import is_kustomization
from qoslint.render.kustomize.files import parsed
from qoslint.render.kustomize.named import (
    PLUGINS,
    As,
    Named,
    NamedChart,
    charts,
    configured,
    named,
    respelled,
)
from qoslint.render.reach import Kustomizations, items
from qoslint.render.sources import published
from qoslint.source.document import Document, Remote
from qoslint.source.locate import locate
from qoslint.source.paths import joined
from qoslint.span import Path

Read: TypeAlias = Callable[[str], str | None]
"""The text of a file by its path from the root, None if there is no such file."""

_REMOTE = re.compile(
    r"(?:git::)?(?:[a-z][a-z0-9+.-]*://|[\w-]+@|github\.com[:/]|gh:)", re.IGNORECASE
)
"""What Kustomize takes for an address, not a path (api/internal/git/repospec.go extractHost)."""

_NOTHING: Mapping[str, object] = MappingProxyType({})
_MOST_FILES = 20_000
_DEEPEST = 64
_NAMES = ("kustomization.yaml", "kustomization.yml", "Kustomization")
"""In the order in which Kustomize looks (api/konfig/general.go)."""

_MAY_BE_FOLDERS = (As.BASE, As.COMPONENT, As.CONFIG)
_Where: TypeAlias = Callable[[Path], tuple[str, int]]
_FOLDERS = ("resources", "bases", "components", "generators", "transformers", "validators")


class Inputs(NamedTuple):
    """What the build of a kustomization reads, and why it would not come to its end.

    All paths are relative to the root. `files` may name some that do not exist: the build says so.
    Each comes with what it is read as. Of `charts` the whole folder is read.
    """

    files: Mapping[str, As]
    kustomizations: Mapping[str, Document]
    """By folder what its kustomization file holds, from the one that is built on down."""
    charts: tuple[str, ...]
    errors: tuple[RenderError, ...]


class Kustomized:
    """The kustomization of each folder that was asked for: of a base each of its overlays asks.

    Most that is asked for is a file, and holds none.
    """

    def __init__(self, read: Read) -> None:
        """Nothing is known yet."""
        self.read = read
        self._known: dict[str, tuple[str, Document | None]] = {}

    def kustomization(self, folder: str) -> tuple[str, Document | None]:
        """The kustomization file of a folder and what it holds, None if there is none to read."""
        if folder not in self._known:
            self._known[folder] = self._found(folder)
        return self._known[folder]

    def _found(self, folder: str) -> tuple[str, Document | None]:
        paths = [f"{folder}/{name}" if folder else name for name in _NAMES]
        for path in paths:
            text = self.read(path)
            if text is not None:
                return path, _first_document(path, text)
        return paths[0], None


def inputs(
    folder: str, kustomized: Kustomized, additions: Mapping[str, object] = _NOTHING
) -> Inputs:
    """What the build of a folder reads, with what a GitOps controller adds to its kustomization."""
    walk = _Walk(kustomized)
    walk.folder(folder, additions)
    return Inputs(walk.files, walk.kustomizations, tuple(walk.charts), tuple(walk.errors))


def roots(kustomizations: Kustomizations) -> tuple[str, ...]:
    """The folders to build: those that no other kustomization includes and that are no component.

    Of a circle that nothing outside includes it is the first, so that it is not passed in silence.
    """
    includes = {
        folder: {
            path
            for key in _FOLDERS
            for item in items(content.get(key))
            if isinstance(item, str) and (path := joined(folder, item)) in kustomizations
        }
        for folder, content in kustomizations.items()
    }
    included = set().union(*includes.values()) if includes else set()
    found = [
        folder
        for folder in sorted(kustomizations)
        if folder not in included and not _is_component(kustomizations[folder])
    ]
    seen = _reached(found, includes)
    for folder in sorted(kustomizations):
        if folder in included and folder not in seen:
            inner = _reached([folder], includes)
            if folder in set().union(*(includes[each] for each in inner)):
                found.append(folder)
            seen |= inner
    return tuple(found)


def is_remote(value: str) -> bool:
    """Whether Kustomize would fetch what is named so."""
    return _REMOTE.match(value) is not None


def _around(value: str) -> str:
    """The folder of a remote file, else the repository of a remote folder."""
    path, _, _ = value.partition("?")
    around, name = posixpath.split(path)
    if posixpath.splitext(name)[1]:
        return around
    scheme, separator, rest = path.partition("://")
    return scheme + separator + rest.partition("//")[0]


def line(document: Document, field: Path) -> int:
    """The line of a field's value."""
    return locate(document, field, Part.VALUE)[0].start.line


def _is_component(content: Mapping[str, object]) -> bool:
    return content.get("kind") == "Component"


def _reached(starts: Iterable[str], includes: Mapping[str, set[str]]) -> set[str]:
    waiting = list(starts)
    seen = set(waiting)
    while waiting:
        new = includes[waiting.pop()] - seen
        seen |= new
        waiting.extend(new)
    return seen


class _Said(NamedTuple):
    """What a kustomization names, its charts, and configurations of plugins that it holds."""

    named: tuple[Named, ...]
    charts: tuple[NamedChart, ...]
    configurations: tuple[tuple[Path, str], ...]
    respelled: tuple[tuple[Path, str], ...]


@lru_cache(maxsize=4096)
def _said_in(document: Document) -> _Said:
    """A base is walked through for each overlay that it has."""
    return _said(_mapping(document.data))


def _said(content: Mapping[str, object]) -> _Said:
    inline = tuple(
        ((key, number), text)
        for key in PLUGINS
        for number, text in enumerate(items(content.get(key)))
        if isinstance(text, str) and "\n" in text
    )
    return _Said(tuple(named(content)), tuple(charts(content)), inline, tuple(respelled(content)))


class _Walk:
    """One walk from a kustomization down."""

    def __init__(self, kustomized: Kustomized) -> None:
        self._read = kustomized.read
        self._kustomization = kustomized.kustomization
        self._above: list[str] = []
        self.files: dict[str, As] = {}
        self.kustomizations: dict[str, Document] = {}
        self.charts: dict[str, None] = {}
        self.errors: list[RenderError] = []

    def folder(self, folder: str, additions: Mapping[str, object]) -> None:
        """Walk through a folder. One without a kustomization is left to the build."""
        path, document = self._kustomization(folder)
        if document is not None:
            self.files[path] = As.KUSTOMIZATION
            self.kustomizations[folder] = document
        self._above.append(folder)
        if document is not None:
            said = _said_in(document)
            self._content(folder, said, lambda field: (path, line(document, field)))
        if additions:
            # What is added stands in no file of the folder.
            self._content(folder, _said(additions), lambda _: (path, 1))
        self._above.pop()

    def _content(self, folder: str, said: _Said, where: _Where) -> None:
        for field, name in said.respelled:
            self._refuse(
                f"the kustomization has a field '{field[-1]}', which Kustomize takes for '{name}';"
                f" only that spelling is followed here: write '{name}'",
                where(field),
            )
        for each in said.named:
            if len(self.files) < _MOST_FILES:
                self._named(folder, each, where)
        for chart in said.charts:
            self._chart(folder, chart, where)
        for field, text in said.configurations:
            self._configured(folder, text, where, field)

    def _named(self, folder: str, each: Named, where: _Where) -> None:
        path = joined(folder, each.value)
        if is_remote(each.value) and self._read(path) is None:
            self._refuse(
                f"the kustomization names the remote {each.what} {each.value}; it is never fetched:"
                " copy it into the repository and name its path",
                where(each.field),
                Remote(_around(each.value)),
            )
        elif "\0" in path:
            self._refuse(
                f"the kustomization names the {each.what} {each.value}, as no file can be called",
                where(each.field),
            )
        elif _is_outside(path):
            self._refuse(
                f"the kustomization names the {each.what} {each.value}, which is outside of the"
                " repository and not read",
                where(each.field),
            )
        elif each.what in _MAY_BE_FOLDERS and self._kustomization(path)[1] is not None:
            self._include(path, each, where)
        elif self.files.get(path) in (None, As.DATA):
            # What is read as data alone is told from all else.
            self.files[path] = each.what
        if each.what is As.CONFIG:
            self._configuration(folder, path, where, each.field)

    def _include(self, path: str, each: Named, where: _Where) -> None:
        if path in self._above:
            circle = " -> ".join(
                f"'{folder or '.'}'" for folder in (*self._above[self._above.index(path) :], path)
            )
            self._refuse(f"the kustomizations include each other: {circle}", where(each.field))
        elif len(self._above) >= _DEEPEST:
            self._refuse(f"kustomizations are nested more than {_DEEPEST} deep", where(each.field))
        elif path not in self.kustomizations:
            self.folder(path, {})

    def _configuration(self, folder: str, path: str, where: _Where, field: Path) -> None:
        """Paths in configurations of plugins are relative to the kustomization that names those."""
        for file in self._configurations(path):
            self._configured(folder, self._read(file) or "", where, field)

    def _configurations(self, path: str) -> Iterator[str]:
        """The files of configurations that a path means: itself, or all that a folder includes."""
        waiting, seen = [path], {path}
        while waiting:
            each = waiting.pop()
            inside = self.kustomizations.get(each)
            if inside is None:
                yield each
                continue
            content = _mapping(inside.data)
            named = (item for key in _FOLDERS for item in items(content.get(key)))
            inner = {joined(each, item) for item in named if isinstance(item, str)} - seen
            seen |= inner
            waiting += sorted(inner)

    def _configured(self, folder: str, text: str, where: _Where, field: Path) -> None:
        for document in parsed("", text):
            said = _said(configured(document.data))
            spelled = tuple(respelled(_mapping(document.data)))
            self._content(folder, said._replace(respelled=spelled), lambda _: where(field))

    def _chart(self, folder: str, chart: NamedChart, where: _Where) -> None:
        path = joined(folder, chart.folder)
        if _is_outside(path):
            self._refuse(
                f"the chart {chart.name} is outside of the repository and not read",
                where(chart.field),
            )
        elif self._read(posixpath.join(path, "Chart.yaml")) is not None:
            self.charts[path] = None
        elif chart.repository:
            version = f", version {chart.version}" if chart.version else ""
            self._refuse(
                f"the chart {chart.name} ({chart.repository}{version}) is remote and not vendored;"
                f" it is never fetched: copy it to {path}",
                where(chart.field),
                published(chart.repository, chart.name),
            )

    def _refuse(self, message: str, where: tuple[str, int], remote: Remote | None = None) -> None:
        self.errors.append(RenderError(message, *where, remote=remote))


@lru_cache(maxsize=4096)
def _first_document(path: str, text: str) -> Document | None:
    """Two revisions hold the same ones."""
    found = parsed(path, text)
    return found[0] if found and is_kustomization(found[0].data) else None


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _is_outside(path: str) -> bool:
    return path == ".." or path.startswith(("../", "/"))
