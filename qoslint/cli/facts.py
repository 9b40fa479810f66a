"""`qoslint facts`: every effective pod with its derivation and verdicts."""

from __future__ import annotations

import click

from qoslint.cli.options import paths_and_config, write


@click.command("facts")
@paths_and_config
@click.option("--format", "form", type=click.Choice(("json",)), default="json", show_default=True)
def command(paths: tuple[str, ...], config: str | None, form: str) -> int:
    """Print every effective pod: class, admission, priority, scores, and each step to them.

    PATHs are files and folders, by default the current folder.
    """
    import json

    from qoslint import api
    from qoslint.plugins.load import installed
    from qoslint.report.summary import gaps_phrase, notice_line
    from qoslint.settings.load import find, load

    found = find(paths, config)
    document, coverage, notices = api.facts(found.paths, load(found, installed()))
    for notice in notices:
        click.echo(f"qoslint: {notice_line(notice)}", err=True)
    if gaps := gaps_phrase(coverage):
        click.echo(f"qoslint: not checked: {gaps}", err=True)
    # Escaped as JSON allows, so that no name of a manifest speaks to the terminal.
    write(json.dumps(document, indent=1).replace("\x7f", "\\u007f") + "\n")
    return 0
