"""Directories: opened component by component without following links, and walked."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

GIT = ".git"
"""What Git keeps for itself, which no walk enters."""
_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Folder:
    """A directory that is open as long as anybody knows of it."""

    def __init__(self, path: str, descriptor: int) -> None:
        """Take the descriptor over."""
        self.path = path
        self.descriptor = descriptor

    def __del__(self) -> None:
        """Close it."""
        os.close(self.descriptor)


def open_folder(root: Path, path: str) -> int:
    """A descriptor of a directory below the root, which is "".

    Raises OSError, or ValueError for what is no path inside of it.
    """
    names = path.split("/") if path else []
    if not {"", ".", ".."}.isdisjoint(names):
        raise ValueError(f"'{path}' is not a path inside the tree")
    descriptor = os.open(root, _FLAGS)
    try:
        for name in names:
            inner = os.open(name, _FLAGS, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def walk(root: Path, top: str) -> Iterator[tuple[str, int | None]]:
    """Every regular file below a directory, sorted by path, with its size.

    A directory that cannot be listed is given with a "/" behind its path and without a size.
    """
    return _Walk(root, top).files()


def below(files: Mapping[str, int], top: str) -> Iterator[tuple[str, int]]:
    """What `walk` gives where all files are known, by path their sizes."""
    start = f"{top}/" if top else ""
    for path in sorted(path for path in files if path.startswith(start)):
        if GIT not in path[len(start) :].split("/"):
            yield path, files[path]


class _Entry(NamedTuple):
    order: str
    name: str
    size: int | None
    """None for a directory."""


class _Level(NamedTuple):
    """A directory that is being walked: the one it is and what is left of it, the next last."""

    path: str
    identity: tuple[int, int]
    left: list[_Entry]


class _Walk:
    """One walk below a directory. It has one directory open at a time, however deep it is."""

    def __init__(self, root: Path, top: str) -> None:
        self._root = root
        self._top = top
        self._levels: list[_Level] = []
        self._open: int | None = None

    def files(self) -> Iterator[tuple[str, int | None]]:
        """What `walk` gives."""
        try:
            yield from self._enter("", self._top)
            while self._levels:
                level = self._levels[-1]
                if not level.left:
                    self._leave()
                    continue
                entry = level.left.pop()
                if entry.name == GIT:
                    continue
                path = f"{level.path}/{entry.name}" if level.path else entry.name
                if entry.size is None:
                    yield from self._enter(entry.name, path)
                else:
                    yield path, entry.size
        finally:
            self._close()

    def _enter(self, name: str, path: str) -> Iterator[tuple[str, None]]:
        """Go into a directory, found in the open one by its name; say so if that is impossible."""
        try:
            if self._levels and self._open is not None:
                inner = os.open(name, _FLAGS, dir_fd=self._open)
            else:
                inner = open_folder(self._root, path)
        except OSError:
            yield f"{path}/", None
            return
        try:
            level = _Level(path, _identity(inner), _listed(inner))
        except OSError:
            os.close(inner)
            yield f"{path}/", None
            return
        self._close()
        self._open = inner
        self._levels.append(level)

    def _leave(self) -> None:
        """Go back to the parent: by `..` if that is still the same, else from the root again."""
        self._levels.pop()
        if not self._levels:
            return
        parent = self._levels[-1]
        outer = _opened_parent(self._open, parent.identity)
        self._close()
        if outer is None:
            with contextlib.suppress(OSError):
                outer = open_folder(self._root, parent.path)
        self._open = outer

    def _close(self) -> None:
        if self._open is not None:
            os.close(self._open)
            self._open = None


def _opened_parent(descriptor: int | None, identity: tuple[int, int]) -> int | None:
    """The parent of an open directory; None if it is not the one that was walked."""
    if descriptor is None:
        return None
    try:
        outer = os.open("..", _FLAGS, dir_fd=descriptor)
    except OSError:
        return None
    if _identity(outer) == identity:
        return outer
    os.close(outer)
    return None


def _identity(descriptor: int) -> tuple[int, int]:
    status = os.fstat(descriptor)
    return status.st_dev, status.st_ino


def _listed(descriptor: int) -> list[_Entry]:
    """The files and directories inside, as their whole paths sort, the first last."""
    with os.scandir(descriptor) as inside:
        entries = [entry for item in inside if (entry := _entry(item)) is not None]
    return sorted(entries, reverse=True)


def _entry(item: os.DirEntry[str]) -> _Entry | None:
    """None for whatever is neither a regular file nor a directory."""
    if item.is_dir(follow_symlinks=False):
        return _Entry(f"{item.name}/", item.name, None)
    if not item.is_file(follow_symlinks=False):
        return None
    try:
        size = item.stat(follow_symlinks=False).st_size
    except OSError:
        # Gone since the listing: reading it will say so.
        size = 0
    return _Entry(item.name, item.name, size)
