"""`qoslint diff`: what a change of the repository changes of its pods."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from qoslint.cli.options import (
    color_option,
    format_option,
    present,
    rendering_options,
    say,
    tell,
    write,
)

if TYPE_CHECKING:
    from qoslint.render.renderspec import Renderer


@click.command("diff")
@click.argument("base")
@click.argument("head", required=False)
@click.option(
    "--path",
    "paths",
    multiple=True,
    metavar="PATH",
    help="A file or folder to compare, by default the current folder; may be given several times.",
)
@click.option(
    "--config",
    metavar="FILE",
    help="Settings for both revisions instead of those that each of them has.",
)
@click.option(
    "--settings-from",
    metavar="REF",
    help="The settings of this revision count for both.",
)
@click.option(
    "--exact",
    is_flag=True,
    help="Compare with BASE itself, not with the commit at which HEAD left it.",
)
@rendering_options
@format_option
@color_option
def command(
    base: str,
    head: str | None,
    paths: tuple[str, ...],
    config: str | None,
    settings_from: str | None,
    exact: bool,
    renderer: Renderer | None,
    form: str,
    color: str,
) -> int:
    """Tell what changes in class, admission, priority, scores and order of eviction, and why.

    BASE and HEAD are revisions, such as main, v1.2 or HEAD~1. Without HEAD it is the work tree with
    all that is not committed. As a pull request does, this compares with the commit at which
    HEAD left BASE: what BASE got since then is not told as taken away.
    """
    from qoslint import comparison
    from qoslint.cli.revisions import Wanted, revisions
    from qoslint.plugins.load import installed
    from qoslint.report.changes import render
    from qoslint.report.changes_markdown import render_markdown
    from qoslint.report.summary import gaps_phrase

    wanted = Wanted(
        base,
        head,
        paths,
        config,
        settings_from,
        exact,
        renderer,
        unrelated="give --exact to compare them all the same",
    )
    with revisions(wanted, installed()) as (older, newer):
        made = comparison.diff(older, newer)
    covered = made.head or made.base
    if covered:
        tell(made.notices, covered)
    if made.base and made.head and (gaps := gaps_phrase(made.base, 0)):
        say(f"qoslint: at the older revision, not checked: {gaps}")
    if form == "markdown":
        write(render_markdown(made.document))
    else:
        present(made.document, form, color, render)
    return 0
