"""The one place where a program is started: with limits, a bare environment, and nothing inherited.

What a render engine is given comes from pull requests, thus from strangers. An engine gets as much
time, memory and output as any honest chart needs, and its failure is an answer like any other.
"""

from __future__ import annotations

import contextlib
import os
import resource
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import IO, NamedTuple

MIB = 1 << 20

_DEAD_PROXY = "http://127.0.0.1:9"
"""A port that nobody listens on: what would reach the network fails at once."""

_SAID_OF_MEMORY = (b"out of memory", b"MemoryError", b"cannot allocate", b"malloc failed")
_SIGNALS_OF_CPU = frozenset({signal.SIGKILL, signal.SIGXCPU})


class Limits(NamedTuple):
    """What one program may use: seconds of wall clock and of CPU, bytes of memory and output."""

    seconds: int = 30
    cpu_seconds: int = 30
    memory: int = 1024 * MIB
    output: int = 64 * MIB


class Exceeded(StrEnum):
    """Which limit ended a program; worded to be printed behind "it"."""

    TIME = "took more time than it may"
    MEMORY = "used more memory than it may"
    OUTPUT = "wrote more than it may"


class Ended(NamedTuple):
    """How a program ended. `status` is its exit status, negative for the signal that ended it."""

    status: int
    output: bytes
    errors: bytes
    exceeded: Exceeded | None = None


LIMITS = Limits()


def run(
    command: Sequence[str],
    *,
    given: bytes = b"",
    folder: Path,
    environment: Mapping[str, str],
    limits: Limits = LIMITS,
) -> Ended:
    """Run a program to its end, as `start` starts it."""
    with start(
        command, given=given, folder=folder, environment=environment, limits=limits
    ) as running:
        return running.ended()


class Running:
    """A program that was started, and what it writes."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        output: IO[bytes],
        errors: IO[bytes],
        limits: Limits,
    ) -> None:
        """Its time counts from now."""
        self._ended: Ended | None = None
        self._process = process
        self._output = output
        self._errors = errors
        self._limits = limits
        self._deadline = time.monotonic() + limits.seconds

    def ended(self) -> Ended:
        """Wait for its end, and for that of all that it started."""
        if self._ended is None:
            self._ended = self._waited_for()
        return self._ended

    def _waited_for(self) -> Ended:
        process, limits = self._process, self._limits
        late = False
        try:
            _wait(process, max(self._deadline - time.monotonic(), 0))
        except subprocess.TimeoutExpired:
            late = True
        finally:
            _kill(process)
        output, errors = _read(self._output, limits), _read(self._errors, limits)
        return Ended(
            process.returncode,
            output,
            errors,
            Exceeded.TIME if late else _exceeded(process.returncode, output, errors, limits),
        )


@contextlib.contextmanager
def start(
    command: Sequence[str],
    *,
    given: bytes = b"",
    folder: Path,
    environment: Mapping[str, str],
    limits: Limits = LIMITS,
) -> Iterator[Running]:
    """Start a program in a folder; `given` is its standard input. It ends with the context.

    It gets the environment that is named here and no other, its own session, no terminal, and a
    home without files. Raises OSError if it cannot be started.
    """
    with (
        tempfile.TemporaryDirectory(prefix="qoslint-") as home,
        tempfile.TemporaryFile() as source,
        tempfile.TemporaryFile() as output,
        tempfile.TemporaryFile() as errors,
    ):
        source.write(given)
        source.seek(0)
        process = subprocess.Popen(
            command,
            stdin=source,
            stdout=output,
            stderr=errors,
            cwd=folder,
            env={**_bare(home, limits), **environment},
            start_new_session=True,
        )
        try:
            _limit(process.pid, limits)
            yield Running(process, output, errors, limits)
        finally:
            # What was waited for is gone, and its number may be another's.
            if process.returncode is None:
                _kill(process)


def _bare(home: str, limits: Limits) -> dict[str, str]:
    """An environment in which nothing of the user is found and no network is reached."""
    proxies = {
        name: _DEAD_PROXY
        for key in ("http_proxy", "https_proxy", "all_proxy")
        for name in (key, key.upper())
    }
    return {
        **proxies,
        "HOME": home,
        "PATH": home,
        "TMPDIR": home,
        "LANG": "C.UTF-8",
        # Go collects garbage before the limit ends it.
        "GOMEMLIMIT": str(limits.memory * 3 // 4),
    }


def _limit(pid: int, limits: Limits) -> None:
    """Set the limits from outside, where the system can: code between fork and exec is not safe."""
    if not hasattr(resource, "prlimit"):
        return  # macOS: time and output are bounded all the same
    for what, most in (
        (resource.RLIMIT_CPU, limits.cpu_seconds),
        (resource.RLIMIT_DATA, limits.memory),
        (resource.RLIMIT_FSIZE, limits.output),
        (resource.RLIMIT_CORE, 0),
    ):
        # It may have ended by now.
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(pid, what, (most, most))


def _wait(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Wait for the end of the program; raise TimeoutExpired.

    The system wakes us where it can: `Popen.wait` looks every now and then, up to 50 ms late.
    """
    try:
        descriptor = os.pidfd_open(process.pid)
    except (AttributeError, OSError):
        process.wait(seconds)
        return
    try:
        end = select.poll()
        end.register(descriptor, select.POLLIN)
        if not end.poll(seconds * 1000):
            raise subprocess.TimeoutExpired(process.args, seconds)
    finally:
        os.close(descriptor)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End what is left of the program and of what it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _read(stream: IO[bytes], limits: Limits) -> bytes:
    stream.seek(0)
    return stream.read(limits.output)


def _exceeded(status: int, output: bytes, errors: bytes, limits: Limits) -> Exceeded | None:
    """Which limit it was; a program may notice it and say so, or be ended by a signal."""
    if status == 0:
        return None
    if max(len(output), len(errors)) >= limits.output:
        return Exceeded.OUTPUT
    if -status in _SIGNALS_OF_CPU:
        return Exceeded.TIME
    if any(said in errors for said in _SAID_OF_MEMORY):
        return Exceeded.MEMORY
    return None
