"""Paths that files of a tree are told by, and what lies below them; "/" is between components."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple


class Paths(NamedTuple):
    """Files and folders of which it is asked what they hold; "." and "" are the root."""

    named: frozenset[str]

    @classmethod
    def of(cls, paths: Iterable[str]) -> Paths:
        """The paths, each of which counts once."""
        return cls(frozenset(paths))

    def hold(self, file: str) -> bool:
        """Whether a file is one of the paths or lies below one."""
        return file in self.named or self.hold_around(file)

    def hold_around(self, file: str) -> bool:
        """Whether a folder around a file is one of the paths, whether the file is or not."""
        return "." in self.named or any(folder in self.named for folder in above(file))


def covers(paths: Iterable[str], file: str) -> bool:
    """Whether a file is one of a few paths or lies below one; of many, ask Paths."""
    return Paths.of(paths).hold(file)


@lru_cache(maxsize=20_000)
def joined(folder: str, path: str) -> str:
    """A path that a file in a folder names, from the root, which is empty.

    One that leads out of the tree starts with `../` or `/`.
    """
    found = posixpath.normpath(posixpath.join(folder, path))
    return "" if found == "." else found


def above(file: str) -> Iterator[str]:
    """The folders that hold a file, the innermost first, last the root, which is empty."""
    folder = file
    while folder:
        folder = folder.rpartition("/")[0]
        yield folder
