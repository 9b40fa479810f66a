"""`qoslint completion`: what a shell needs to complete command lines."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from qoslint.cli.completing import VARIABLE
from qoslint.cli.options import write

_SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(_SHELLS))
def command(shell: str) -> int:
    """Print a script with which a shell completes options, rules, presets and paths.

    \b
    In ~/.bashrc:                     eval "$(qoslint completion bash)"
    In ~/.zshrc:                      eval "$(qoslint completion zsh)"
    For ~/.config/fish/config.fish:   qoslint completion fish | source
    """
    kind = get_completion_class(shell)
    assert kind is not None, "click completes in each of these shells"
    program = click.get_current_context().find_root().command
    made = kind(program, {}, "qoslint", VARIABLE)
    # Not `made.source()`: that starts a bash to ask for its version.
    write(made.source_template % made.source_vars())
    return 0
