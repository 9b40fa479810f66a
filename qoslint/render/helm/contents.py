"""What a chart's folder or archive holds, read with bounds and never outside of the checkout."""

from __future__ import annotations

import io
import os
import posixpath
import re
import stat
import tarfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from qoslint.render.failure import RenderError

MOST_FILES = 50_000
LARGEST_FILE = 10 * 1024 * 1024
LARGEST_CHART = 100 * 1024 * 1024
"""Bytes of a chart with all its subcharts unpacked; Helm bounds each archive so."""

_GZIP = 31
_DRIVE = re.compile(r"[a-zA-Z]:/")


class Room:
    """How many bytes of a chart may still be read."""

    def __init__(self) -> None:
        """Room for one chart."""
        self.left = LARGEST_CHART

    def take(self, size: int, shown: str) -> None:
        """Count what was read; raise RenderError if it is too much."""
        self.left -= size
        if self.left < 0:
            raise RenderError("a chart of more than 100 MiB", shown)


def of_folder(checkout: Path, folder: str, room: Room) -> Mapping[str, bytes]:
    """Each file by its path in the folder; raise RenderError for what an engine must not open."""
    try:
        return _of_folder(checkout, folder, room)
    except OSError as error:
        message = f"the chart cannot be read: {error.strerror}"
        raise RenderError(message, posixpath.join(folder, "Chart.yaml")) from error


def _of_folder(checkout: Path, folder: str, room: Room) -> Mapping[str, bytes]:
    root = checkout / folder
    found: dict[str, bytes] = {}
    inside = checkout.resolve()
    for name in _walk(root, root):
        path = root / name
        shown = posixpath.join(folder, name)
        if path.is_symlink() and not path.resolve().is_relative_to(inside):
            raise RenderError("a symbolic link leads out of the repository", shown)
        if not path.exists() or path.is_dir():
            continue
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise RenderError("neither a file nor a folder, so the chart is not rendered", shown)
        if status.st_size > LARGEST_FILE:
            raise RenderError("a file of a chart is larger than 10 MiB", shown)
        room.take(status.st_size, shown)
        if len(found) == MOST_FILES:
            raise RenderError(f"a chart of more than {MOST_FILES:,} files", shown)
        found[name] = path.read_bytes()
    return found


def _walk(folder: Path, root: Path) -> Iterator[str]:
    """Files, and links to folders, which are not followed."""
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda each: each.name):
            if entry.is_dir(follow_symlinks=False):
                yield from _walk(Path(entry.path), root)
            else:
                yield Path(entry.path).relative_to(root).as_posix()


def of_archive(archive: bytes, shown: str, room: Room) -> Mapping[str, bytes]:
    """Each regular file of a packed chart by its path below the chart's own folder.

    Raise RenderError for what Helm refuses, and for what stands for more bytes than there are.
    """
    found: dict[str, bytes] = {}
    try:
        unpacked = zlib.decompressobj(_GZIP).decompress(archive, room.left + 1)
        room.take(len(unpacked), shown)
        # "r:": what is inside must not be packed again.
        with tarfile.open(fileobj=io.BytesIO(unpacked), mode="r:") as tar:
            for member in tar:
                if member.issparse():
                    raise RenderError(f"'{member.name}' in the archive is a sparse file", shown)
                content = tar.extractfile(member) if member.isreg() else None
                if content is not None:
                    found[_inside(member.name, shown)] = content.read()
                if len(found) > MOST_FILES:
                    raise RenderError(f"a chart of more than {MOST_FILES:,} files", shown)
    # Headers that say what no header may: tarfile follows them as far as it gets.
    except (
        tarfile.TarError,
        EOFError,
        OSError,
        OverflowError,
        RecursionError,
        ValueError,
        zlib.error,
    ) as error:
        raise RenderError(f"the archive cannot be read: {error}", shown) from error
    return found


def _inside(member: str, shown: str) -> str:
    """The path of a member below the folder of the chart (archive.go LoadArchiveFiles)."""
    delimiter = "\\" if "\\" in member else "/"
    first, _, rest = member.partition(delimiter)
    name = rest.replace(delimiter, "/")
    path = posixpath.normpath(name)
    if (
        first == "Chart.yaml"
        or path == "."
        or path.startswith(("/", ".."))
        or _DRIVE.match(path)
        or "\0" in path
    ):
        raise RenderError(f"'{member}' in the archive is not inside of a chart's folder", shown)
    return path
