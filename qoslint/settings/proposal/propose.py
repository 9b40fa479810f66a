"""Settings for a repository without any: what it says itself, each line with the reason for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from qoslint.errors import SettingsError
from qoslint.model.cluster import assemble
from qoslint.model.inventory import Inventory
from qoslint.model.sought import sought
from qoslint.model.variants import variants
from qoslint.render.discover import discover
from qoslint.render.shared import Shared
from qoslint.settings.annotated import Line, commented_out
from qoslint.settings.file import parsed
from qoslint.settings.find import YAML_NAME, Found
from qoslint.settings.load import load
from qoslint.settings.proposal.charts import chart_environments, chart_lines, without_failing
from qoslint.settings.proposal.choice import chosen
from qoslint.settings.proposal.clusterlines import (
    Stated,
    cluster_lines,
    nodes_of_all,
    version_of_all,
)
from qoslint.settings.proposal.evidence import Evidence
from qoslint.settings.proposal.exported import exported
from qoslint.settings.proposal.injectors import injector_lines
from qoslint.settings.proposal.nodes import nodes
from qoslint.settings.proposal.remotes import remote_lines
from qoslint.settings.proposal.versions import stated_versions
from qoslint.settings.settings import Settings
from qoslint.source.tree import WorkTree

_HEAD = """\
# Settings of qoslint, as `qoslint init` proposes them. Behind each line stands why it is there;
# what is commented out is not known, and the line says how to find out.
"""


def propose(bare: Settings) -> str:
    """The text of a `.qoslint.yaml` for the root of settings without a file.

    It loads without an error, and every pod that is checked without it is checked with it.
    """
    evidence = _evidence(bare)
    environments = tuple(chart_environments(evidence))
    charts = tuple(chart_lines(environments))
    while any(line.holds for line in charts) and (settings := _loaded([charts], bare)):
        # Rendered for them, some charts fail, and are left as they are.
        after = _evidence(settings)
        sure = tuple(without_failing(environments, after.discovery))
        if sure == environments:
            evidence = after
            break
        environments, charts = sure, tuple(chart_lines(sure))
    choice = chosen(evidence, lambda lines: _loaded([charts, lines], bare))
    stated = Stated(
        list(stated_versions(evidence)), list(nodes(evidence)), list(exported(evidence))
    )
    clusters, _ = assemble(bare.clusters, evidence.inventory)
    sections = (
        tuple(version_of_all(choice.clusters, stated)),
        tuple(remote_lines(evidence)),
        tuple(cluster_lines(choice, stated)),
        tuple(nodes_of_all(choice.clusters, stated)),
        tuple(injector_lines(clusters)),
        charts,
    )
    return _text(_accepted(filter(None, sections), bare))


def _evidence(settings: Settings) -> Evidence:
    kinds = settings.plugins.kinds
    tree = WorkTree(settings.root)
    looked_for = sought(kinds, settings.clusters)
    discovery = discover(tree, ["."], looked_for, settings.rendering, Shared())
    inventory = Inventory(discovery, kinds)
    return Evidence(tree, discovery, inventory, tuple(variants(settings.clusters[0], inventory)))


def _accepted(sections: Iterable[Sequence[Line]], bare: Settings) -> list[Sequence[Line]]:
    """The sections, without effect where they do not go with those before them."""
    kept: list[Sequence[Line]] = []
    for section in sections:
        holds = _loaded([*kept, section], bare) is not None
        kept.append(section if holds else tuple(commented_out(section)))
    return kept


def _loaded(sections: Iterable[Sequence[Line]], bare: Settings) -> Settings | None:
    """The settings that the sections make; None if they cannot be used."""
    try:
        file = parsed(_text(sections), bare.root, YAML_NAME, "")
        loaded = load(Found(bare.root, (".",), file), bare.plugins)
    except SettingsError:
        return None
    own = bare.rendering
    rendering = loaded.rendering._replace(renderer=own.renderer, cache=own.cache)
    return loaded._replace(rendering=rendering)


def _text(sections: Iterable[Sequence[Line]]) -> str:
    return _HEAD + "".join(f"\n{_lines(section)}" for section in sections)


def _lines(section: Iterable[Line]) -> str:
    return "".join(f"{line}\n" for line in section)
