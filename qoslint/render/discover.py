"""Discovery: one walk over the files for all clusters."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import NamedTuple

from qoslint.render import patches, policytests, reach
from qoslint.render.discovery import Discovery, file_all
from qoslint.render.kustomization import KINDS, NAMES, References, is_kustomization, references
from qoslint.render.plain import Reading, Why, holds_workloads, kind_of, read_bytes
from qoslint.source.allowance import Allowance
from qoslint.source.document import Broken, Document, Source, YamlError, documents, load
from qoslint.source.text import NotTextError, decode
from qoslint.source.tree import MAX_FOLDERS, File, Skip, Skipped, UnreadableError, WorkTree

_CHART = "Chart.yaml"
_CHART_FILES = frozenset({_CHART, "requirements.yaml", "values.schema.json"})
_VALUES = re.compile(r"(?:.*[-._])?values(?:[-._].*)?\.ya?ml", re.IGNORECASE)
_SETTINGS = ".qoslint.yaml"
# Nothing in these can be told from a whole object; what else lies at its place by name or by
# reference is read when it holds a workload all the same.
_UNREAD = (Why.PATCH, Why.CHART_TEMPLATE, Why.TEST_INPUT)


class _Surroundings(NamedTuple):
    """What other files say about a file."""

    charts: frozenset[str]
    kustomizations: dict[str, Reading]
    """By path, for files that hold a kustomization or cannot be read as one."""
    folders: frozenset[str]
    """Of kustomizations."""
    patch_folders: frozenset[str]
    """Where patches lie that kustomizations name."""
    named: References
    patched: frozenset[patches.Target]
    namespaces: Mapping[str, tuple[str, ...]]
    test_inputs: frozenset[str]
    """Of policy tests, none that a kustomization applies; and of the tests of programs."""


def discover(tree: WorkTree, paths: Iterable[str], kinds: Container[str]) -> Discovery:
    """What the files under `paths` hold; documents whose kind is in `kinds` are parsed.

    Charts and kustomizations in the folders above a path count too, so that a single template or
    patch is known for what it is. Raises UsageError as `WorkTree.walk` does.
    """
    paths = list(paths)
    found = list(tree.walk(paths))
    files = (item.path for item in found if isinstance(item, File))
    around = _surroundings(tree, [*_above(tree, paths), *files], kinds)
    if not any(map(policytests.is_testdata, paths)):
        data = {item.path for item in found if policytests.is_testdata(item.path)}
        around = around._replace(test_inputs=around.test_inputs | data)
    allowance = Allowance()
    readings = [(item.path, _reading(tree, item, around, kinds, allowance)) for item in found]
    walked = {posixpath.dirname(item.path) for item in found}
    return file_all(
        readings,
        charts=around.charts & walked,
        kustomizations=around.folders & walked,
        named=around.named,
        patched=around.patched,
        namespaces=around.namespaces,
    )


def _above(tree: WorkTree, paths: Iterable[str]) -> Iterator[str]:
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
        for name in (_CHART, *sorted(NAMES), *sorted(policytests.NAMES)):
            yield posixpath.join(folder, name)


def _surroundings(
    tree: WorkTree, candidates: Iterable[str], kinds: Container[str]
) -> _Surroundings:
    charts = set()
    kustomizations = {}
    contents = {}
    test_inputs: set[str] = set()
    for path in dict.fromkeys(candidates):
        folder, name = posixpath.split(path)
        if name == _CHART and _is_chart(tree, path):
            charts.add(folder)
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
    return _Surroundings(
        charts=frozenset(charts),
        kustomizations=kustomizations,
        folders=frozenset(contents),
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


def _is_chart(tree: WorkTree, path: str) -> bool:
    """Whether the file makes a chart of its folder: Helm takes none without a name."""
    try:
        data = load(decode(tree.read(path)))
    except (UnreadableError, NotTextError, YamlError):
        return False
    return isinstance(data, dict) and isinstance(data.get("name"), str) and data["name"] != ""


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


def _reading(
    tree: WorkTree,
    item: File | Skipped,
    around: _Surroundings,
    kinds: Container[str],
    allowance: Allowance,
) -> Reading:
    if isinstance(item, Skipped):
        return Reading(reason=item.reason)
    reason = _by_place(item.path, around)
    if reason in _UNREAD:
        return Reading(reason=reason)
    try:
        content = tree.read(item.path)
    except UnreadableError as error:
        return Reading(reason=error.reason)
    reading = read_bytes(item.path, content, kinds, allowance)
    if item.path in around.kustomizations:
        return _beside(around.kustomizations[item.path], reading)
    if reason is not None and not holds_workloads(reading, kinds):
        return Reading(reason=reason)
    if _is_unnamed(item.path, reading, around, kinds):
        return Reading(reason=Why.UNNAMED)
    return reading


def _beside(kustomization: Reading, whole: Reading) -> Reading:
    """What a file holds whose first document is a kustomization, or cannot be read as one."""
    numbers = [each.number for each in kustomization.documents]
    first = [*numbers, *(each.number for each in kustomization.broken)][0]
    return Reading(
        # What the kustomization says was taken; it is no object of the cluster.
        documents=tuple(each for each in whole.documents if each.number != first),
        broken=(*kustomization.broken, *(each for each in whole.broken if each.number != first)),
        passed=tuple(each for each in whole.passed if each.number != first),
        reason=kustomization.reason,
    )


def _is_unnamed(path: str, reading: Reading, around: _Surroundings, kinds: Container[str]) -> bool:
    """Whether a file could matter, but no kustomization names it where all else is named.

    Kustomize takes only what is named. What else lies beside a kustomization or its patches is
    mostly a patch that is switched off, and nothing tells a patch from a whole object.
    """
    folder = posixpath.dirname(path)
    if folder not in around.folders and folder not in around.patch_folders:
        return False
    if path in around.named.applied:
        return False
    return any(kind_of(document.data) in kinds for document in reading.documents)


def _by_place(path: str, around: _Surroundings) -> Why | Skip | None:
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


def _in_chart(path: str, charts: frozenset[str]) -> str | None:
    """The path inside the innermost chart that holds the file, None outside of charts."""
    folder = path
    while folder:
        folder = posixpath.dirname(folder)
        if folder in charts:
            return path[len(folder) + 1 :] if folder else path
    return None
