"""`qoslint doctor`: what a run would work with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from qoslint.cli.options import (
    cache_folder,
    color_option,
    paths_and_config,
    present,
    rendering_options,
)

if TYPE_CHECKING:
    from qoslint.render.renderspec import Renderer


@click.command("doctor")
@paths_and_config
@rendering_options
@click.option(
    "--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True
)
@color_option
def command(
    paths: tuple[str, ...], config: str | None, renderer: Renderer | None, form: str, color: str
) -> int:
    """Tell what would render charts and kustomizations here, and what else a run works with.

    Which helm, kustomize and kubectl are on the PATH and why one is not used, the settings that
    govern PATHs (by default the current folder), plugins, and supported versions of Kubernetes.
    Exit status: 0, or 2 if nothing renders or settings or a plugin cannot be used.
    """
    from qoslint.doctor import doctor, is_able
    from qoslint.report.doctor import render

    document = doctor(paths, config, renderer, cache_folder)
    present(document, form, color, render)
    return 0 if is_able(document) else 2
