"""The clusters that settings declare, or the one that stands for a repository without any."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from qoslint.errors import nearest
from qoslint.kernel.features import DEFAULT, FeatureError, Version, features, gate_names
from qoslint.model.clusterspec import ClusterSpec
from qoslint.model.injector import known_injectors
from qoslint.model.node import supported_version
from qoslint.model.presets import known_profiles
from qoslint.plugins.collect import Plugins
from qoslint.settings.file import SettingsFile
from qoslint.settings.injectors import InjectorsAt, injector_reader
from qoslint.settings.nodes import NodesAt, node_reader
from qoslint.settings.paths import PathError, folders
from qoslint.span import Path

MAX_CLUSTERS = 10_000
"""More than any repository has; patterns can multiply what a file of settings says."""

_TOP: Path = ()

Declared: TypeAlias = tuple[Path, ClusterSpec]
"""A cluster with the entry of the settings that declares it."""


def cluster_specs(file: SettingsFile, plugins: Plugins) -> tuple[Declared, ...]:
    """The clusters of settings that are valid by their schema, in the terms of the plugins.

    Each comes with the entry that it is of; the one that stands for all with the top.
    Raises SettingsError, at its line, for a value that cannot be used.
    """
    lists = _Lists(
        node_reader(file, cache(lambda: known_profiles(plugins.node_profiles))),
        injector_reader(file, cache(lambda: known_injectors(plugins.injectors))),
    )
    if "clusters" not in file.data:
        return ((_TOP, _common(file, _TOP, lists)._replace(complete=False, declared=False)),)
    return tuple(_distinct(file, _declared(file, lists)))


class _Lists(NamedTuple):
    """What reads the lists that clusters have in common."""

    nodes_at: NodesAt
    injectors_at: InjectorsAt


def _declared(file: SettingsFile, lists: _Lists) -> Iterator[Declared]:
    for index, entry in enumerate(file.data["clusters"]):
        at: Path = ("clusters", index)
        common = _common(file, at, lists)
        if "each" in entry:
            for name, folder in _matches(file, (*at, "each")):
                yield at, common._replace(name=name, paths=(folder,))
        else:
            yield at, common._replace(name=entry["name"], paths=_paths(file, (*at, "paths")))


def _distinct(file: SettingsFile, declared: Iterable[Declared]) -> Iterator[Declared]:
    names: set[str] = set()
    for at, spec in declared:
        if spec.name in names:
            raise file.wrong(at, f"is a second cluster named {spec.name!r}")
        if len(names) == MAX_CLUSTERS:
            raise file.wrong(at, f"makes more than {MAX_CLUSTERS} clusters")
        names.add(spec.name)
        yield at, spec


def _common(file: SettingsFile, at: Path, lists: _Lists) -> ClusterSpec:
    """What an entry, or the top, says of a cluster but for its name and paths."""
    entry = file.value(at)
    version = _version(file, at)
    nodes_path = _own_or_top(file, at, "nodes")
    injectors_path = _own_or_top(file, at, "injectors")
    return ClusterSpec(
        context=_paths(file, (*at, "context")) if "context" in entry else (),
        kubernetes=str(version),
        feature_gates=_feature_gates(file, at, version),
        complete=entry.get("complete", True),
        namespace=entry.get("namespace", "default"),
        nodes=lists.nodes_at(nodes_path, version) if nodes_path else (),
        injectors=lists.injectors_at(injectors_path) if injectors_path else (),
    )


def _own_or_top(file: SettingsFile, at: Path, key: str) -> Path | None:
    """Where the key stands that governs the entry at a path."""
    return next(((*path, key) for path in (at, _TOP) if key in file.value(path)), None)


def _version(file: SettingsFile, at: Path) -> Version:
    path = _own_or_top(file, at, "kubernetes")
    if path is None:
        return DEFAULT
    try:
        return supported_version(file.value(path))
    except ValueError as error:
        raise file.wrong(path, str(error)) from error


def _feature_gates(file: SettingsFile, at: Path, version: Version) -> Mapping[str, bool]:
    own = file.value(at).get("featureGates", {})
    gates: dict[str, bool] = {**file.data.get("featureGates", {}), **own}
    try:
        features(version, gates)
    except FeatureError as error:
        known = gate_names(version)
        hint = "" if error.gate in known else nearest(error.gate, known)
        path = _blamed(file, at, error)
        raise file.wrong(path, f"does not work in Kubernetes {version}: {error}{hint}") from error
    return MappingProxyType(gates)


def _blamed(file: SettingsFile, at: Path, error: FeatureError) -> Path:
    """The gate to change: the one at fault, or one that it needs and that is switched off."""
    own, top = (file.value(path).get("featureGates", {}) for path in (at, _TOP))
    for gate in (error.gate, *own, *top):
        if gate in str(error) and (gate in own or gate in top):
            return (*(at if gate in own else _TOP), "featureGates", gate)
    return (*(at if own else _TOP), "featureGates")


def _paths(file: SettingsFile, at: Path) -> tuple[str, ...]:
    return tuple(file.named((*at, index)) for index in range(len(file.value(at))))


def _matches(file: SettingsFile, at: Path) -> Iterator[tuple[str, str]]:
    """Name and path of each folder that a pattern matches: its own name where that is unique."""
    pattern = file.value(at)
    try:
        found = list(folders(file.root, file.folder, pattern))
    except PathError as error:
        raise file.wrong(at, str(error)) from error
    if not found:
        raise file.wrong(at, f"is {pattern!r}, which no folder matches")
    names = [path.rpartition("/")[2] for path in found]
    unique = len(set(names)) == len(names)
    yield from zip(names if unique else found, found, strict=True)
