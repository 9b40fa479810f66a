"""A revision as a folder of its own: the blobs of a commit, and nothing that they lead to."""

from __future__ import annotations

import contextlib
import errno
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from qoslint.errors import UsageError
from qoslint.revision.deciding import readable
from qoslint.revision.git import Git, ask
from qoslint.revision.listing import Blob, Listing, lacking
from qoslint.source.tree import UnreadableError, WorkTree

_BATCH = 32 << 20
_IN_MEMORY = Path("/dev/shm")
_MOST_IN_MEMORY = 64 << 20
_PAGE = 4 << 10
"""What the name and the last page of a file take at most."""
_LFS = b"version https://git-lfs.github.com/spec/"
_OF_NAMES = (errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL)
"""What file systems say of names that they cannot hold."""
_HEADER = re.compile(rb"(?P<id>[0-9a-f]+) blob (?P<size>\d+)\n")


class Materialised(NamedTuple):
    """What of a commit is not in its folder."""

    submodules: tuple[str, ...]
    pointers: tuple[str, ...]
    """Files of which the repository holds only a pointer to Git LFS."""
    contents: Mapping[str, bytes]
    """What was written, by path, so that it need not be read again; nothing if it is too much."""


def room(found: Listing, beside: Iterable[int] = ()) -> Path | None:
    """Where to unpack it: in memory what is small, for a disk takes its time for each file.

    `beside` are the sizes of what else is put there. None for the folder of temporary files.
    """
    needed = sum(size + _PAGE for size in (*(blob.size for blob in found.blobs), *beside))
    if "TMPDIR" in os.environ or needed > _MOST_IN_MEMORY or not os.access(_IN_MEMORY, os.W_OK):
        return None
    free = os.statvfs(_IN_MEMORY)
    return _IN_MEMORY if free.f_bavail * free.f_frsize > 2 * needed else None


def materialise(git: Git, found: Listing, folder: Path) -> Materialised:
    """Write the files of a revision into an empty folder, which then looks like a clone's root."""
    by_path = {blob.path: blob for blob in found.blobs}
    pointers: list[str] = []
    contents: dict[str, bytes] = {}
    few = sum(blob.size for blob in found.blobs) <= _MOST_IN_MEMORY
    for blob, content in _read(git, [by_path[path] for path in readable(by_path)]):
        if content.startswith(_LFS):
            pointers.append(blob.path)
        write_file(folder, blob.path, content)
        if few:
            contents[blob.path] = content
    _mark_as_root(git, folder)
    return Materialised(found.submodules, tuple(sorted(pointers)), contents)


def _read(git: Git, blobs: Iterable[Blob]) -> Iterator[tuple[Blob, bytes]]:
    """Each blob with its content."""
    others = []
    for blob in blobs:
        if blob.content is None:
            others.append(blob)
        else:
            yield blob, blob.content
    for batch in _batches(others):
        yield from zip(batch, _contents(git, batch), strict=True)


def _batches(blobs: Sequence[Blob]) -> Iterator[Sequence[Blob]]:
    """The blobs in groups that are not too large to be held at once."""
    batch: list[Blob] = []
    size = 0
    for blob in blobs:
        if batch and size + blob.size > _BATCH:
            yield batch
            batch, size = [], 0
        batch.append(blob)
        size += blob.size
    if batch:
        yield batch


def _contents(git: Git, blobs: Iterable[Blob]) -> Iterator[bytes]:
    wanted = [blob.id for blob in blobs]
    output = ask(git, "cat-file", "--batch", given="".join(f"{each}\n" for each in wanted).encode())
    at = 0
    for each in wanted:
        header = _HEADER.match(output, at)
        if header is None or header["id"].decode() != each:
            raise lacking(each)
        end = header.end() + int(header["size"])
        yield output[header.end() : end]
        at = end + 1


def write_file(folder: Path, path: str, content: bytes) -> None:
    """Write a new file; what has a name that cannot be, or that there is already, is left out.

    Raises UsageError where there is no room.
    """
    target = f"{folder}/{path}"  # a Path takes longer to make than some files to write
    try:
        try:
            _write(target, content)
        except FileNotFoundError:
            os.makedirs(target.rpartition("/")[0], exist_ok=True)  # noqa: PTH103 - twice as fast
            _write(target, content)
    except (FileExistsError, NotADirectoryError, IsADirectoryError, ValueError):
        return
    except OSError as error:
        if error.errno in _OF_NAMES:
            return
        raise UsageError(
            f"a revision cannot be unpacked into '{folder}', for '{path}' cannot be written: "
            f"{error.strerror}; TMPDIR names a folder with more room"
        ) from error


def _write(target: str, content: bytes) -> None:
    with open(target, "xb", buffering=0) as stream:  # noqa: PTH123 - a buffer takes twice as long
        while content:
            content = content[stream.write(content) :]


def _mark_as_root(git: Git, folder: Path) -> None:
    """What is looked for upwards ends here, and the repository has the addresses that it has."""
    (folder / ".git").mkdir()
    with contextlib.suppress(UnreadableError):
        write_file(folder, ".git/config", WorkTree(git.root).read(".git/config"))
