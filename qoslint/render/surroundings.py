"""What the files around a file say about it: charts, kustomizations and tests."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import NamedTuple

from qoslint.render import patches, policytests, reach
from qoslint.render.kustomization import KINDS, NAMES, References, is_kustomization, references
from qoslint.render.plain import Reading, Why
from qoslint.source.document import Broken, Document, Source, YamlError, documents, load
from qoslint.source.text import NotTextError, decode
from qoslint.source.tree import MAX_FOLDERS, UnreadableError, WorkTree

CHART = "Chart.yaml"
_CHART_FILES = frozenset({CHART, "requirements.yaml", "values.schema.json"})
_VALUES = re.compile(r"(?:.*[-._])?values(?:[-._].*)?\.ya?ml", re.IGNORECASE)
_SETTINGS = ".qoslint.yaml"


class Surroundings(NamedTuple):
    """What other files say about a file."""

    charts: Mapping[str, Mapping[str, object]]
    """By folder what the Chart.yaml of each chart says."""
    kustomizations: Mapping[str, Reading]
    """By path, for files that hold a kustomization or cannot be read as one."""
    contents: reach.Kustomizations
    """By folder what its kustomization says."""
    patch_folders: frozenset[str]
    """Where patches lie that kustomizations name."""
    named: References
    patched: frozenset[patches.Patched]
    namespaces: Mapping[str, tuple[str, ...]]
    test_inputs: frozenset[str]
    """Of policy tests, none that a kustomization applies; and of the tests of programs."""


def above(tree: WorkTree, paths: Iterable[str]) -> Iterator[str]:
    """Where charts and kustomizations may be that lie above the paths."""
    folders = set()
    for path in paths:
        below_root = posixpath.normpath(os.path.relpath(tree.root / path, tree.root))
        while below_root not in ("", "."):
            below_root = posixpath.dirname(below_root)
            folders.add(below_root)
    for folder in sorted(folders):
        if folder.count("/") >= MAX_FOLDERS:
            continue
        for name in (CHART, *sorted(NAMES), *sorted(policytests.NAMES)):
            yield posixpath.join(folder, name)


def surroundings(tree: WorkTree, candidates: Iterable[str], kinds: Container[str]) -> Surroundings:
    """What the candidates say that hold a chart, a kustomization or a test; others say nothing."""
    charts: dict[str, Mapping[str, object]] = {}
    kustomizations = {}
    contents = {}
    test_inputs: set[str] = set()
    for path in dict.fromkeys(candidates):
        folder, name = posixpath.split(path)
        if name == CHART:
            if chart := _chart(tree, path):
                charts[folder] = chart
        elif name in policytests.NAMES:
            test_inputs.update(_test_inputs(tree, path))
        elif name in NAMES:
            reading = _kustomization(tree, path)
            if reading is None:
                continue
            kustomizations[path] = reading
            for document in reading.documents:
                if isinstance(document.data, dict):
                    contents[folder] = document.data
    named = references(contents.items())
    return Surroundings(
        charts=charts,
        kustomizations=kustomizations,
        contents=contents,
        patch_folders=frozenset(map(posixpath.dirname, named.patches)),
        named=named,
        patched=patches.targets(contents, kinds, lambda path: _text(tree, path)),
        namespaces=reach.namespaces(contents),
        test_inputs=frozenset(test_inputs - named.applied),
    )


def _text(tree: WorkTree, path: str) -> str | None:
    """The text of a file, None if it has none that can be read."""
    try:
        return decode(tree.read(path))
    except (UnreadableError, NotTextError):
        return None


def _test_inputs(tree: WorkTree, path: str) -> Iterator[str]:
    text = _text(tree, path) or ""
    for item in documents(Source(path, path, text), policytests.KINDS):
        if isinstance(item, Document):
            yield from policytests.inputs(posixpath.dirname(path), item.data)


def _chart(tree: WorkTree, path: str) -> Mapping[str, object] | None:
    """What the file says if it makes a chart of its folder: Helm takes none without a name."""
    try:
        data = load(decode(tree.read(path)))
    except (UnreadableError, NotTextError, YamlError):
        return None
    named = isinstance(data, dict) and isinstance(data.get("name"), str) and data["name"] != ""
    return data if named and isinstance(data, dict) else None


def _kustomization(tree: WorkTree, path: str) -> Reading | None:
    """The reading of a file with the name of a kustomization; None if it holds none."""
    text = _text(tree, path)
    if text is None:
        return None
    for item in documents(Source(path, path, text), KINDS):
        match item:
            case Broken():
                return Reading(broken=(item,), reason=item.reason or Why.BROKEN)
            case Document() if is_kustomization(item.data):
                return Reading(documents=(item,), reason=Why.KUSTOMIZATION)
            case _:
                return None
    return None


def by_place(path: str, around: Surroundings) -> Why | None:
    """What a file is for by its place; None if only its content decides."""
    name = posixpath.basename(path)
    if name == _SETTINGS:
        return Why.SETTINGS
    if path in around.named.patches:
        return Why.PATCH
    if path in around.test_inputs:
        return Why.TEST_INPUT
    if path in around.named.data:
        return Why.GENERATOR_DATA
    if path in around.named.values:
        return Why.VALUES
    inner = _in_chart(path, around.charts)
    if inner is None:
        return None
    if inner.startswith("templates/"):
        return Why.CHART_TEMPLATE
    if inner in _CHART_FILES:
        return Why.CHART
    is_values = _VALUES.fullmatch(name) and not inner.startswith("crds/")
    return Why.VALUES if is_values else None


def _in_chart(path: str, charts: Container[str]) -> str | None:
    """The path inside the innermost chart that holds the file, None outside of charts."""
    folder = path
    while folder:
        folder = posixpath.dirname(folder)
        if folder in charts:
            return path[len(folder) + 1 :] if folder else path
    return None
