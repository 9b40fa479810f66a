"""The only door to files: walks and reads a work tree, never outside of its root.

A directory is opened component by component without following symbolic links, so that not even a
link planted during the run leads out of the root.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from qoslint.errors import UsageError

MAX_FILE_BYTES = 20 * 1024 * 1024

_SUFFIXES = (".yaml", ".yml", ".json")
# Kustomize also reads this name, which has no suffix.
_NAMES = frozenset({"Kustomization"})
_DIRECTORY_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# O_NONBLOCK: a file that was replaced by a FIFO after the walk must not block the run.
_FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Skip(StrEnum):
    """Why a file was not read; worded to be printed behind a count: "3 files not YAML or JSON"."""

    NOT_YAML = "not YAML or JSON"
    GIT = "inside .git"
    TOO_LARGE = "larger than 20 MiB"
    UNREADABLE = "not readable"
    UNREADABLE_DIRECTORY = "directory not readable"
    NOT_REGULAR = "no longer a regular file"
    BINARY = "binary"
    GIT_CRYPT = "encrypted with git-crypt"
    NOT_UTF8 = "not UTF-8 text"
    SOPS = "encrypted with SOPS"
    TEMPLATE = "a template, not plain YAML"


class File(NamedTuple):
    """A file that may hold YAML or JSON: its path relative to the root, and its size in bytes."""

    path: str
    size: int


class Skipped(NamedTuple):
    """A file that is not read, or (its path ends in `/`) a directory that cannot be listed."""

    path: str
    reason: Skip


class UnreadableError(Exception):
    """A file that cannot be read now; `reason` says why."""

    def __init__(self, path: str, reason: Skip) -> None:
        """Keep the reason for the count of skipped files."""
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class _Entry(NamedTuple):
    order: str
    name: str
    size: int | None
    """None for a directory."""


class WorkTree:
    """The files below a directory. All paths are relative to it, with `/` between components."""

    def __init__(self, root: Path) -> None:
        """Raise UsageError if `root` is not a directory."""
        if not root.is_dir():
            raise UsageError(f"'{root}' is not a directory")
        self.root = root.resolve()

    def walk(self, paths: Iterable[str]) -> Iterator[File | Skipped]:
        """Every regular file under `paths` once, sorted by path.

        Paths are absolute or relative to the root. Symbolic links are neither followed nor
        counted. Raise UsageError for a path that does not exist, is a symbolic link, is neither
        file nor directory, or lies outside the root.
        """
        tops = sorted({self._top(path) for path in paths})
        done: _Entry | None = None
        for top in tops:
            if done is not None and top.order.startswith(done.order) and done.size is None:
                continue
            done = top
            if top.size is None:
                yield from self._walk_directory(top.name)
            else:
                yield _classified(top.name, top.size)

    def read(self, path: str) -> bytes:
        """The bytes of a regular file, at most 20 MiB; raise UnreadableError."""
        try:
            with self._parent(path) as parent:
                descriptor = os.open(path.rpartition("/")[2], _FILE_FLAGS, dir_fd=parent)
        except (OSError, ValueError) as error:
            raise UnreadableError(path, Skip.UNREADABLE) from error
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)  # `open` refuses a directory, and would leave it open
            raise UnreadableError(path, Skip.NOT_REGULAR)
        with open(descriptor, "rb") as stream:  # noqa: PTH123 - a descriptor has no Path
            try:
                content = stream.read(MAX_FILE_BYTES + 1)
            except OSError as error:
                raise UnreadableError(path, Skip.UNREADABLE) from error
        if len(content) > MAX_FILE_BYTES:
            raise UnreadableError(path, Skip.TOO_LARGE)
        return content

    def _top(self, path: str) -> _Entry:
        """A PATH argument as an entry whose name is its path relative to the root."""
        absolute = self.root / path
        if absolute.is_symlink():
            raise UsageError(f"'{path}' is a symbolic link; name the file it leads to")
        try:
            relative = absolute.resolve(strict=True).relative_to(self.root).as_posix()
            status = absolute.stat()
        except (OSError, RuntimeError) as error:
            raise UsageError(f"'{path}' does not exist or cannot be read") from error
        except ValueError as error:
            raise UsageError(f"'{path}' is outside of '{self.root}'") from error
        if stat.S_ISREG(status.st_mode):
            return _Entry(relative, relative, status.st_size)
        if not stat.S_ISDIR(status.st_mode):
            raise UsageError(f"'{path}' is neither a file nor a directory")
        if relative == ".":
            return _Entry("", "", None)
        return _Entry(f"{relative}/", relative, None)

    def _walk_directory(self, top: str) -> Iterator[File | Skipped]:
        pending = [_Entry("", top, None)]
        while pending:
            entry = pending.pop()
            if entry.size is not None:
                yield _classified(entry.name, entry.size)
                continue
            try:
                inside = self._list(entry.name)
            except OSError:
                yield Skipped(f"{entry.name}/", Skip.UNREADABLE_DIRECTORY)
                continue
            prefix = f"{entry.name}/" if entry.name else ""
            inside.sort(reverse=True)
            pending.extend(child._replace(name=prefix + child.name) for child in inside)

    def _list(self, directory: str) -> list[_Entry]:
        """The files and directories inside, to be sorted as their whole paths sort."""
        with (
            self._parent(f"{directory}/" if directory else "") as opened,
            os.scandir(opened) as all_,
        ):
            return [entry for item in all_ if (entry := _entry(item)) is not None]

    @contextlib.contextmanager
    def _parent(self, path: str) -> Iterator[int]:
        """A descriptor of the directory that holds `path`, reached without following links."""
        descriptor = os.open(self.root, _DIRECTORY_FLAGS)
        try:
            for name in path.split("/")[:-1]:
                if name in ("", ".", ".."):
                    raise ValueError(f"'{path}' is not a path inside the tree")
                inner = os.open(name, _DIRECTORY_FLAGS, dir_fd=descriptor)
                os.close(descriptor)
                descriptor = inner
            yield descriptor
        finally:
            os.close(descriptor)


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


def _classified(path: str, size: int) -> File | Skipped:
    *directories, name = path.split("/")
    if name == ".git" or ".git" in directories:
        return Skipped(path, Skip.GIT)
    if name not in _NAMES and not name.lower().endswith(_SUFFIXES):
        return Skipped(path, Skip.NOT_YAML)
    if size > MAX_FILE_BYTES:
        return Skipped(path, Skip.TOO_LARGE)
    return File(path, size)


def covers(paths: Iterable[str], file: str) -> bool:
    """Whether a file is one of the paths or lies below one; "." is the root."""
    return any(path in (".", "", file) or file.startswith(f"{path}/") for path in paths)
