"""The command line: commands by name, and the one place where errors become exit statuses."""

from __future__ import annotations

import gc
import io
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module

import click

from qoslint import __version__
from qoslint.cli.options import say
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

    Exit status 0: done. 1: findings at or above --fail-on. 2: the job could not be done. 130 and
    143: ended from outside, by SIGINT or SIGTERM.
    """
    if os.name != "posix":
        say(f"qoslint: {sys.platform} is not supported, only Linux and macOS: use WSL")
        sys.exit(2)
    # An end from outside takes temporary folders along, of which one holds a whole revision.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
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
        _show(error)
        return 2
    except click.Abort:
        return 130
    except QoslintError as error:
        say(f"qoslint: {error}")
        return 2
    except Exception:
        for line in _bug_report():
            say(line)
        return 2
    return status if isinstance(status, int) else 0


def _show(error: click.ClickException) -> None:
    """What is wrong with the arguments, which a job may have from a stranger."""
    told = io.StringIO()
    error.show(told)
    for line in told.getvalue().splitlines():
        say(line)


def _bug_report() -> Iterator[str]:
    import platform
    import traceback

    yield "qoslint: an error of qoslint itself; nothing was checked. Please report what follows."
    yield f"qoslint {__version__}, Python {platform.python_version()}, {platform.platform()}"
    yield from traceback.format_exc().splitlines()
