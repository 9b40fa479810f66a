"""The environments that settings give to charts: which values each of them is rendered with."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from qoslint.errors import nearest
from qoslint.model.clusterspec import ClusterSpec
from qoslint.render.helm.records import Parameter
from qoslint.render.renderspec import Environment
from qoslint.schema import Json
from qoslint.settings.file import SettingsFile
from qoslint.settings.paths import (
    MissingError,
    PathError,
    files_in,
    folders,
    is_file,
    is_pattern,
    regular_file,
    starred,
)
from qoslint.span import Path

_CHART = "Chart.yaml"
_ENTRY = len(("charts", 0))
"""Steps of the path of an entry, with which that of anything in it begins."""
MAX_ENVIRONMENTS = 10_000
"""More than any repository has; patterns can multiply what a file of settings says."""

Found = Iterator[tuple[Path, str, Environment]]
"""Environments, each with the place that states it and the folder of its chart, "." the root."""


class Charts(NamedTuple):
    """The charts that settings name, by folder, the root being empty."""

    environments: Mapping[str, tuple[Environment, ...]]
    """In the order of the file."""
    entries: Mapping[str, tuple[Path, ...]]
    """The entries of the settings that these come from."""


def chart_environments(file: SettingsFile, clusters: Sequence[ClusterSpec]) -> Charts:
    """The environments of each chart.

    Raises SettingsError, at its line, for what cannot be used.
    """
    versions = {spec.name: spec.kubernetes for spec in clusters if spec.declared}
    found: dict[str, dict[str, Environment]] = {}
    entries: dict[str, dict[Path, None]] = {}
    for count, (at, folder, environment) in enumerate(_environments(file)):
        key = "" if folder == "." else folder
        chart = found.setdefault(key, {})
        if environment.name in chart:
            raise file.wrong(at, f"is a second environment {environment.name!r} of {folder!r}")
        if count == MAX_ENVIRONMENTS:
            raise file.wrong(at, f"makes more than {MAX_ENVIRONMENTS} environments")
        version = versions.get(environment.name)
        chart[environment.name] = environment._replace(kubernetes=version)
        entries.setdefault(key, {})[at[:_ENTRY]] = None
    return Charts(
        {folder: tuple(chart.values()) for folder, chart in found.items()},
        {folder: tuple(paths) for folder, paths in entries.items()},
    )


def with_charts(
    clusters: Sequence[ClusterSpec], charts: Mapping[str, Sequence[Environment]]
) -> tuple[ClusterSpec, ...]:
    """The clusters, each with the charts that have an environment of its name."""
    named: dict[str, list[str]] = {}
    for folder, environments in charts.items():
        for environment in environments:
            named.setdefault(environment.name, []).append(folder or ".")
    return tuple(
        spec._replace(charts=tuple(named.get(spec.name, ()))) if spec.declared else spec
        for spec in clusters
    )


def _environments(file: SettingsFile) -> Found:
    for index, entry in enumerate(file.data.get("charts", ())):
        at: Path = ("charts", index)
        charts = _charts(file, (*at, "path"))
        named = entry.get("environments", {})
        if not named and "valuesPattern" not in entry:
            raise file.wrong(at, "needs `environments`, or a `valuesPattern`")
        for name, environment in named.items():
            for folder in charts:
                where = (*at, "environments", name)
                yield where, folder, _environment(file, where, folder, name, environment)
        if "valuesPattern" in entry:
            yield from _by_convention(file, (*at, "valuesPattern"), charts, named)


def _charts(file: SettingsFile, at: Path) -> Sequence[str]:
    """The folders of the charts that a path or a pattern names."""
    named = file.value(at)
    if not is_pattern(named):
        folder = file.named(at)
        if not is_file(file.root, posixpath.join(folder, _CHART)):
            raise file.wrong(at, f"names {named!r}, which holds no {_CHART}")
        return [folder]
    try:
        found = list(folders(file.root, file.folder, named))
    except PathError as error:
        raise file.wrong(at, str(error)) from error
    charts = [each for each in found if is_file(file.root, posixpath.join(each, _CHART))]
    if not charts:
        raise file.wrong(at, f"is {named!r}, which no folder with a {_CHART} matches")
    return charts


def _environment(
    file: SettingsFile, at: Path, folder: str, name: str, entry: Mapping[str, Json]
) -> Environment:
    values = range(len(entry.get("values", ())))
    return Environment(
        name,
        tuple(_values(file, (*at, "values", index), folder) for index in values),
        tuple(
            _parameter(file, (*at, "set", key), key, value)
            for key, value in entry.get("set", {}).items()
        ),
        entry.get("namespace"),
        entry.get("release"),
    )


def _values(file: SettingsFile, at: Path, chart: str) -> str:
    """A file of values: relative to the chart, or with a slash before it to the root."""
    given = file.value(at)
    base, path = _base(chart, given)
    try:
        return regular_file(file.root, base, path)
    except MissingError as error:
        beside = posixpath.dirname(posixpath.normpath(posixpath.join(base, path)))
        hint = nearest(posixpath.basename(path), files_in(file.root, beside))
        where = "" if given.startswith("/") else f" in the chart {chart!r}"
        raise file.wrong(at, f"names {given!r}, which does not exist{where}{hint}") from error
    except PathError as error:
        raise file.wrong(at, str(error)) from error


def _by_convention(
    file: SettingsFile, at: Path, charts: Sequence[str], named: Mapping[str, Json]
) -> Found:
    """An environment for each file that the pattern matches, but for those that have an entry."""
    pattern = file.value(at)
    matched = False
    for folder in charts:
        base, path = _base(folder, pattern)
        try:
            found = list(starred(file.root, base, path))
        except PathError as error:
            raise file.wrong(at, str(error)) from error
        matched = matched or bool(found)
        for values, name in found:
            if name not in named:
                yield at, folder, Environment(name, (values,))
    if not matched:
        where = f"the chart {charts[0]!r}" if len(charts) == 1 else f"the {len(charts)} charts"
        raise file.wrong(at, f"is {pattern!r}, which no file in {where} matches")


def _base(chart: str, given: str) -> tuple[str, str]:
    """The folder that a path is relative to, and the path."""
    return ("", given[1:]) if given.startswith("/") else (chart, given)


def _parameter(file: SettingsFile, at: Path, key: str, value: Json) -> Parameter:
    """What `--set` makes of a value; text stays the text that it is."""
    location = file.location(at)
    if isinstance(value, str):
        return Parameter(key, value, literal=True, at=location)
    # Helm reads whole numbers, true, false and null; any other number is text to it.
    return Parameter(key, json.dumps(value), at=location)
