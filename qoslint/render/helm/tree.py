"""A chart with its subcharts, under the names that Helm gives them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path as FilePath
from typing import NamedTuple

from qoslint.render.failure import RenderError
from qoslint.render.helm import contents
from qoslint.render.helm.contents import Room
from qoslint.render.helm.semver import satisfies
from qoslint.source.document import YamlError, load
from qoslint.span import Path

DEEPEST = 16
_OF_EACH = 500_000
"""Bytes that each chart counts for at least: aliases of aliases must not grow without end."""


class Node(NamedTuple):
    """A chart in its tree. `file` is its folder or archive, `inside` its folder in an archive."""

    name: str
    """What values and templates know it by: the alias if it has one."""
    path: str
    """Helm's name for it: `parent/charts/child`."""
    file: str
    inside: str | None
    metadata: Mapping[str, object]
    files: Mapping[str, bytes]
    """By the path in the chart, without those of its subcharts."""
    subcharts: tuple[Node, ...] = ()

    def authored(self, name: str) -> tuple[str, str]:
        """The file that holds a file of the chart, and the path in it if that is an archive."""
        if self.inside is None:
            return posixpath.join(self.file, name), ""
        return self.file, posixpath.join(self.inside, name)


class Dependency(NamedTuple):
    """An entry of `dependencies` in Chart.yaml."""

    name: str
    alias: str
    version: str
    repository: str
    condition: str
    tags: tuple[str, ...]
    imports: tuple[tuple[Path, Path], ...] = ()
    """`import-values`: what of the subchart's values stands where in the parent's."""

    @property
    def key(self) -> str:
        """The key of its values in the parent's."""
        return self.alias or self.name


def read_tree(checkout: FilePath, folder: str) -> Node:
    """The chart of a folder; raise RenderError where Helm could not load it."""
    room = Room()
    return _node("", folder, None, contents.of_folder(checkout, folder, room), "", 0, room)


def every(node: Node) -> Iterator[Node]:
    """The chart and all below it."""
    yield node
    for subchart in node.subcharts:
        yield from every(subchart)


def dependencies(metadata: Mapping[str, object]) -> Iterator[Dependency]:
    """What a Chart.yaml says it depends on."""
    for entry in _list(metadata, "dependencies"):
        if isinstance(entry, dict) and isinstance(entry.get("name"), str):
            yield Dependency(
                entry["name"],
                _text(entry, "alias"),
                _text(entry, "version"),
                _text(entry, "repository"),
                _text(entry, "condition"),
                tuple(each for each in _list(entry, "tags") if isinstance(each, str)),
                tuple(_imports(_list(entry, "import-values"))),
            )


def _imports(entries: Sequence[object]) -> Iterator[tuple[Path, Path]]:
    for entry in entries:
        if isinstance(entry, str):
            yield ("exports", *entry.split(".")), ()
        elif isinstance(entry, dict):
            child, parent = _text(entry, "child"), _text(entry, "parent").strip(".")
            yield tuple(child.split(".")), tuple(parent.split(".")) if parent else ()


def fits(dependency: Dependency, metadata: Mapping[str, object]) -> bool:
    """Whether a subchart is the one that the entry means (`IsCompatibleRange`)."""
    return metadata.get("name") == dependency.name and bool(
        satisfies(_text(metadata, "version"), dependency.version)
    )


def _text(mapping: Mapping[str, object], key: str) -> str:
    value = mapping.get(key)
    return value if isinstance(value, str) else ""


def _list(mapping: Mapping[str, object], key: str) -> Sequence[object]:
    value = mapping.get(key)
    return value if isinstance(value, list) else ()


def _node(
    parent: str,
    file: str,
    inside: str | None,
    files: Mapping[str, bytes],
    alias: str,
    depth: int,
    room: Room,
) -> Node:
    shown = file if inside is not None else posixpath.join(file, "Chart.yaml")
    room.take(_OF_EACH, shown)
    if depth > DEEPEST:
        raise RenderError(f"subcharts nest more than {DEEPEST} deep", shown)
    metadata = _metadata(files, shown)
    name = alias or _text(metadata, "name")
    path = f"{parent}/charts/{name}" if parent else name
    own = {key: value for key, value in files.items() if not key.startswith("charts/")}
    packed = list(_packed(file, inside, files, room))
    subcharts = tuple(
        _node(path, sub_file, sub_inside, sub_files, sub_alias, depth + 1, room)
        for sub_file, sub_inside, sub_files, sub_alias in _named(packed, metadata)
    )
    return Node(name, path, file, inside, metadata, own, subcharts)


def _metadata(files: Mapping[str, bytes], shown: str) -> Mapping[str, object]:
    metadata = _mapping(files.get("Chart.yaml"), shown)
    if metadata.get("apiVersion") != "v2" and "requirements.yaml" in files:
        # Charts of Helm 2 state them in a file of their own.
        older = _mapping(files["requirements.yaml"], shown)
        metadata = {**metadata, "dependencies": older.get("dependencies")}
    if not _text(metadata, "name"):
        raise RenderError("the chart has no name", shown)
    return metadata


def _mapping(content: bytes | None, shown: str) -> Mapping[str, object]:
    if content is None:
        raise RenderError("the chart has no Chart.yaml", shown)
    try:
        value = _loaded(content.decode("utf-8-sig"))
    except YamlError as error:
        raise RenderError(
            f"Chart.yaml cannot be read: {error.message}", shown, error.position.line
        ) from error
    except UnicodeDecodeError as error:
        raise RenderError("Chart.yaml is no text", shown) from error
    if not isinstance(value, dict):
        raise RenderError("Chart.yaml is no mapping", shown)
    return value


# Aliases name the same chart again.
_loaded = lru_cache(maxsize=64)(load)

_Packed = tuple[str, str | None, Mapping[str, bytes]]


def _packed(
    file: str, inside: str | None, files: Mapping[str, bytes], room: Room
) -> Iterator[_Packed]:
    """The folders and archives of `charts/`, as far as Helm takes them for charts."""
    folders: dict[str, dict[str, bytes]] = {}
    for name, content in files.items():
        if not name.startswith("charts/"):
            continue
        first, _, rest = name.removeprefix("charts/").partition("/")
        if first.startswith(("_", ".")):
            continue
        if rest:
            folders.setdefault(first, {})[rest] = content
        elif first.endswith(".tgz"):
            shown = posixpath.join(file, name) if inside is None else file
            yield shown, "", contents.of_archive(content, shown, room)
    for first, below in folders.items():
        if "Chart.yaml" in below:
            path = f"charts/{first}"
            if inside is None:
                yield posixpath.join(file, path), None, below
            else:
                yield file, posixpath.join(inside, path), below


def _named(
    packed: Sequence[_Packed], metadata: Mapping[str, object]
) -> Iterator[tuple[str, str | None, Mapping[str, bytes], str]]:
    """Each chart under each name that the parent gives it (`processDependencyEnabled`)."""
    read = [(each, _metadata(each[2], each[0])) for each in packed]
    wanted = list(dependencies(metadata))
    for each, own in read:
        if not any(fits(dependency, own) for dependency in wanted):
            yield (*each, "")
    for dependency in wanted:
        for each, own in read:
            if fits(dependency, own):
                yield (*each, dependency.alias)
                break
