"""The settings of a run as they are understood: each with the place that states it, or `default`.

The text is itself a `.qoslint.yaml` for the root.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from qoslint.model.clusterspec import ClusterSpec
from qoslint.render.helm.records import Parameter
from qoslint.render.renderspec import Environment
from qoslint.report.visible import shortened
from qoslint.schema import Json
from qoslint.settings.annotated import Line, spot, value_text
from qoslint.settings.settings import Settings
from qoslint.source.tree import SUFFIXES
from qoslint.span import Path, value_at

_DEFAULT = "default"
_ABOVE = ("kubernetes", "featureGates", "nodes", "injectors")
"""What the top of the settings says for clusters that do not."""


class _Shown(NamedTuple):
    settings: Settings
    options: Mapping[str, str]
    """By setting the option of the command line that states it, or adds to it."""

    def stated(self, *paths: Path) -> Path | None:
        """The first of the paths that the file has."""
        file = self.settings.file
        return next((p for p in paths if file and value_at(file.data, p) is not None), None)

    def why(self, name: str, *paths: Path) -> str:
        """Where a setting is stated: at the first of the paths that is there."""
        file, path = self.settings.file, self.stated(*paths)
        places = [spot(file.name, file.line(path))] if file and path else []
        if name in self.options:
            places.append(self.options[name])
        return " and ".join(places) or _DEFAULT

    def raw(self, *paths: Path) -> Json:
        """What the file has at the first of the paths, its own paths relative to the root."""
        file, path = self.settings.file, self.stated(*paths)
        if file is None or path is None:
            return None
        return _from_root(file.value(path), file.folder)


def shown(settings: Settings, options: Mapping[str, str]) -> str:
    """The settings as YAML; `options` of the command line by the setting that each one states."""
    file = settings.file.name if settings.file else "none was found"
    head = f"# Settings of {settings.root}, to which paths are relative. Their file: {file}."
    lines = _lines(_Shown(settings, options))
    return "".join(f"{line}\n" for line in (shortened(head), *lines))


def _lines(shown: _Shown) -> Iterator[Line]:
    settings = shown.settings
    rendering = settings.rendering
    yield _line("renderer", rendering.renderer, shown)
    yield _line("remotes", dict(rendering.remotes), shown)
    yield from _clusters(shown)
    if rendering.charts:
        yield Line("charts:", shown.why("charts", ("charts",)))
        for folder, environments in rendering.charts.items():
            why = " and ".join(shown.why("", at) for at in settings.chart_entries[folder])
            yield Line(f"  - path: {value_text(folder or '.')}", why)
            named = {each.name: _environment(each) for each in environments}
            yield Line(f"    environments: {value_text(named)}", "its values, from the root")
    selection = settings.selection
    yield Line("rules:", shown.why("rules", ("rules",)))
    for name in ("preset", "select", "extend", "ignore", "strict"):
        value = getattr(selection, name)
        if value:
            yield _line(name, value, shown, "rules")
    for name in ("severity", "options", "exceptions"):
        value = shown.raw(("rules", name))
        if value:
            yield _line(name, value, shown, "rules")
    if expected := shown.raw(("expect",)):
        yield _line("expect", expected, shown)


def _line(name: str, value: Json, shown: _Shown, *above: str) -> Line:
    indent = "  " * len(above)
    return Line(f"{indent}{name}: {value_text(value)}", shown.why(name, (*above, name)))


def _clusters(shown: _Shown) -> Iterator[Line]:
    specs = shown.settings.clusters
    if not specs[0].declared:
        yield from _common(specs[0], shown.settings.cluster_entries[0], "", shown)
        return
    yield Line("clusters:", shown.why("clusters", ("clusters",)))
    for spec, at in zip(specs, shown.settings.cluster_entries, strict=True):
        yield Line(
            f"  - name: {value_text(spec.name)}", shown.why("", (*at, "name"), (*at, "each"))
        )
        why = shown.why("", (*at, "paths"), (*at, "each"))
        yield Line(f"    paths: {value_text(spec.paths)}", why)
        if spec.context:
            why = shown.why("", (*at, "context"))
            yield Line(f"    context: {value_text(spec.context)}", why)
        yield Line(f"    complete: {value_text(spec.complete)}", shown.why("", (*at, "complete")))
        yield Line(
            f"    namespace: {value_text(spec.namespace)}", shown.why("", (*at, "namespace"))
        )
        yield from _common(spec, at, "    ", shown)


def _common(spec: ClusterSpec, at: Path, indent: str, shown: _Shown) -> Iterator[Line]:
    """What clusters say themselves, or the top for them."""
    values: dict[str, Json] = {
        "kubernetes": spec.kubernetes,
        "featureGates": dict(spec.feature_gates),
        "nodes": shown.raw((*at, "nodes"), ("nodes",)) or [],
        "injectors": shown.raw((*at, "injectors"), ("injectors",)) or [],
    }
    for name in _ABOVE:
        why = shown.why(name, (*at, name), (name,))
        yield Line(f"{indent}{name}: {value_text(values[name])}", why)


def _environment(environment: Environment) -> dict[str, Json]:
    found: dict[str, Json] = {
        "values": [f"/{values}" for values in environment.values],
        "set": {each.name: _given(each) for each in environment.parameters},
        "namespace": environment.namespace,
        "release": environment.release,
    }
    return {name: value for name, value in found.items() if value}


def _given(parameter: Parameter) -> Json:
    return parameter.value if parameter.literal else json.loads(parameter.value)


def _from_root(value: Json, folder: str) -> Json:
    """The files that a list of profiles names, relative to the root."""
    if isinstance(value, list):
        return [_from_root(each, folder) for each in value]
    if isinstance(value, str) and value.endswith(SUFFIXES):
        return posixpath.normpath(posixpath.join(folder, value))
    if isinstance(value, dict) and "kubeletConfig" in value:
        return {**value, "kubeletConfig": _from_root(value["kubeletConfig"], folder)}
    return value
