"""`qoslint init`: settings for a repository that has none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from qoslint.cli.completing import folders
from qoslint.cli.options import load_settings, rendering_options, say, write
from qoslint.cli.progress import progress
from qoslint.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from qoslint.render.renderspec import Renderer


@click.command("init")
@click.argument("folder", default=".", metavar="[FOLDER]", shell_complete=folders)
@rendering_options
@click.option(
    "--write", "writing", is_flag=True, help="Write .qoslint.yaml, if there are no settings yet."
)
def command(folder: str, renderer: Renderer | None, writing: bool) -> int:
    """Propose settings for a repository from what its files say, and explain each line.

    Reads the Git root around FOLDER, by default the current folder, and prints a .qoslint.yaml:
    which clusters there are, which Kubernetes and which nodes they have, and for which
    environments charts are rendered. What no file says is commented out.
    """
    from qoslint.plugins.load import installed
    from qoslint.settings.find import YAML_NAME, find
    from qoslint.settings.proposal.propose import propose

    found = find([folder])
    target = found.root / YAML_NAME
    if writing and found.file is not None:
        raise UsageError(f"there are settings already, in {found.file.name}; --write keeps them")
    settings = load_settings(found._replace(file=None), installed(), renderer)
    with progress():
        text = propose(settings)
    if not writing:
        write(text)
        return 0
    _create(target, text)
    say(f"qoslint: wrote {target}")
    return 0


def _create(file: Path, text: str) -> None:
    """Write a file that does not exist, not even as a symbolic link."""
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except OSError as error:
        raise UsageError(f"cannot write '{file}': {error.strerror}") from error
