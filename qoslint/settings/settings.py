"""What the settings say, as one value."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path as FilePath
from types import MappingProxyType
from typing import NamedTuple

from qoslint.engine.selection import Selection
from qoslint.finding import Notice
from qoslint.model.clusterspec import ClusterSpec
from qoslint.plugins.collect import Plugins
from qoslint.render.renderspec import NO_SPEC, RenderSpec
from qoslint.settings.file import SettingsFile
from qoslint.span import Path


class Settings(NamedTuple):
    """Everything that governs a run, defaults filled in."""

    root: FilePath
    """The folder that all file names are relative to; nothing is read outside of it."""
    file: SettingsFile | None
    """Where the settings stand; it tells the line of anything in them."""
    clusters: tuple[ClusterSpec, ...]
    """The declared clusters, or the one implicit cluster."""
    selection: Selection
    plugins: Plugins
    """What there is to select from: rules, kinds, node profiles, formats."""
    notices: tuple[Notice, ...] = ()
    """What results have to be read with, by what the settings say."""
    rendering: RenderSpec = NO_SPEC
    """How charts, kustomizations and what deploys them are rendered."""
    given: bytes | None = None
    """What standard input holds, if it is what is asked about."""
    beside: tuple[str, ...] = ()
    """The files and folders that decide about it, and are not asked about."""
    cluster_entries: tuple[Path, ...] = ((),)
    """By cluster the entry of the file that declares it; the top for the implicit one."""
    chart_entries: Mapping[str, tuple[Path, ...]] = MappingProxyType({})
    """By folder of a chart those that give it environments."""
