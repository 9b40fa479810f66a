"""The only door to files: walks and reads a work tree, never outside of its root.

A directory is opened component by component without following symbolic links, so that not even a
link planted during the run leads out of the root.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from qoslint.errors import UsageError

MAX_FILE_BYTES = 20 * 1024 * 1024
_MOST_HELD_BYTES = 64 * 1024 * 1024
STDIN = "<stdin>"
"""The path of what is piped in: it is no name of a file that would be read."""
MAX_FOLDERS = 128
"""Each is opened on the way to a file."""

SUFFIXES = (".yaml", ".yml", ".json")
"""What the names of the files end in that may hold YAML or JSON."""
# Kustomize also reads this name, which has no suffix.
_NAMES = frozenset({"Kustomization"})
_GIT = ".git"
_DIRECTORY_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# O_NONBLOCK: a file that was replaced by a FIFO after the walk must not block the run.
_FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Skip(StrEnum):
    """Why a file was not read; worded to be printed behind a count: "3 files not YAML or JSON"."""

    NOT_YAML = "not YAML or JSON"
    GIT = "inside .git"
    TOO_LARGE = "larger than 20 MiB"
    TOO_DEEP = "below more than 128 folders"
    UNREADABLE = "not readable"
    UNREADABLE_DIRECTORY = "directory not readable"
    NOT_REGULAR = "no longer a regular file"
    BINARY = "binary"
    GIT_CRYPT = "encrypted with git-crypt"
    NOT_UTF8 = "not UTF-8 text"
    UTF32 = "UTF-32 text, which Kubernetes does not read"
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

    def __init__(
        self,
        root: Path,
        edited: Mapping[str, bytes] = MappingProxyType({}),
        given: bytes | None = None,
    ) -> None:
        """Raise UsageError if `root` is not a directory.

        `edited` is what `read` finds in files that would be edited, `given` what standard input
        holds: the tree has it as a file of the name STDIN.
        """
        if not root.is_dir():
            raise UsageError(f"'{root}' is not a directory")
        self.root = root.resolve()
        self._edited = edited if given is None else {**edited, STDIN: given}
        self._given = given
        self._held: dict[str, bytes | Skip] = {}
        """What was read, as far as it may be held: most files are asked for several times, and so
        are names of files that are not there."""
        self._left_to_hold = _MOST_HELD_BYTES
        self._walked: dict[str, tuple[File | Skipped, ...]] = {}
        """By folder what a walk through it found: a run looks at the files of one moment."""
        self._all: frozenset[str] | None = None
        """The paths of all files, once they are known, but those that Git keeps for itself.

        They count letter by letter even where the system takes `Pod.yaml` for `pod.yaml`: what
        deploys from the repository does not.
        """

    def walk(self, paths: Iterable[str]) -> Iterator[File | Skipped]:
        """Every regular file under `paths` once, sorted by path; before them STDIN, if it is given.

        What Git keeps for itself is no file of the tree, unless a path leads there. Paths are
        absolute or relative to the root. Symbolic links are neither followed nor counted. Raise
        UsageError for a path that does not exist, is a symbolic link, is neither file nor
        directory, or lies outside the root.
        """
        wanted = {*paths}
        if self._given is not None:
            if STDIN in wanted:
                yield File(STDIN, len(self._given))
            # No file of a stranger's may take the place of what is piped in.
            found = self._files(wanted - {STDIN})
            yield from (item for item in found if item.path != STDIN)
        else:
            yield from self._files(wanted)

    def _files(self, paths: Iterable[str]) -> Iterator[File | Skipped]:
        tops = sorted({self._top(path) for path in paths})
        done: _Entry | None = None
        for top in tops:
            if done is not None and top.order.startswith(done.order) and done.size is None:
                continue
            done = top
            if top.size is None:
                yield from self._below(top.name)
            else:
                yield _classified(top.name, top.size)

    def _below(self, folder: str) -> Iterator[File | Skipped]:
        if folder in self._walked:
            yield from self._walked[folder]
            return
        found = []
        for item in _Walk(self, folder).files():
            found.append(item)
            yield item
        self._walked[folder] = tuple(found)
        if not folder:
            self._all = frozenset(item.path for item in found)

    def read(self, path: str) -> bytes:
        """The bytes of a regular file, at most 20 MiB; raise UnreadableError."""
        if path in self._edited:
            return self._edited[path]
        found = self._held.get(path)
        if found is None:
            try:
                found = self._read(path)
            except UnreadableError as error:
                found = error.reason
            size = len(path) + (len(found) if isinstance(found, bytes) else 0)
            if size <= self._left_to_hold:
                self._left_to_hold -= size
                self._held[path] = found
        if isinstance(found, Skip):
            raise UnreadableError(path, found)  # a new one: each holds the frames that it leaves
        return found

    def _read(self, path: str) -> bytes:
        if self._all is not None and path not in self._all and _GIT not in path.split("/"):
            raise UnreadableError(path, Skip.UNREADABLE)
        folder, separator, name = path.rpartition("/")
        if separator and not folder:
            raise UnreadableError(path, Skip.UNREADABLE)  # absolute, so not a path of the tree
        try:
            parent = self.open_folder(folder)
            try:
                descriptor = os.open(name, _FILE_FLAGS, dir_fd=parent)
            finally:
                os.close(parent)
        except (OSError, ValueError) as error:
            raise UnreadableError(path, Skip.UNREADABLE) from error
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            os.close(descriptor)  # `open` refuses a directory, and would leave it open
            raise UnreadableError(path, Skip.NOT_REGULAR)
        # What is asked for is taken from the system, however little there is: very many pieces of
        # 20 MiB are more than it gives.
        size = min(status.st_size, MAX_FILE_BYTES) + 1
        with open(descriptor, "rb") as stream:  # noqa: PTH123 - a descriptor has no Path
            try:
                content = stream.read(size)
                if len(content) == size:  # it grows
                    content += stream.read(MAX_FILE_BYTES + 1 - size)
            except OSError as error:
                raise UnreadableError(path, Skip.UNREADABLE) from error
        if len(content) > MAX_FILE_BYTES:
            raise UnreadableError(path, Skip.TOO_LARGE)
        return content

    def _top(self, path: str) -> _Entry:
        """A PATH argument as an entry whose name is its path relative to the root."""
        absolute = self.root / path
        try:
            if absolute.is_symlink():
                raise UsageError(f"'{path}' is a symbolic link; name the file it leads to")
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

    def is_folder(self, path: str) -> bool:
        """Whether there is a directory of that path, reached without following links."""
        try:
            os.close(self.open_folder(path))
        except (OSError, ValueError):
            return False
        return True

    def open_folder(self, path: str) -> int:
        """A descriptor of a directory in the tree, reached without following links.

        The root is "". Raises OSError, or ValueError for what is no path inside the tree.
        """
        names = path.split("/") if path else []
        if not {"", ".", ".."}.isdisjoint(names):
            raise ValueError(f"'{path}' is not a path inside the tree")
        descriptor = os.open(self.root, _DIRECTORY_FLAGS)
        try:
            for name in names:
                inner = os.open(name, _DIRECTORY_FLAGS, dir_fd=descriptor)
                os.close(descriptor)
                descriptor = inner
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor


class _Level(NamedTuple):
    """A directory that is being walked: the one it is and what is left of it, the next last."""

    path: str
    identity: tuple[int, int]
    left: list[_Entry]


class _Walk:
    """One walk below a directory. It has one directory open at a time, however deep it is."""

    def __init__(self, tree: WorkTree, top: str) -> None:
        self._tree = tree
        self._top = top
        self._levels: list[_Level] = []
        self._open: int | None = None

    def files(self) -> Iterator[File | Skipped]:
        """Every regular file, as `WorkTree.walk` gives them."""
        try:
            yield from self._enter("", self._top)
            while self._levels:
                level = self._levels[-1]
                if not level.left:
                    self._leave()
                    continue
                entry = level.left.pop()
                if entry.name == _GIT:
                    continue
                path = f"{level.path}/{entry.name}" if level.path else entry.name
                if entry.size is None:
                    yield from self._enter(entry.name, path)
                else:
                    yield _classified(path, entry.size)
        finally:
            self._close()

    def _enter(self, name: str, path: str) -> Iterator[Skipped]:
        """Go into a directory, found in the open one by its name; say so if that is impossible."""
        try:
            if self._levels and self._open is not None:
                inner = os.open(name, _DIRECTORY_FLAGS, dir_fd=self._open)
            else:
                inner = self._tree.open_folder(path)
        except OSError:
            yield Skipped(f"{path}/", Skip.UNREADABLE_DIRECTORY)
            return
        try:
            level = _Level(path, _identity(inner), _listed(inner))
        except OSError:
            os.close(inner)
            yield Skipped(f"{path}/", Skip.UNREADABLE_DIRECTORY)
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
                outer = self._tree.open_folder(parent.path)
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
        outer = os.open("..", _DIRECTORY_FLAGS, dir_fd=descriptor)
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


def _classified(path: str, size: int) -> File | Skipped:
    *directories, name = path.split("/")
    if name == _GIT or _GIT in directories:
        return Skipped(path, Skip.GIT)
    if name not in _NAMES and not name.lower().endswith(SUFFIXES):
        return Skipped(path, Skip.NOT_YAML)
    if size > MAX_FILE_BYTES:
        return Skipped(path, Skip.TOO_LARGE)
    if len(directories) > MAX_FOLDERS:
        return Skipped(path, Skip.TOO_DEEP)
    return File(path, size)
