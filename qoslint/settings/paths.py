"""Paths that settings and command lines name: inside the root, and there."""

from __future__ import annotations

import fnmatch
import os
import posixpath
import stat
from collections.abc import Iterator
from pathlib import Path

_WILDCARDS = frozenset("*?[")


class PathError(ValueError):
    """A path that cannot be used; the message reads on from the place that names it."""


class MissingError(PathError):
    """A path that leads to nothing."""


def absolute(path: str | Path) -> Path:
    """The path from the top, with its links as they are, so that one can be refused."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - Path.resolve would follow links


def git_root(folder: Path) -> Path | None:
    """The top folder of the work tree that a folder is in; None if it is in none."""
    return next(_roots(folder), None)


def leads_out(path: Path) -> bool:
    """Whether a path of a command line that is in a repository means a place outside of it.

    The folders on the way are the repository's, and a stranger may have made links of them.
    """
    folder = absolute(path).parent
    # A link to another repository does not make that the one that the path is in.
    root = next((each for each in _roots(folder) if not each.is_symlink()), None)
    real = os.path.realpath(folder)
    return root is not None and not Path(real).is_relative_to(os.path.realpath(root))


def _roots(folder: Path) -> Iterator[Path]:
    # A file in work trees and submodules, a folder elsewhere.
    return (each for each in (folder, *folder.parents) if (each / ".git").exists())


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


def regular_file(root: Path, folder: str, given: str) -> str:
    """The same for the path of a file. Raises PathError for a folder, too."""
    path = inside(root, folder, given)
    if _mode(root, path, given) != stat.S_IFREG:
        raise PathError(f"names {given!r}, which is no file")
    return path


def is_file(root: Path, path: str) -> bool:
    """Whether a path relative to the root is a file, and reached without symbolic links."""
    try:
        regular_file(root, "", path)
    except PathError:
        return False
    return True


def is_pattern(given: str) -> bool:
    """Whether a path is a pattern of several."""
    return not _WILDCARDS.isdisjoint(given)


def starred(root: Path, folder: str, pattern: str) -> Iterator[tuple[str, str]]:
    """The files that a pattern with one star matches, each with what the star stands for, sorted.

    The star matches inside one name, and at least one character. Raises PathError for a pattern
    that leaves the root or that has no star, or anything else that stands for other characters.
    """
    path = _joined(folder, pattern)
    before, _, after = path.partition("*")
    if not pattern.count("*") == path.count("*") == 1 or is_pattern(before + after):
        raise PathError(f"is {pattern!r}; it needs one *, which stands for the environment")
    parent, _, start = before.rpartition("/")
    end, slash, rest = after.partition("/")
    names = _names_in(root, parent)
    for name in sorted(names):
        middle = name[len(start) : len(name) - len(end)]
        found = posixpath.join(parent, name) + slash + rest
        if middle and f"{start}{middle}{end}" == name and is_file(root, found):
            yield found, middle


def files_in(root: Path, folder: str) -> list[str]:
    """The names of the files in a folder; none if it cannot be read."""
    return [name for name in _names_in(root, folder) if is_file(root, posixpath.join(folder, name))]


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
        raise MissingError(f"names {given!r}, which does not exist") from None
    except (OSError, ValueError):
        raise PathError(f"names {given!r}, which cannot be read") from None


def _folders_in(root: Path, folder: str, pattern: str) -> list[str]:
    try:
        with os.scandir(root / folder) as entries:
            return [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        raise PathError(f"is {pattern!r}, but {folder!r} cannot be read") from None


def _names_in(root: Path, folder: str) -> list[str]:
    try:
        with os.scandir(root / folder) as entries:
            return [entry.name for entry in entries]
    except OSError:
        return []
