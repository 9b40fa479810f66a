"""Blobs that the work tree holds just as a commit does, so that Git need not be asked for them."""

from __future__ import annotations

import hashlib

from qoslint.source.tree import UnreadableError, WorkTree

_MOST_BYTES = 64 << 20
_LENGTH_OF_SHA1 = 40


class AtHand:
    """What is read of a work tree, each file once, until it is more than 64 MiB."""

    def __init__(self, tree: WorkTree) -> None:
        """Read nothing yet."""
        self._tree = tree
        self._contents: dict[str, bytes] = {}
        self._ids: dict[str, str | None] = {}
        """By path the object id that the content of the file has, None if it is not read."""
        self._left = _MOST_BYTES

    def blob(self, path: str, object_id: str) -> bytes | None:
        """The content of that object, if the file has the same byte by byte."""
        if path not in self._ids:
            self._ids[path] = self._read(path, len(object_id))
        return self._contents[path] if self._ids[path] == object_id else None

    def _read(self, path: str, length: int) -> str | None:
        """The object id of the file, in a repository where all are that long."""
        if self._left < 0:
            return None
        try:
            content = self._tree.read(path)
        except UnreadableError:
            return None
        self._left -= len(path) + len(content)
        self._contents[path] = content
        hashed = hashlib.sha1 if length == _LENGTH_OF_SHA1 else hashlib.sha256
        whole = b"blob %d\0%b" % (len(content), content)
        return hashed(whole, usedforsecurity=False).hexdigest()
