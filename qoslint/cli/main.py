"""The command line: commands by name, and the one place where errors become exit statuses."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from qoslint import __version__
from qoslint.errors import QoslintError

_COMMANDS = {
    "check": "qoslint.cli.check",
    "facts": "qoslint.cli.facts",
    "nodes": "qoslint.cli.nodes",
    "rank": "qoslint.cli.rank",
    "diff": "qoslint.cli.diff",
    "explain": "qoslint.cli.explain",
    "simulate": "qoslint.cli.simulate",
    "rules": "qoslint.cli.rules",
    "test": "qoslint.cli.test",
    "doctor": "qoslint.cli.doctor",
    "init": "qoslint.cli.init",
    "completion": "qoslint.cli.completion",
}


class _Commands(click.Group):
    """Imports a command's module when it is asked for: `--version` needs none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(_COMMANDS[cmd_name]).command
        return command


@click.command(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda context, _, wanted: _print_version(context) if wanted else None,
    help="Print the version, and those of Kubernetes that are computed.",
)
def cli() -> None:
    """Which QoS class each pod really gets, what is refused, what is killed first, and why."""


def _print_version(context: click.Context) -> None:
    from qoslint.kernel.features import CHECKED, SUPPORTED

    click.echo(
        f"qoslint {__version__}, Kubernetes {SUPPORTED[0]} to {SUPPORTED[-1]} "
        f"({CHECKED[0]} to {CHECKED[-1]} compared with the real code)"
    )
    context.exit()


def main(*arguments: str) -> None:
    """Run the command line and end the process.

    Exit status 0: done. 1: findings at or above --fail-on. 2: the job could not be done.
    """
    # A run makes millions of objects and no garbage; looking for some costs a third of its time,
    # and once more when the interpreter ends.
    gc.disable()
    status = _status(arguments)
    gc.freeze()
    sys.exit(status)


def _status(arguments: Sequence[str]) -> int:
    try:
        status = cli.main(list(arguments) or None, standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return 2
    except click.Abort:
        return 130
    except QoslintError as error:
        click.echo(f"qoslint: {_visible(str(error))}", err=True)
        return 2
    except Exception:
        click.echo(_bug_report(), err=True)
        return 2
    return status if isinstance(status, int) else 0


def _visible(line: str) -> str:
    """The line with what could speak to a terminal spelled out."""
    from qoslint.report.visible import visible

    return visible(line)


def _bug_report() -> str:
    import platform
    import traceback

    lines = traceback.format_exc().splitlines()
    return (
        "qoslint: an error of qoslint itself; nothing was checked. Please report what follows.\n"
        f"qoslint {__version__}, Python {platform.python_version()}, {platform.platform()}\n"
        + "\n".join(map(_visible, lines))
    )
