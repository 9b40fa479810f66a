"""Kustomizations: which files they name, and as what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from qoslint.source.paths import joined

NAMES = frozenset({"kustomization.yaml", "kustomization.yml", "Kustomization"})

# Lists of files that hold whole objects, though only those of the first two reach the cluster.
_APPLIED = ("resources", "bases", "crds", "generators", "transformers", "validators")
_FLUX_GROUP = "kustomize.toolkit.fluxcd.io"
KINDS = ("Kustomization", "Component")


class References(NamedTuple):
    """Files that kustomizations name: paths relative to the root of the tree."""

    patches: frozenset[str] = frozenset()
    """Partial objects, which mean nothing alone."""
    data: frozenset[str] = frozenset()
    """What becomes the content of generated ConfigMaps and Secrets."""
    values: frozenset[str] = frozenset()
    """Values of Helm charts that a kustomization inflates."""
    applied: frozenset[str] = frozenset()
    """Whole objects; what lies beside a kustomization and is not among them is not applied."""
    renamed: frozenset[str] = frozenset()
    """Whole objects that get a prefix or suffix to their names."""


def is_kustomization(data: object) -> bool:
    """Whether a document in a file of that name is one; Flux has a kind of the same name."""
    if not isinstance(data, dict) or ("kind" in data and data["kind"] not in KINDS):
        return False
    api_version = data.get("apiVersion")
    return not (isinstance(api_version, str) and api_version.startswith(f"{_FLUX_GROUP}/"))


def references(kustomizations: Iterable[tuple[str, Mapping[str, object]]]) -> References:
    """What the kustomizations name together; each comes with its folder.

    A file that one of them names among its resources is a whole object, whoever patches with it.
    """
    resources: set[str] = set()
    renamed: set[str] = set()
    patches: set[str] = set()
    data: set[str] = set()
    values: set[str] = set()
    for folder, content in kustomizations:
        own = set(_joined(folder, _applied(content)))
        resources.update(own)
        if content.get("namePrefix") or content.get("nameSuffix"):
            renamed.update(own)
        patches.update(_joined(folder, _patches(content)))
        data.update(_inside(folder, _data(content)))
        values.update(_inside(folder, _values(content)))
    return References(
        patches=frozenset(patches - resources),
        data=frozenset(data - resources),
        values=frozenset(values - resources),
        applied=frozenset(resources),
        renamed=frozenset(renamed),
    )


def _applied(content: Mapping[str, object]) -> Iterator[str]:
    for key in _APPLIED:
        yield from _texts(content.get(key))


def _patches(content: Mapping[str, object]) -> Iterator[str]:
    for key in ("patches", "patchesJson6902"):
        for patch in _mappings(content.get(key)):
            yield from _texts([patch.get("path")])
    # Its items are paths or patches themselves.
    yield from (text for text in _texts(content.get("patchesStrategicMerge")) if "\n" not in text)


def _data(content: Mapping[str, object]) -> Iterator[str]:
    for key in ("configMapGenerator", "secretGenerator"):
        for generator in _mappings(content.get(key)):
            for text in _texts(generator.get("files")):
                yield text.rpartition("=")[2]


def _values(content: Mapping[str, object]) -> Iterator[str]:
    for chart in _mappings(content.get("helmCharts")):
        yield from _texts([chart.get("valuesFile")])
        yield from _texts(chart.get("additionalValuesFiles"))
    for chart in _mappings(content.get("helmChartInflationGenerator")):
        yield from _texts([chart.get("values")])


def _joined(folder: str, paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        yield joined(folder, path)


def _inside(folder: str, paths: Iterable[str]) -> Iterator[str]:
    """Those that do not leave the folder; Kustomize does not load others."""
    for path in _joined(folder, paths):
        if path.startswith(f"{folder}/") or not (folder or path.startswith(("../", "/"))):
            yield path


def _mappings(value: object) -> Iterator[dict[str, Any]]:
    for item in value if isinstance(value, list) else ():
        if isinstance(item, dict):
            yield item


def _texts(value: object) -> Iterator[str]:
    for item in value if isinstance(value, list) else ():
        if isinstance(item, str) and item:
            yield item
