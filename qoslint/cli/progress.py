"""What a long run is at, on a terminal."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from types import FrameType

_PATIENCE = 2
"""Seconds after which people ask themselves whether anything happens."""
_CLEAR = "\r\x1b[K"
_STAGES = {
    "qoslint.render.worklist": "rendering charts and kustomizations",
    "qoslint.render.discover": "reading files",
    "qoslint.model.inventory": "looking at objects",
    "qoslint.model.cluster": "putting clusters together",
    "qoslint.model.judged": "judging pods",
    "qoslint.model.noderanking": "ranking pods",
    "qoslint.model.simulate": "playing the node",
    "qoslint.engine.run": "running rules",
    "qoslint.source.places": "finding lines",
}
"""By module what is done while it runs."""


@contextlib.contextmanager
def progress() -> Iterator[None]:
    """Tell on standard error what is done and for how long, from the third second on.

    Only if that is a terminal, and never where CI runs it. The stage is read off the stack, by a
    timer's signal, so that nothing that works has to know of it.
    """
    if not _is_watched():
        yield
        return
    import signal
    import time

    started = time.monotonic()
    told = False

    def tell(_: int, frame: FrameType | None) -> None:
        nonlocal told
        told = True
        seconds = int(time.monotonic() - started)
        # Not through a buffer: the signal may have come while that was being written.
        os.write(sys.stderr.fileno(), f"{_CLEAR}qoslint: {_stage(frame)}, {seconds} s".encode())

    before = signal.signal(signal.SIGALRM, tell)
    signal.setitimer(signal.ITIMER_REAL, _PATIENCE, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if told:
            os.write(sys.stderr.fileno(), _CLEAR.encode())


def _is_watched() -> bool:
    plain = os.environ.get("CI") or os.environ.get("TERM") == "dumb" or sys.platform == "win32"
    # There is no such stream where it was closed before the start (`2>&-`).
    return not plain and sys.stderr is not None and sys.stderr.isatty()


def _stage(frame: FrameType | None) -> str:
    while frame is not None:
        if stage := _STAGES.get(frame.f_globals.get("__name__", "")):
            return stage
        frame = frame.f_back
    return "working"
