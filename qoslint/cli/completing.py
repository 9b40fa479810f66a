"""What a shell offers behind options and arguments, by click's own mechanism."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem

VARIABLE = "_QOSLINT_COMPLETE"
"""What a shell asks with; see `click.shell_completion`."""


def files(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Files and folders."""
    return _of_shell(incomplete, "file")


def folders(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Folders."""
    return _of_shell(incomplete, "dir")


def codes(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Codes of rules; behind a comma the next one."""
    from click.shell_completion import CompletionItem

    from qoslint.engine.registry import pages
    from qoslint.plugins.load import installed

    before, comma, start = incomplete.rpartition(",")
    return [
        CompletionItem(f"{before}{comma}{page.code}", help=page.summary)
        for page in pages(installed().rule_packs)
        if page.code.startswith(start.upper())
    ]


def _of_shell(incomplete: str, kind: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type=kind)]
