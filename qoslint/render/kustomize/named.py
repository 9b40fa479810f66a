"""What one kustomization names: files, folders and charts, each with the field that names it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from qoslint.render.reach import items
from qoslint.span import Path

DEFAULT_CHART_HOME = "charts"


class As(StrEnum):
    """What is named, worded for a sentence."""

    KUSTOMIZATION = "kustomization"
    BASE = "base"
    """A file of objects, or the folder of another kustomization."""
    COMPONENT = "component"
    CONFIG = "plugin configuration"
    """A file or folder of configurations of generators, transformers or validators."""
    PATCH = "patch"
    REPLACEMENT = "replacement"
    DATA = "content of a generated ConfigMap or Secret"
    VALUES = "values file"
    SETTINGS = "transformer configuration or schema"


class Named(NamedTuple):
    """A path or address, what is named by it, and the field that does."""

    value: str
    what: As
    field: Path


class NamedChart(NamedTuple):
    """A chart to inflate, and the field that names it."""

    name: str
    version: str
    repository: str
    home: str
    field: Path

    @property
    def folder(self) -> str:
        """Where Kustomize looks for it (api/internal/builtins HelmChartInflationGenerator)."""
        if self.version and self.repository:
            return f"{self.home}/{self.name}-{self.version}/{self.name}"
        return f"{self.home}/{self.name}"


_LISTS = {
    "resources": As.BASE,
    "bases": As.BASE,
    "components": As.COMPONENT,
    "crds": As.SETTINGS,
    "configurations": As.SETTINGS,
}
PLUGINS = ("generators", "transformers", "validators")
_WITH_PATH = {
    "patches": As.PATCH,
    "patchesJson6902": As.PATCH,
    "replacements": As.REPLACEMENT,
}
_GENERATORS = ("configMapGenerator", "secretGenerator")


_FIELDS: Mapping[str, str] = {
    name.casefold(): name
    for name in (
        *_LISTS,
        *PLUGINS,
        *_WITH_PATH,
        *_GENERATORS,
        *("apiVersion", "kind", "patchesStrategicMerge", "openapi", "path", "paths"),
        *("files", "env", "envs", "helmCharts", "helmChartInflationGenerator", "helmGlobals"),
        *("chartHome", "valuesFile", "additionalValuesFiles", "values", "name", "repo", "version"),
        *("chartName", "chartRepoUrl", "chartVersion"),
    )
}
"""By their names in small letters."""
_OF_ANYBODY = frozenset(
    {"commonLabels", "commonAnnotations", "labels", "annotations", "pairs", "valuesInline"}
)


def named(content: Mapping[str, object]) -> Iterator[Named]:
    """What a kustomization names (api/types/kustomization.go)."""
    for key, what in _LISTS.items():
        yield from _texts(content, (key,), what)
    for key in PLUGINS:
        yield from (each for each in _texts(content, (key,), As.CONFIG) if "\n" not in each.value)
    for each in _texts(content, ("patchesStrategicMerge",), As.PATCH):
        if "\n" not in each.value:
            yield each
    for key, what in _WITH_PATH.items():
        for field, item in _mappings(content, (key,)):
            yield from _text(item, (*field, "path"), what)
    for key in _GENERATORS:
        for field, item in _mappings(content, (key,)):
            yield from _data(item, field)
    openapi = content.get("openapi")
    if isinstance(openapi, dict):
        yield from _text(openapi, ("openapi", "path"), As.SETTINGS)
    for field, item in _mappings(content, ("helmCharts",)):
        yield from _text(item, (*field, "valuesFile"), As.VALUES)
        yield from _texts(item, (*field, "additionalValuesFiles"), As.VALUES)
    for field, item in _mappings(content, ("helmChartInflationGenerator",)):
        yield from _text(item, (*field, "values"), As.VALUES)


def respelled(content: Mapping[str, object]) -> Iterator[tuple[Path, str]]:
    """Keys that Kustomize takes for a field it is told files by, and the name of that field.

    It reads JSON as Go does, which tells no capital letters from small ones (encoding/json
    decode.go object); what stands in labels and in values of charts is anybody's.
    """
    waiting: list[tuple[Path, object]] = [((), content)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, list):
            waiting += [((*path, number), item) for number, item in enumerate(value)]
        elif isinstance(value, dict):
            for key, item in value.items():
                field = _FIELDS.get(key.casefold())
                if field is not None and field != key:
                    yield (*path, key), field
                elif key not in _OF_ANYBODY:
                    waiting.append(((*path, key), item))


def generated(content: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """The files that generators read, each with the name of what is generated of it."""
    for key in _GENERATORS:
        for field, item in _mappings(content, (key,)):
            for each in _data(item, field):
                yield str(item.get("name") or ""), each.value


def charts(content: Mapping[str, object]) -> Iterator[NamedChart]:
    """The charts that a kustomization inflates."""
    settings = content.get("helmGlobals")
    home = settings.get("chartHome") if isinstance(settings, dict) else None
    for field, item in _mappings(content, ("helmCharts",)):
        yield from _chart(item, field, home, "name", "repo", "version")
    for field, item in _mappings(content, ("helmChartInflationGenerator",)):
        own = item.get("chartHome") or home
        yield from _chart(item, field, own, "chartName", "chartRepoUrl", "chartVersion")


def configured(config: object) -> Mapping[str, object]:
    """A built-in plugin's configuration as the field of a kustomization that means the same."""
    if not isinstance(config, dict):
        return {}
    match config.get("kind"):
        case "PatchTransformer" | "PatchJson6902Transformer":
            return {"patches": [config]}
        case "PatchStrategicMergeTransformer":
            return {"patchesStrategicMerge": config.get("paths")}
        case "ConfigMapGenerator" | "SecretGenerator":
            return {"configMapGenerator": [config]}
        case "HelmChartInflationGenerator":
            return {"helmCharts": [config], "helmGlobals": config}
        case "ReplacementTransformer":
            return {"replacements": config.get("replacements")}
        case _:
            return {}


def _data(generator: Mapping[str, object], field: Path) -> Iterator[Named]:
    for each in _texts(generator, (*field, "files"), As.DATA):
        yield each._replace(value=each.value.rpartition("=")[2])
    yield from _texts(generator, (*field, "envs"), As.DATA)
    yield from _text(generator, (*field, "env"), As.DATA)


def _chart(
    item: Mapping[str, object], field: Path, home: object, name: str, repository: str, version: str
) -> Iterator[NamedChart]:
    called = item.get(name)
    if isinstance(called, str) and called:
        yield NamedChart(
            called,
            str(item.get(version) or ""),
            str(item.get(repository) or ""),
            home if isinstance(home, str) and home else DEFAULT_CHART_HOME,
            (*field, name),
        )


def _mappings(
    content: Mapping[str, object], field: Path
) -> Iterator[tuple[Path, Mapping[str, object]]]:
    for number, item in enumerate(items(content.get(str(field[-1])))):
        if isinstance(item, dict):
            yield (*field, number), item


def _texts(content: Mapping[str, object], field: Path, what: As) -> Iterator[Named]:
    for number, item in enumerate(items(content.get(str(field[-1])))):
        if isinstance(item, str) and item:
            yield Named(item, what, (*field, number))


def _text(content: Mapping[str, object], field: Path, what: As) -> Iterator[Named]:
    value = content.get(str(field[-1]))
    if isinstance(value, str) and value:
        yield Named(value, what, field)
