"""What kustomizations reach: the files they hold, and the namespaces they put those into."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from qoslint.source.paths import joined

Kustomizations = Mapping[str, Mapping[str, object]]
"""What each folder's kustomization says."""

_FOLDERS = ("resources", "bases", "components")
_MOST_PLACED = 100_000


def namespaces(kustomizations: Kustomizations) -> Mapping[str, tuple[str, ...]]:
    """By file the namespaces that kustomizations put its objects into, whatever those say."""
    found: dict[str, dict[str, None]] = {}
    for file, namespace in islice(_placed(kustomizations), _MOST_PLACED):
        found.setdefault(file, {})[namespace] = None
    return {file: tuple(names) for file, names in found.items()}


def _placed(kustomizations: Kustomizations) -> Iterator[tuple[str, str]]:
    for folder in kustomizations:
        named = [
            kustomizations[each].get("namespace") for each in components(folder, kustomizations)
        ]
        for namespace in (kustomizations[folder].get("namespace"), *named):
            if isinstance(namespace, str) and namespace:
                for file in reached(folder, kustomizations):
                    yield file, namespace


def components(folder: str, kustomizations: Kustomizations) -> Iterator[str]:
    """The folders of a kustomization's components, which change what it holds, and of theirs."""
    own = tuple(_joined(folder, kustomizations[folder].get("components")))
    yield from dict.fromkeys(each for name in own for each in _folders(name, kustomizations))


def reached(folder: str, kustomizations: Kustomizations) -> Iterator[str]:
    """The files that a kustomization holds, in itself or in the folders that it names."""
    for each in _folders(folder, kustomizations):
        for key in _FOLDERS:
            for path in _joined(each, kustomizations[each].get(key)):
                if path not in kustomizations:
                    yield path


def _folders(folder: str, kustomizations: Kustomizations) -> Iterator[str]:
    """The folder and those that its kustomization reaches, each once; no cycle is followed."""
    waiting, seen = [folder], {folder}
    while waiting:
        each = waiting.pop()
        if each not in kustomizations:
            continue
        yield each
        for key in _FOLDERS:
            found = set(_joined(each, kustomizations[each].get(key))) - seen
            seen |= found
            waiting.extend(found)


def _joined(folder: str, value: object) -> Iterator[str]:
    for item in items(value):
        if isinstance(item, str) and item:
            yield joined(folder, item)


def items(value: object) -> Iterable[object]:
    """The items of a list; of anything else none."""
    return value if isinstance(value, list) else ()
