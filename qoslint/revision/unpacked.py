"""New folders that files of a revision are written into."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from qoslint.errors import UsageError
from qoslint.source.paths import above
from qoslint.source.tree import MAX_FOLDERS, UnreadableError, WorkTree

MOST_IN_MEMORY = 64 << 20
_IN_MEMORY = Path("/dev/shm")
_PAGE = 4 << 10
"""What the name and the last page of a file take at most."""
_OF_NAMES = (errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL)
"""What file systems say of names that they cannot hold."""
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC


class Unpacked:
    """A folder, and what was written into it."""

    def __init__(self, root: Path) -> None:
        """The folder is there, and empty."""
        self.root = root
        self.files: dict[str, int] = {}
        """By path their sizes in bytes."""

    def write(self, path: str, content: bytes) -> None:
        """Write a new file; what has a name that cannot be, or that there is, is left out.

        So is what lies below more than 128 folders. Raises UsageError where there is no room.
        """
        if path.count("/") > MAX_FOLDERS:
            return
        target = f"{self.root}/{path}"
        try:
            try:
                _write(target, content)
            except FileNotFoundError:
                _make(target.rpartition("/")[0])
                _write(target, content)
        except (FileExistsError, NotADirectoryError, IsADirectoryError, ValueError):
            return
        except OSError as error:
            if error.errno in _OF_NAMES:
                return
            raise UsageError(
                f"a revision cannot be unpacked into '{self.root}', for '{path}' cannot be "
                f"written: {error.strerror}; TMPDIR names a folder with more room"
            ) from error
        self.files[path] = len(content)

    def mark_as_root(self, repository: Path) -> None:
        """What is looked for upwards ends here, and there are the addresses of the repository."""
        config = b""
        with contextlib.suppress(UnreadableError):
            config = WorkTree(repository).read(".git/config")
        self.write(".git/config", config)

    def clear(self) -> None:
        """Remove what was written: what is known to be there need not be looked for."""
        for file in self.files:
            with contextlib.suppress(OSError):
                os.unlink(f"{self.root}/{file}")  # noqa: PTH108 - a Path takes as long
        for file in reversed(self.files):
            # Up to a folder that is not empty, or that is gone already.
            with contextlib.suppress(OSError):
                for folder in above(file):
                    os.rmdir(f"{self.root}/{folder}")  # noqa: PTH106 - a Path takes as long


@contextlib.contextmanager
def unpacked(sizes: Iterable[int]) -> Iterator[Unpacked]:
    """A new folder for files of these sizes, which goes with the context."""
    with tempfile.TemporaryDirectory(prefix="qoslint-revision-", dir=room(sizes)) as name:
        made = Unpacked(Path(name).resolve())
        try:
            yield made
        finally:
            made.clear()


def room(sizes: Iterable[int]) -> Path | None:
    """Where to unpack files: in memory what is small, for a disk takes its time for each file.

    None for the folder of temporary files.
    """
    needed = sum(size + _PAGE for size in sizes)
    if "TMPDIR" in os.environ or needed > MOST_IN_MEMORY or not os.access(_IN_MEMORY, os.W_OK):
        return None
    free = os.statvfs(_IN_MEMORY)
    return _IN_MEMORY if free.f_bavail * free.f_frsize > 2 * needed else None


def _make(folder: str) -> None:
    """Make a folder in one that is there, somewhere above it."""
    try:
        os.mkdir(folder)  # noqa: PTH102 - a Path takes as long
    except FileNotFoundError:
        _make(folder.rpartition("/")[0])
        os.mkdir(folder)  # noqa: PTH102 - a Path takes as long


def _write(target: str, content: bytes) -> None:
    descriptor = os.open(target, _NEW_FILE, 0o600)
    try:
        while content:
            content = content[os.write(descriptor, content) :]
    finally:
        os.close(descriptor)
