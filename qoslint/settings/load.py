"""From the command line's PATHs to the settings that govern the run."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from qoslint.engine.page import RulePack
from qoslint.engine.registry import option_problems, pages
from qoslint.engine.selection import RuleException, Selection
from qoslint.errors import nearest
from qoslint.finding import Notice, Severity
from qoslint.kernel.features import CHECKED, Version
from qoslint.kernel.pod import MEMORY
from qoslint.model.clusterspec import ClusterSpec
from qoslint.model.setting import frozen
from qoslint.plugins.collect import Plugins
from qoslint.render.renderspec import RenderSpec
from qoslint.schema import Json
from qoslint.settings.charts import chart_environments, with_charts
from qoslint.settings.clusters import cluster_specs
from qoslint.settings.expect import expected
from qoslint.settings.file import SettingsFile
from qoslint.settings.find import Found, find
from qoslint.settings.settings import Settings
from qoslint.source.paths import covers
from qoslint.span import Path

__all__ = ["Found", "find", "load"]

_NAMING = {"exceptions", "strict"}
_IMPLICIT = ClusterSpec(complete=False, declared=False)


def load(found: Found, plugins: Plugins) -> Settings:
    """The settings of a run, with all defaults filled in, in the terms of the plugins.

    Raises SettingsError, which starts with `file:line:`, for the first thing that is wrong.
    """
    file = found.file
    if file is None:
        return _piped(Settings(found.root, None, (_IMPLICIT,), Selection(), plugins), found)
    file.check("settings")
    entries, specs = zip(*cluster_specs(file, plugins), strict=True)
    wanted = expected(file, specs)
    charts = chart_environments(file, specs)
    clusters = with_charts([spec._replace(expected=wanted) for spec in specs], charts.environments)
    notices = (*_approximate_nodes(clusters), *_unchecked_versions(clusters))
    selection = _selection(file, plugins.rule_packs)
    rendering = RenderSpec(
        renderer=file.data.get("renderer", "auto"),
        kubernetes=partial(_kubernetes, clusters),
        remotes={url: file.named(("remotes", url)) for url in file.data.get("remotes", {})},
        charts=charts.environments,
    )
    settings = Settings(found.root, file, clusters, selection, plugins, notices, rendering)
    placed = settings._replace(cluster_entries=entries, chart_entries=charts.entries)
    return _piped(placed, found)


def _piped(settings: Settings, found: Found) -> Settings:
    """The settings with what is piped in; what stands beside that is context of every cluster.

    Clusters that are declared say themselves what decides about files.
    """
    if found.given is None and settings.clusters[0].declared:
        return settings
    clusters = (
        spec._replace(context=(*spec.context, *found.beside)) if spec.declared else spec
        for spec in settings.clusters
    )
    return settings._replace(clusters=tuple(clusters), given=found.given, beside=found.beside)


def _kubernetes(clusters: Sequence[ClusterSpec], file: str) -> str:
    """The version of the cluster that a file belongs to."""
    of_file = (spec for spec in clusters if covers(spec.paths, file))
    return next(of_file, clusters[0]).kubernetes


def _selection(file: SettingsFile, packs: Sequence[RulePack]) -> Selection:
    rules: Mapping[str, Json] = file.data.get("rules", {})
    for path, message in option_problems(rules.get("options", {}), packs):
        raise file.wrong(("rules", "options", *path), message)
    known = {page.code for page in pages(packs)} if rules.keys() & _NAMING else ()
    for path, code in _named(rules):
        if not any(each.startswith(code) for each in known):
            raise file.wrong(("rules", *path), f"names no rule{nearest(code, known)}")
    severity = {code: Severity[name.upper()] for code, name in rules.get("severity", {}).items()}
    return Selection(
        preset=rules.get("preset", "default"),
        select=tuple(rules.get("select", ())),
        extend=tuple(rules.get("extend", ())),
        ignore=tuple(rules.get("ignore", ())),
        severity=severity,
        options=frozen(rules.get("options", {})),
        strict=tuple(rules.get("strict", ())),
        exceptions=tuple(
            RuleException(**{**entry, "expires": _expires(file, index, entry)})
            for index, entry in enumerate(rules.get("exceptions", ()))
        ),
    )


def _named(rules: Mapping[str, Json]) -> Iterator[tuple[Path, str]]:
    """Where rules are named of whose findings some, or none, are accepted."""
    for index, each in enumerate(rules.get("exceptions", ())):
        yield ("exceptions", index, "rule"), each["rule"]
    for index, code in enumerate(rules.get("strict", ())):
        yield ("strict", index), code


def _expires(file: SettingsFile, index: int, entry: Mapping[str, str]) -> datetime.date | None:
    if "expires" not in entry:
        return None
    try:
        return datetime.date.fromisoformat(entry["expires"])
    except ValueError as error:
        path: Path = ("rules", "exceptions", index, "expires")
        message = f"must be a date such as 2027-06-30, not {entry['expires']!r}"
        raise file.wrong(path, message) from error


def _unchecked_versions(clusters: Iterable[ClusterSpec]) -> Iterator[Notice]:
    for version in sorted({Version.parse(spec.kubernetes) for spec in clusters} - {*CHECKED}):
        yield Notice(
            f"Kubernetes {version} is computed as its source says; the results were not compared "
            f"with the real code, as those of {CHECKED[0]} to {CHECKED[-1]} were."
        )


def _approximate_nodes(clusters: Iterable[ClusterSpec]) -> Iterator[Notice]:
    nodes = {node.name: node for spec in clusters for node in spec.nodes}
    for name, node in sorted(nodes.items()):
        if node.approximate:
            yield Notice(
                f"Nodes of the profile {name} have {node.capacity[MEMORY]} to "
                f"{node.approximate.memory} of memory, and scores are those of the least: take the "
                "capacity of a node of yours for exact ones.",
                node.place.object.source,
            )
