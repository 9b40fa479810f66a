"""`qoslint rank`: who is evicted first on each node profile."""

from __future__ import annotations

import click

from qoslint.cli.options import (
    color_option,
    format_option,
    json_text,
    paths_and_config,
    scenario_option,
    signal_option,
    style,
    tell,
    usage_option,
    write,
)
from qoslint.kernel.signals import Signal


@click.command("rank")
@paths_and_config
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
    nodes: tuple[str, ...],
    signal: str,
    scenario: str,
    usage: tuple[str, ...],
    pods: tuple[str, ...],
    form: str,
    color: str,
) -> int:
    """Rank the pods of each node profile in the order in which the kubelet would evict them.

    PATHs are files and folders, by default the current folder. Beside the order in one scenario
    stand the ranks that each pod can have in any.
    """
    from qoslint import api
    from qoslint.plugins.load import installed
    from qoslint.report.ranking import render, render_markdown
    from qoslint.settings.load import find, load

    found = find(paths, config)
    asked = api.Asked(Signal(signal), scenario, nodes, pods, usage)
    document, coverage, notices = api.rank(found.paths, load(found, installed()), asked)
    tell(notices, coverage)
    match form:
        case "json":
            write(json_text(document))
        case "markdown":
            write(render_markdown(document))
        case _:
            write(render(document, style(color)))
    return 0
