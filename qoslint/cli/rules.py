"""`qoslint rules`: every rule in a line."""

from __future__ import annotations

import click

from qoslint.cli.options import color_option, present


@click.command("rules")
@click.option(
    "--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True
)
@color_option
def command(form: str, color: str) -> int:
    """List all rules: code, name, severity, preset, confidence, and what each finds."""
    from qoslint.engine.registry import pages
    from qoslint.plugins.load import installed
    from qoslint.report.rules import render_table, rules_document

    every = tuple(pages(installed().rule_packs))
    document = rules_document(every)
    present(document, form, color, render_table)
    return 0
