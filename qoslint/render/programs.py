"""Programs on the PATH: what is linted shall not choose what is run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Refused(NamedTuple):
    """A program that is not used, and why: the reason reads on from its path."""

    path: str
    version: str
    """As `3.13.9`; empty if it is not known."""
    reason: str

    def __str__(self) -> str:
        """The whole sentence, without a full stop."""
        return f"{self.path} {self.reason}"


def on_path(name: str, root: Path, search: str | None = None) -> Iterator[Path | Refused]:
    """The programs of a name on the PATH, in its order; none below the root is to be started.

    `search` is the PATH, by default that of the process. Relative folders in it do not count.
    """
    suffix = ".exe" if os.name == "nt" else ""
    inside = root.resolve()
    folders = os.environ.get("PATH", "") if search is None else search
    known = set()
    for folder in folders.split(os.pathsep):
        path = Path(folder, f"{name}{suffix}")
        if not path.is_absolute() or not os.access(path, os.X_OK) or not path.is_file():
            continue
        if path.resolve() in known:
            continue
        known.add(path.resolve())
        if any(each.is_relative_to(inside) for each in (path, path.resolve())):
            yield Refused(str(path), "", "lies in what is checked, of which nothing is started")
        else:
            yield path


def told(name: str, root: Path) -> str:
    """What tells the programs of a name that are found from others; nothing is started for it."""
    found = [(path, path.stat()) for path in on_path(name, root) if isinstance(path, Path)]
    return ", ".join(f"{path} {each.st_size} {each.st_mtime_ns}" for path, each in found)
