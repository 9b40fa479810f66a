"""Which installed distributions hold plugins, without reading the metadata of all of them.

Importing `importlib.metadata` takes 40 ms, and its scan parses every file of entry points. Here
each is only searched for one line.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from qoslint.plugins.given import GROUP

_SEPARATORS = re.compile(r"[-_.]+")
_SUFFIXES = (".dist-info", ".egg-info")
_SECTION = f"[{GROUP}]"


def plugin_folders(places: Sequence[str] | None = None) -> Iterator[Path]:
    """The metadata folders of the distributions with plugins, by their names.

    `places` are the folders that modules are imported from, by default those of this process. As
    for imports, the first distribution of a name counts.
    """
    found: dict[str, Path] = {}
    for place in _installations() if places is None else places:
        for name, folder in _metadata(place):
            found.setdefault(name, folder)
    yield from (found[name] for name in sorted(found) if _has_plugins(found[name]))


def _installations() -> Sequence[str]:
    """The folders of `sys.path` in which something may be installed.

    `python -m qoslint` puts the current folder first. That is often the repository to check, and
    no metadata in it may bring code into the run.
    """
    current = sys.path and sys.path[0] in ("", os.getcwd())  # noqa: PTH109 - as sys.path has it
    return sys.path[1:] if current else sys.path


def _metadata(place: str) -> Iterator[tuple[str, Path]]:
    try:
        names = [name for name in os.listdir(place) if name.endswith(_SUFFIXES)]  # noqa: PTH208 - names only
    except OSError:
        return  # a zip file, or nothing: the path may name what is not there
    for name in sorted(names):
        project = name.rpartition(".")[0].partition("-")[0]
        yield _SEPARATORS.sub("-", project).lower(), Path(place, name)


def _has_plugins(folder: Path) -> bool:
    try:
        text = (folder / "entry_points.txt").read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    return GROUP in text and any(line.strip() == _SECTION for line in text.splitlines())
