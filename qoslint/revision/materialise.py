"""A revision as a folder of its own: the blobs of a commit, and nothing that they lead to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from qoslint.revision.deciding import readable
from qoslint.revision.git import Git, ask
from qoslint.revision.listing import Blob, Listing, lacking
from qoslint.revision.unpacked import MOST_IN_MEMORY, Unpacked

_BATCH = 32 << 20
_LFS = b"version https://git-lfs.github.com/spec/"
_HEADER = re.compile(rb"(?P<id>[0-9a-f]+) blob (?P<size>\d+)\n")


class Materialised(NamedTuple):
    """What of a commit is not in its folder."""

    submodules: tuple[str, ...]
    pointers: tuple[str, ...]
    """Files of which the repository holds only a pointer to Git LFS."""
    contents: Mapping[str, bytes]
    """What was written, by path, so that it need not be read again; nothing if it is too much."""


def materialise(git: Git, found: Listing, folder: Unpacked) -> Materialised:
    """Write the files of a revision into a new folder, which then looks like a clone's root."""
    by_path = {blob.path: blob for blob in found.blobs}
    pointers: list[str] = []
    contents: dict[str, bytes] = {}
    few = sum(blob.size for blob in found.blobs) <= MOST_IN_MEMORY
    for blob, content in _read(git, [by_path[path] for path in readable(by_path)]):
        if content.startswith(_LFS):
            pointers.append(blob.path)
        folder.write(blob.path, content)
        if few:
            contents[blob.path] = content
    folder.mark_as_root(git.root)
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
