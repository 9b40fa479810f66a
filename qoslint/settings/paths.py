"""Paths that settings name: inside the root, without symbolic links, and there."""

from __future__ import annotations

import fnmatch
import os
import posixpath
import stat
from collections.abc import Iterator
from pathlib import Path


class PathError(ValueError):
    """A path that cannot be used; the message reads on from the place that names it."""


def inside(root: Path, folder: str, given: str) -> str:
    """The path relative to the root that `given`, relative to `folder`, means; "." is the root.

    Raises PathError if it leaves the root, leads through a symbolic link or does not exist.
    """
    path = _joined(folder, given)
    reached = ""
    for step in path.split("/"):
        reached = posixpath.join(reached, step)
        if _mode(root, reached, given) == stat.S_IFLNK:
            raise PathError(f"names {given!r}, but {reached!r} is a symbolic link")
    return path


def folders(root: Path, folder: str, pattern: str) -> Iterator[str]:
    """The folders that the pattern matches, relative to the root and sorted.

    `*`, `?` and `[]` match inside one name. Symbolic links match nothing, hidden folders only a
    pattern that starts with a dot. Raises PathError if the pattern leaves the root.
    """
    if "**" in pattern:
        raise PathError(f"is {pattern!r}; write one * for each level of folders instead of **")
    matches = [""]
    for step in _joined(folder, pattern).split("/"):
        matches = [
            posixpath.join(parent, name)
            for parent in matches
            for name in _folders_in(root, parent, pattern)
            if fnmatch.fnmatchcase(name, step) and name.startswith(".") <= step.startswith(".")
        ]
    yield from sorted(matches)


def _joined(folder: str, given: str) -> str:
    if posixpath.isabs(given) or Path(given).is_absolute():
        raise PathError(f"must be a relative path, not {given!r}")
    path = posixpath.normpath(posixpath.join(folder, given))
    if path.split("/")[0] == "..":
        raise PathError(f"names {given!r}, which is outside of the root")
    return path


def _mode(root: Path, path: str, given: str) -> int:
    try:
        return stat.S_IFMT((root / path).lstat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        raise PathError(f"names {given!r}, which does not exist") from None
    except (OSError, ValueError):
        raise PathError(f"names {given!r}, which cannot be read") from None


def _folders_in(root: Path, folder: str, pattern: str) -> list[str]:
    try:
        with os.scandir(root / folder) as entries:
            return [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        raise PathError(f"is {pattern!r}, but {folder!r} cannot be read") from None
