"""Kustomize patches of resources: which objects a kustomization gives other requests or limits.

Nothing is built here. It is only told which objects do not run with the resources that they have
in their file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

from qoslint.render.reach import Kustomizations, components, items, reached
from qoslint.source.document import Document, Source, documents
from qoslint.source.paths import joined

_RESOURCES = re.compile(r"\bresources\b")
_PLAIN = re.compile(r"[\w.-]*+")
_PATCHES = ("patches", "patchesJson6902", "patchesStrategicMerge")
_LONGEST_NAME = 253
_MOST_TARGETS = 100_000


class Patched(NamedTuple):
    """An object of a file by kind and name; an empty one stands for every kind, or every name."""

    file: str
    kind: str
    name: str


_Named: TypeAlias = tuple[str, str]
"""Kind and name, each empty for every one."""

_Patches: TypeAlias = Mapping[str, frozenset[_Named]]


def targets(
    kustomizations: Kustomizations, kinds: Container[str], read: Callable[[str], str | None]
) -> frozenset[Patched]:
    """The objects whose containers' resources a patch changes, in some kustomization.

    Patches of other kinds than `kinds` are not looked at. `read` gives the text of a file, None if
    it cannot be read.
    """

    @cache
    def patched(text: str) -> frozenset[_Named]:
        return frozenset(_patched_objects(text, kinds))

    own = {
        folder: frozenset(_own(folder, content, patched, read))
        for folder, content in kustomizations.items()
    }
    return frozenset(islice(_targets(kustomizations, own), _MOST_TARGETS))


def _targets(kustomizations: Kustomizations, own: _Patches) -> Iterator[Patched]:
    for folder in kustomizations:
        patched = own[folder].union(*(own[each] for each in components(folder, kustomizations)))
        for file in reached(folder, kustomizations) if patched else ():
            for kind, name in patched:
                yield Patched(file, kind, name)


def _own(
    folder: str,
    content: Mapping[str, object],
    patched: Callable[[str], frozenset[_Named]],
    read: Callable[[str], str | None],
) -> Iterator[_Named]:
    for key in _PATCHES:
        for item in items(content.get(key)):
            target, text = _patch(folder, item, read)
            if text is None or not _RESOURCES.search(text):
                continue
            if target:
                yield _exact(target.get("kind")), _exact(target.get("name"))
            else:
                yield from patched(text)


def _patch(
    folder: str, item: object, read: Callable[[str], str | None]
) -> tuple[Mapping[str, object], str | None]:
    """The target that a patch is given, empty if its own name says it, and its text."""
    if isinstance(item, str):
        return {}, item if "\n" in item else read(joined(folder, item))
    if not isinstance(item, dict):
        return {}, None
    target = item.get("target")
    given: dict[str, Any] = target if isinstance(target, dict) else {}
    path, inline = item.get("path"), item.get("patch")
    if isinstance(path, str):
        return given, read(joined(folder, path))
    return given, inline if isinstance(inline, str) else None


def _patched_objects(text: str, kinds: Container[str]) -> Iterator[_Named]:
    for item in documents(Source("patch", "patch", text), kinds):
        data = item.data if isinstance(item, Document) else None
        metadata = data.get("metadata") if isinstance(data, dict) else None
        if isinstance(data, dict) and isinstance(metadata, dict):
            yield _exact(data.get("kind")), _exact(metadata.get("name"))


def _exact(value: object) -> str:
    """A kind or name to compare with, empty for a pattern: selectors of targets are patterns."""
    if not isinstance(value, str) or len(value) > _LONGEST_NAME:
        return ""
    return value if _PLAIN.fullmatch(value) else ""
