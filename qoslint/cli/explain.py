"""`qoslint explain`: a rule's page, or the whole derivation of one workload's pods."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from qoslint.cli.options import color_option, json_text, paths_and_config, style, tell, write
from qoslint.errors import UsageError

if TYPE_CHECKING:
    from qoslint.engine.page import Page
    from qoslint.plugins.collect import Plugins


@click.command("explain")
@click.argument("what", metavar="RULE|WORKLOAD")
@paths_and_config
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
    "--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True
)
@color_option
def command(
    what: str,
    paths: tuple[str, ...],
    config: str | None,
    what_if: tuple[str, ...],
    form: str,
    color: str,
) -> int:
    """Explain a rule (QOS103), or how the pods of a workload come to what they are.

    A workload is named as api, shop/api, Deployment/api or Deployment/shop/api, or as in the table
    of `qoslint check`: shop/Deployment/api. PATHs are the files and folders to look for it, by
    default the current folder.
    """
    from qoslint import api
    from qoslint.plugins.load import installed

    plugins = installed()
    page = api.rule(what, plugins.rule_packs)
    if page is None:
        text = _workload(what, paths, config, what_if, form, color, plugins)
    elif paths or what_if:
        raise UsageError(f"{page.code} is a rule: it takes no PATH and no --what-if")
    else:
        text = _rule(page, form, color)
    write(text)
    return 0


def _rule(page: Page, form: str, color: str) -> str:
    from qoslint.report.rules import page_document, render_page

    document = page_document(page)
    return json_text(document) if form == "json" else render_page(document, style(color))


def _workload(
    name: str,
    paths: tuple[str, ...],
    config: str | None,
    what_if: tuple[str, ...],
    form: str,
    color: str,
    plugins: Plugins,
) -> str:
    from qoslint import api
    from qoslint.report.explain import render
    from qoslint.settings.load import find, load

    found = find(paths, config)
    document, coverage, notices = api.explain(name, found.paths, load(found, plugins), what_if)
    tell(notices, coverage)
    return json_text(document) if form == "json" else render(document, style(color))
