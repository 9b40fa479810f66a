"""What several commands share: paths, and where results go."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

from qoslint.errors import UsageError

_Command = TypeVar("_Command", bound=Callable[..., object])


def paths_and_config(command: _Command) -> _Command:
    """The PATH arguments and --config."""
    command = click.argument("paths", nargs=-1, metavar="[PATH]...")(command)
    return click.option(
        "--config",
        metavar="FILE",
        help="Settings to use instead of .qoslint.yaml or [tool.qoslint].",
    )(command)


def write(text: str, file: str = "-") -> None:
    """Write a result to standard output (`-`) or, atomically, to a file.

    Raises UsageError for a file that cannot be written.
    """
    content = text.encode("utf-8", "backslashreplace")
    if file == "-":
        try:
            sys.stdout.buffer.write(content)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            # The reader has seen enough; let the interpreter's own flush at exit not fail again.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return
    _replace(file, content)


def _replace(file: str, content: bytes) -> None:
    import tempfile

    target = Path(file)
    try:
        with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as stream:
            stream.write(content)
        Path(stream.name).replace(target)
    except OSError as error:
        raise UsageError(f"cannot write {file!r}: {error.strerror}") from error
