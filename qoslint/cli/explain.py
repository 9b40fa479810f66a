"""`qoslint explain`: a rule's page, the derivation of a workload's pods, or an eviction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from qoslint.cli.completing import codes
from qoslint.cli.options import (
    SCENARIO,
    color_option,
    load_settings,
    paths_and_config,
    present,
    rendering_options,
    scenario_option,
    signal_option,
    tell,
    usage_option,
)
from qoslint.cli.progress import progress
from qoslint.errors import UsageError
from qoslint.kernel.signals import Signal

if TYPE_CHECKING:
    from qoslint.api import Asked
    from qoslint.engine.page import Page
    from qoslint.plugins.collect import Plugins
    from qoslint.render.renderspec import Renderer


@click.command("explain")
@click.argument("what", required=False, metavar="RULE|WORKLOAD", shell_complete=codes)
@paths_and_config
@rendering_options
@click.option(
    "--what-if",
    multiple=True,
    metavar="FIELD=VALUE",
    help="Compare with another value: limits.cpu=2 (of every container), "
    "app:requests.memory=1Gi (of container app), resources.limits.cpu=2 (of the pod as a whole), "
    "priorityClassName=high, restartPolicy=..., runtimeClassName=..., preemptionPolicy=...; "
    "no value takes the field out; may be given several times.",
)
@click.option(
    "--node",
    metavar="NAME",
    help="Also say where its pods stand on this node profile when it runs low, which key decides, "
    "and what gives them a later rank.",
)
@signal_option
@scenario_option
@usage_option
@click.option(
    "--evicted",
    metavar="MESSAGE",
    help="Instead say what the message of an evicted pod tells, as kubectl describe shows it, and "
    "which key decided; with a WORKLOAD, compared with its requests in the files.",
)
@click.option(
    "--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True
)
@color_option
def command(
    what: str | None,
    paths: tuple[str, ...],
    config: str | None,
    renderer: Renderer | None,
    what_if: tuple[str, ...],
    node: str | None,
    signal: str,
    scenario: str,
    usage: tuple[str, ...],
    evicted: str | None,
    form: str,
    color: str,
) -> int:
    """Explain a rule (QOS103), or how the pods of a workload come to what they are.

    A workload is named as api, shop/api, Deployment/api or Deployment/shop/api, or as in the table
    of `qoslint check`: shop/Deployment/api. PATHs are the files and folders to look for it, by
    default the current folder; `-` is standard input.

    \b
    Who goes before it on a node, and what gives it a later rank?
      qoslint explain shop/api --node workers
    Why was this pod evicted?
      qoslint explain --evicted "The node was low on resource: memory. Threshold quantity: ..."
    """
    from qoslint import api
    from qoslint.plugins.load import installed

    asked = None
    if node is not None:
        asked = api.Asked(Signal(signal), scenario, (node,), (), usage)
    elif usage or scenario != SCENARIO or signal != Signal.MEMORY:
        raise UsageError("--signal, --scenario and --usage are about the ranks on a --node NAME")
    if evicted is not None:
        if what_if or asked:
            raise UsageError("--evicted takes no --what-if and no --node")
        _evicted(evicted, what, paths, config, renderer, form, color)
        return 0
    if what is None:
        raise UsageError("name a rule or a workload to explain, or give --evicted MESSAGE")
    plugins = installed()
    page = api.rule(what, plugins.rule_packs)
    if page is None:
        _workload(what, paths, config, renderer, what_if, asked, form, color, plugins)
    elif paths or what_if or asked:
        raise UsageError(f"{page.code} is a rule: it takes no PATH and no --what-if or --node")
    else:
        _rule(page, form, color)
    return 0


def _evicted(
    message: str,
    workload: str | None,
    paths: tuple[str, ...],
    config: str | None,
    renderer: Renderer | None,
    form: str,
    color: str,
) -> None:
    from qoslint import api
    from qoslint.plugins.load import installed
    from qoslint.report.evicted import render
    from qoslint.settings.load import find

    if workload is None:
        document = api.evicted(message)
    else:
        found = find(paths, config)
        settings = load_settings(found, installed(), renderer)
        with progress():
            document, coverage, notices = api.evicted_workload(
                message, workload, found.paths, settings
            )
        tell(notices, coverage)
    present(document, form, color, render)


def _rule(page: Page, form: str, color: str) -> None:
    from qoslint.report.rules import page_document, render_page

    present(page_document(page), form, color, render_page)


def _workload(
    name: str,
    paths: tuple[str, ...],
    config: str | None,
    renderer: Renderer | None,
    what_if: tuple[str, ...],
    asked: Asked | None,
    form: str,
    color: str,
    plugins: Plugins,
) -> None:
    from qoslint import api
    from qoslint.report.explain import render
    from qoslint.settings.load import find

    found = find(paths, config)
    document, coverage, notices = api.explain(
        name, found.paths, load_settings(found, plugins, renderer), what_if, asked
    )
    tell(notices, coverage)
    present(document, form, color, render)
