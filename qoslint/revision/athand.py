"""Blobs that the work tree holds just as a commit does, so that Git need not be asked for them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from qoslint.source.tree import UnreadableError, WorkTree

_MOST_BYTES = 64 << 20
_LENGTH_OF_SHA1 = 40


class AtHand:
    """What is read of a work tree, each file once."""

    def __init__(self, tree: WorkTree | None) -> None:
        """Read nothing yet; without a tree nothing is at hand."""
        self._tree = tree
        self._contents: dict[str, bytes] = {}
        self._ids: dict[str, str | None] = {}
        self._left = _MOST_BYTES

    @property
    def contents(self) -> Mapping[str, bytes]:
        """What was read so far, by path."""
        return self._contents

    def blob(self, path: str, name: str) -> bytes | None:
        """The content of the blob of that name, if the file is the same byte by byte."""
        if path not in self._ids:
            self._ids[path] = self._read(path, name)
        return self._contents[path] if self._ids[path] == name else None

    def _read(self, path: str, name: str) -> str | None:
        """The name of the file's content, by the algorithm of another name."""
        if self._tree is None or self._left <= 0:
            return None
        try:
            content = self._tree.read(path)
        except UnreadableError:
            return None
        self._left -= len(content)
        self._contents[path] = content
        hashed = hashlib.sha1 if len(name) == _LENGTH_OF_SHA1 else hashlib.sha256
        whole = b"blob %d\0%b" % (len(content), content)
        return hashed(whole, usedforsecurity=False).hexdigest()


NOTHING_AT_HAND = AtHand(None)
