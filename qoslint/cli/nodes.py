"""`qoslint nodes`: the node profiles, and what their kubelets make of them."""

from __future__ import annotations

import click

from qoslint.cli.options import (
    color_option,
    json_text,
    paths_and_config,
    present,
    tell_notices,
    write,
)
from qoslint.errors import UsageError


@click.command("nodes")
@paths_and_config
@click.option("--node", "nodes", multiple=True, metavar="NAME", help="A profile; all by default.")
@click.option("--presets", "listed", is_flag=True, help="List the profiles that qoslint ships.")
@click.option(
    "--preset", "presets", multiple=True, metavar="NAME", help="Explain one, such as eks/m5.large."
)
@click.option(
    "--from",
    "seen",
    multiple=True,
    metavar="FILE",
    help="Print profiles of nodes that exist: FILEs hold `kubectl get nodes -o json`, and one the "
    "`/configz` of their kubelets; - is standard input. PATHs are then more such files.",
)
@click.option(
    "--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True
)
@color_option
def command(
    paths: tuple[str, ...],
    config: str | None,
    nodes: tuple[str, ...],
    listed: bool,
    presets: tuple[str, ...],
    seen: tuple[str, ...],
    form: str,
    color: str,
) -> int:
    """Explain the node profiles: what is left for pods and why, and when the kubelet evicts.

    PATHs are files and folders whose settings list the profiles, by default the current folder;
    or names of presets, such as eks/m5.large.
    """
    from qoslint import api
    from qoslint.plugins.load import installed

    if sum(map(bool, (nodes, listed, presets, seen))) > 1:
        raise UsageError("--node, --presets, --preset and --from exclude each other")
    if seen:
        _print_seen((*seen, *paths), form)
        return 0
    plugins = installed()
    named = presets or (() if listed or nodes else api.preset_names(paths, plugins))
    if listed or named:
        document = api.presets(plugins, named)
    else:
        from qoslint.settings.load import find, load

        settings = load(find(paths, config), plugins)
        document = api.nodes(settings, nodes)
        tell_notices(settings.notices)
    from qoslint.report.nodes import render, render_presets

    present(document, form, color, render_presets if listed else render)
    return 0


def _print_seen(files: tuple[str, ...], form: str) -> None:
    from qoslint.finding import Notice
    from qoslint.model.seennodes import as_yaml
    from qoslint.settings.seen import read_seen_nodes

    found = read_seen_nodes(files)
    if form == "json":
        tell_notices(Notice(remark) for remark in found.remarks)
        write(json_text({"nodes": list(found.profiles)}))
    else:
        write(as_yaml(found))
