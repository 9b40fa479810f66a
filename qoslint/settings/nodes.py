"""The node profiles that settings list: inline, or in files of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache

from qoslint.errors import nearest
from qoslint.finding import ObjectId, Place
from qoslint.kernel.features import Version, features
from qoslint.model.kubelet import kubelet
from qoslint.model.node import NodeProfile, ProfileError, node_profile
from qoslint.model.setting import Setting
from qoslint.schema import Json
from qoslint.settings.file import SettingsFile, read_file
from qoslint.settings.kubeletfile import kubelet_file
from qoslint.source.tree import SUFFIXES
from qoslint.span import Path

NodesAt = Callable[[Path, Version], tuple[NodeProfile, ...]]
"""The profiles of the `nodes` list at a path, for a cluster of a version."""


def node_reader(file: SettingsFile, known: Callable[[], Mapping[str, Json]]) -> NodesAt:
    """What reads lists of profiles; each list and each file is read once.

    `known` gives the profiles that a list may name.

    It raises SettingsError, at its line, for a profile that cannot be used.
    """

    @cache
    def profile_file(path: str) -> SettingsFile:
        found = read_file(file.root / path, file.root, path, path.rpartition("/")[0])
        assert found is not None, "only TOML can lack settings"
        found.check("node-profile")
        return found

    @cache
    def nodes_at(path: Path, version: Version) -> tuple[NodeProfile, ...]:
        return tuple(_distinct(file, path, profiles(path, version)))

    def profiles(path: Path, version: Version) -> Iterator[NodeProfile]:
        for index, entry in enumerate(file.value(path)):
            at = (*path, index)
            if isinstance(entry, dict):
                yield _profile(file, at, version)
            elif entry.endswith(SUFFIXES):
                yield _profile(profile_file(file.named(at)), (), version)
            elif entry in known():
                yield node_profile(known()[entry], version, place_of(file, at))
            else:
                other = nearest(entry, known()) or "; name a YAML file, or write the profile here"
                raise file.wrong(at, f"names the node profile {entry!r}, which is unknown{other}")

    return nodes_at


def _profile(file: SettingsFile, at: Path, version: Version) -> NodeProfile:
    data = file.value(at)
    below: Mapping[str, Setting] = {}
    if "kubeletConfig" in data:
        path = file.named((*at, "kubeletConfig"))
        below = kubelet_file(file.root / path, path)
    try:
        profile = node_profile(data, version, place_of(file, at), below)
        kubelet(profile, features(profile.version))
    except ProfileError as error:
        raise file.wrong((*at, *error.path), error.message) from error
    return profile


def place_of(file: SettingsFile, at: Path) -> Place:
    """The place of a field of a file of settings."""
    return Place(ObjectId(file.name, 0, ()), at)


def _distinct(
    file: SettingsFile, path: Path, profiles: Iterator[NodeProfile]
) -> Iterator[NodeProfile]:
    names: set[str] = set()
    for index, profile in enumerate(profiles):
        if profile.name in names:
            raise file.wrong((*path, index), f"is a second node named {profile.name!r}")
        names.add(profile.name)
        yield profile
