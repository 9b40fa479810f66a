"""`qoslint facts`: every effective pod with its derivation and verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from qoslint.cli.options import (
    json_text,
    load_settings,
    paths_and_config,
    rendering_options,
    tell,
    write,
)
from qoslint.cli.progress import progress

if TYPE_CHECKING:
    from qoslint.render.renderspec import Renderer


@click.command("facts")
@paths_and_config
@rendering_options
@click.option("--format", "form", type=click.Choice(("json",)), default="json", show_default=True)
def command(
    paths: tuple[str, ...], config: str | None, renderer: Renderer | None, form: str
) -> int:
    """Print every effective pod: class, admission, priority, scores, and each step to them.

    PATHs are files and folders, by default the current folder; `-` is standard input, and what is
    named beside it only decides about the pods.
    """
    from qoslint import api
    from qoslint.plugins.load import installed
    from qoslint.settings.load import find

    found = find(paths, config)
    settings = load_settings(found, installed(), renderer)
    with progress():
        document, coverage, notices = api.facts(found.paths, settings)
    tell(notices, coverage)
    write(json_text(document))
    return 0
