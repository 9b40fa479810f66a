"""`qoslint facts`: every effective pod with its derivation and verdicts."""

from __future__ import annotations

import click

from qoslint.cli.options import json_text, paths_and_config, tell, write


@click.command("facts")
@paths_and_config
@click.option("--format", "form", type=click.Choice(("json",)), default="json", show_default=True)
def command(paths: tuple[str, ...], config: str | None, form: str) -> int:
    """Print every effective pod: class, admission, priority, scores, and each step to them.

    PATHs are files and folders, by default the current folder.
    """
    from qoslint import api
    from qoslint.plugins.load import installed
    from qoslint.settings.load import find, load

    found = find(paths, config)
    document, coverage, notices = api.facts(found.paths, load(found, installed()))
    tell(notices, coverage)
    write(json_text(document))
    return 0
