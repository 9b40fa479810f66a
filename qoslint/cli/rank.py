"""`qoslint rank`: who is evicted first on each node profile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from qoslint.cli.options import (
    color_option,
    format_option,
    load_settings,
    paths_and_config,
    present,
    rendering_options,
    scenario_option,
    signal_option,
    tell,
    usage_option,
    write,
)
from qoslint.cli.progress import progress
from qoslint.kernel.signals import Signal

if TYPE_CHECKING:
    from qoslint.render.renderspec import Renderer


@click.command("rank")
@paths_and_config
@rendering_options
@click.option(
    "--node", "nodes", multiple=True, metavar="NAME", help="A node profile; all by default."
)
@signal_option
@scenario_option
@usage_option
@click.option(
    "--pod",
    "pods",
    multiple=True,
    metavar="WORKLOAD",
    help="Show usages with which its pods get their earliest and latest ranks.",
)
@format_option
@color_option
def command(
    paths: tuple[str, ...],
    config: str | None,
    renderer: Renderer | None,
    nodes: tuple[str, ...],
    signal: str,
    scenario: str,
    usage: tuple[str, ...],
    pods: tuple[str, ...],
    form: str,
    color: str,
) -> int:
    """Rank the pods of each node profile in the order in which the kubelet would evict them.

    PATHs are files and folders, by default the current folder; `-` is standard input, and what is
    named beside it only decides about the pods. Beside the order in one scenario
    stand the ranks that each pod can have in any.
    """
    from qoslint import api
    from qoslint.plugins.load import installed
    from qoslint.report.ranking import render, render_markdown
    from qoslint.settings.load import find

    found = find(paths, config)
    asked = api.Asked(Signal(signal), scenario, nodes, pods, usage)
    settings = load_settings(found, installed(), renderer)
    with progress():
        document, coverage, notices = api.rank(found.paths, settings, asked)
    tell(notices, coverage)
    if form == "markdown":
        write(render_markdown(document))
    else:
        present(document, form, color, render)
    return 0
