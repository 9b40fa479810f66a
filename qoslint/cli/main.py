"""The command line: commands by name, and the one place where errors become exit statuses."""

from __future__ import annotations

import platform
import sys
import traceback
from importlib import import_module

import click

from qoslint import __version__
from qoslint.errors import QoslintError

_COMMANDS = {"check": "qoslint.cli.check", "facts": "qoslint.cli.facts"}


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
@click.version_option(__version__, message="qoslint %(version)s")
def cli() -> None:
    """Which QoS class each pod really gets, what is refused, what is killed first, and why."""


def main(*arguments: str) -> None:
    """Run the command line and end the process.

    Exit status 0: done. 1: findings at or above --fail-on. 2: the job could not be done.
    """
    try:
        status = cli.main(list(arguments) or None, standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except click.Abort:
        sys.exit(130)
    except QoslintError as error:
        click.echo(f"qoslint: {_harmless(error)}", err=True)
        sys.exit(2)
    except Exception:
        click.echo(_bug_report(), err=True)
        sys.exit(2)
    sys.exit(status if isinstance(status, int) else 0)


def _harmless(error: QoslintError) -> str:
    from qoslint.report.visible import visible

    return visible(str(error))


def _bug_report() -> str:
    return (
        "qoslint: an error of qoslint itself; nothing was checked. Please report what follows.\n"
        f"qoslint {__version__}, Python {platform.python_version()}, {platform.platform()}\n"
        f"{traceback.format_exc()}"
    )
