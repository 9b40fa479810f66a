"""What is kept from run to run: JSON values by a key, in a folder of the user's.

Whatever stands there is only believed as far as it can be read: a file that is broken, foreign or
too large counts as absent and is replaced. Nothing of a run depends on the folder being usable.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

MAX_BYTES = 256 * 1024 * 1024
MAX_FILE_BYTES = 32 * 1024 * 1024

_SUFFIX = ".json"
_HOUR = 3600
_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class _Kept(NamedTuple):
    """A file of the cache; `used` is when it was last asked for, to the hour."""

    used: float
    size: int
    path: Path


class Cache:
    """Values by key. Without a folder nothing is kept and nothing found."""

    def __init__(self, folder: Path | None = None) -> None:
        """Touch nothing yet: the folder is made when there is something to keep."""
        self._folder = folder
        self._is_ready = False

    def get(self, key: str) -> object:
        """The value that was put there; None if there is none to be read."""
        if self._folder is None:
            return None
        try:
            value: object = json.loads(_read(self._path(self._folder, key)))
        except (OSError, ValueError, RecursionError):
            return None
        return value

    def put(self, key: str, value: object) -> None:
        """Keep a JSON value, if the folder can be written; a reader finds all of it or nothing."""
        if self._folder is None:
            return
        content = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(
            "utf-8", "surrogatepass"
        )
        if len(content) > MAX_FILE_BYTES:
            return
        with contextlib.suppress(OSError):
            self._prepare(self._folder)
            _write(self._path(self._folder, key), content)

    def _path(self, folder: Path, key: str) -> Path:
        return folder / (hashlib.sha256(key.encode()).hexdigest() + _SUFFIX)

    def _prepare(self, folder: Path) -> None:
        """Make the folder, and room in it: once in a run is enough."""
        if self._is_ready:
            return
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        kept = sorted(_files(folder), reverse=True)
        if sum(each.size for each in kept) > MAX_BYTES:
            # Half of it goes at once, so that not every run has to make room.
            total = 0
            for each in kept:
                total += each.size
                if total > MAX_BYTES // 2:
                    each.path.unlink(missing_ok=True)
        self._is_ready = True


NO_CACHE = Cache()


def _read(path: Path) -> bytes:
    """The content of a regular file of the user's own; raise OSError."""
    descriptor = os.open(path, _FLAGS)
    with open(descriptor, "rb", buffering=0) as stream:  # noqa: PTH123 - a descriptor has no Path
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
            raise PermissionError(f"'{path}' is not a file of this user")
        if status.st_size > MAX_FILE_BYTES:
            raise PermissionError(f"'{path}' is larger than anything that is kept")
        if abs(time.time() - status.st_mtime) > _HOUR:
            os.utime(descriptor)
        return stream.read(status.st_size)


def _write(path: Path, content: bytes) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix="new-")
    try:
        with open(descriptor, "wb") as stream:  # noqa: PTH123 - a descriptor has no Path
            stream.write(content)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _files(folder: Path) -> Iterator[_Kept]:
    """The files of the cache; what a run left behind that was ended counts among them."""
    with os.scandir(folder) as inside:
        for entry in inside:
            if entry.name.endswith(_SUFFIX) or entry.name.startswith("new-"):
                status = entry.stat(follow_symlinks=False)
                yield _Kept(status.st_mtime, status.st_size, Path(entry.path))
