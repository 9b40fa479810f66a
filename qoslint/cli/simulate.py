"""`qoslint simulate`: a node under growing memory, played as its kubelet and kernel would."""

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
    scenario_name,
    tell,
    usage_option,
    write,
)
from qoslint.cli.progress import progress
from qoslint.errors import UsageError

if TYPE_CHECKING:
    from qoslint.render.renderspec import Renderer

_MOST_SECONDS = 86400


@click.command("simulate")
@paths_and_config
@rendering_options
@click.option("--node", metavar="NAME", help="The node profile to play; needed if there are more.")
@click.option("--cluster", metavar="NAME", help="The cluster whose node and pods are meant.")
@click.option(
    "--scenario",
    callback=scenario_name,
    metavar="requests|peak|usage|leak:WORKLOAD",
    help="What pods use that do not grow. requests: their memory request. peak: all that their "
    "limits allow. usage: what --usage says. leak:WORKLOAD: that one all that its limits allow, "
    "the others what --usage says, else their request. By default usage with --usage, else "
    "requests.",
)
@usage_option
@click.option(
    "--ramp",
    "ramps",
    multiple=True,
    metavar="WORKLOAD=FROM..TO@RATE",
    help="Memory that the pods of a workload use over time: shop/Deployment/api=900Mi..2Gi@10Mi/s, "
    "or api:app=900Mi..2Gi@10Mi/s for container app of them. Without @RATE it jumps within a "
    "second. May be given several times.",
)
@click.option(
    "--daemons",
    metavar="FROM..TO@RATE",
    help="Memory used outside of pods (kubelet, runtime, system services), over time: "
    "512Mi..1400Mi@5Mi/s. By default what the profile says.",
)
@click.option(
    "--seconds",
    type=click.IntRange(0, _MOST_SECONDS),
    help="How long to play. By default until nothing grows any more and the kubelet has answered, "
    "an hour at the most.",
)
@format_option
@color_option
def command(
    paths: tuple[str, ...],
    config: str | None,
    renderer: Renderer | None,
    node: str | None,
    cluster: str | None,
    scenario: str | None,
    usage: tuple[str, ...],
    ramps: tuple[str, ...],
    daemons: str | None,
    seconds: int | None,
    form: str,
    color: str,
) -> int:
    """Play a node that runs out of memory: who is evicted or killed, when, and why that pod.

    The kubelet looks every 10 seconds, and evicts one pod at a time while less memory is available
    than its threshold: first those that use more than they request, then those of lower priority,
    then those furthest above their request. If memory is gone before it looks, the kernel kills by
    oom_score_adj and size instead, and asks nobody's priority.

    PATHs are the files and folders with the pods, by default the current folder; `-` is
    standard input. The node is a profile of the settings (`nodes` in .qoslint.yaml).

    \b
    What if the system services leak 5 MiB a second?
      qoslint simulate --daemons 512Mi..2Gi@5Mi/s
    What if api leaks, from what was measured?
      kubectl top pod -A --containers > usage.txt
      qoslint simulate --usage usage.txt --ramp api=900Mi..2Gi@10Mi/s
    """
    from qoslint import api
    from qoslint.model.growth import growth, ramp
    from qoslint.model.simulate import NodeName, Plan
    from qoslint.plugins.load import installed
    from qoslint.settings.load import find

    if scenario == "usage" and not usage:
        raise UsageError("the scenario usage needs --usage FILE")
    plan = Plan(
        scenario or ("usage" if usage else "requests"),
        tuple(map(growth, ramps)),
        None if daemons is None else ramp(daemons),
        seconds,
    )
    found = find(paths, config)
    settings = load_settings(found, installed(), renderer)
    on = NodeName(node, cluster)
    with progress():
        document, coverage, notices = api.simulate(found.paths, settings, on, plan, usage)
    tell(notices, coverage)
    if form == "markdown":
        from qoslint.report.simulation_markdown import render_markdown

        write(render_markdown(document))
        return 0
    from qoslint.report.simulation import render

    present(document, form, color, render)
    return 0
