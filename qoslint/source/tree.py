"""The only door to files: walks and reads a work tree, never outside of its root.

No symbolic link is followed on the way, so that not even one that is planted during the run leads
out of the root.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from qoslint.errors import UsageError
from qoslint.source.walk import GIT, Folder, below, open_folder, walk

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


class _Top(NamedTuple):
    """A PATH argument as it is sorted, as a path from the root, and of a file its size."""

    order: str
    path: str
    size: int | None


class WorkTree:
    """The files below a directory. All paths are relative to it, with `/` between components."""

    def __init__(
        self,
        root: Path,
        edited: Mapping[str, bytes] = MappingProxyType({}),
        given: bytes | None = None,
        *,
        files: Mapping[str, int] | None = None,
    ) -> None:
        """Raise UsageError if `root` is not a directory.

        `edited` is what `read` finds in files, whatever the disk holds, `given` what standard input
        holds: the tree has it as a file of the name STDIN. `files` are the sizes of all files by
        path, where they are known, so that no walk looks for them.
        """
        if not root.is_dir():
            raise UsageError(f"'{root}' is not a directory")
        self.root = root.resolve()
        self._edited = edited if given is None else {**edited, STDIN: given}
        self._given = given
        self._known = files
        self._held: dict[str, bytes | Skip] = {}
        """What was read, as far as it may be held: most files are asked for several times, and so
        are names of files that are not there."""
        self._left_to_hold = _MOST_HELD_BYTES
        self._walked: dict[str, Mapping[str, File | Skipped]] = {}
        """By folder what a walk through it found: a run looks at the files of one moment.

        Once that is known of the root, names count letter by letter even where the system takes
        `Pod.yaml` for `pod.yaml`: what deploys from the repository does not.
        """
        self._folder: Folder | None = None
        """The one that was read from last: most files are read beside each other."""

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
        done: _Top | None = None
        for top in tops:
            if done is not None and top.order.startswith(done.order) and done.size is None:
                continue
            done = top
            if top.size is None:
                yield from self._below(top.path)
            else:
                yield _classified(top.path, top.size)

    def _below(self, folder: str) -> Iterator[File | Skipped]:
        if folder in self._walked:
            yield from self._walked[folder].values()
            return
        found = {}
        known = self._known
        for path, size in walk(self.root, folder) if known is None else below(known, folder):
            found[path] = (
                Skipped(path, Skip.UNREADABLE_DIRECTORY)
                if size is None
                else _classified(path, size)
            )
            yield found[path]
        self._walked[folder] = found

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
        whole = self._walked.get("") if self._known is None else self._known
        if whole is not None and path not in whole and GIT not in path.split("/"):
            raise UnreadableError(path, Skip.UNREADABLE)
        folder, separator, name = path.rpartition("/")
        if separator and not folder:
            raise UnreadableError(path, Skip.UNREADABLE)  # absolute, so not a path of the tree
        try:
            parent = self._opened(folder)  # it stays open as long as it is named here
            descriptor = os.open(name, _FILE_FLAGS, dir_fd=parent.descriptor)
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

    def _opened(self, path: str) -> Folder:
        folder = self._folder
        if folder is None or folder.path != path:
            folder = self._folder = Folder(path, self.open_folder(path))
        return folder

    def _top(self, path: str) -> _Top:
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
            return _Top(relative, relative, status.st_size)
        if not stat.S_ISDIR(status.st_mode):
            raise UsageError(f"'{path}' is neither a file nor a directory")
        if relative == ".":
            return _Top("", "", None)
        return _Top(f"{relative}/", relative, None)

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
        return open_folder(self.root, path)


def _classified(path: str, size: int) -> File | Skipped:
    *directories, name = path.split("/")
    if name == GIT or GIT in directories:
        return Skipped(path, Skip.GIT)
    if name not in _NAMES and not name.lower().endswith(SUFFIXES):
        return Skipped(path, Skip.NOT_YAML)
    if size > MAX_FILE_BYTES:
        return Skipped(path, Skip.TOO_LARGE)
    if len(directories) > MAX_FOLDERS:
        return Skipped(path, Skip.TOO_DEEP)
    return File(path, size)
