"""What is staged: what the next commit would hold, and how it differs from the last one.

The index is only read. A tree of it would be written into the repository, which belongs to the
user and may be read-only.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from functools import cached_property
from typing import NamedTuple

from qoslint.errors import UsageError
from qoslint.revision.commits import Commit, find_commit
from qoslint.revision.git import Git, ask, ask_ahead

_IGNORED = ("--others", "--ignored", "--exclude-standard")

INDEX = Commit("the index", "")
"""What would be committed now: the work tree and what is not staged do not count."""


class StagedChange(NamedTuple):
    """A file that the next commit would add, change or delete."""

    path: str
    mode: str
    id: str | None
    """The blob; None if the file would be deleted."""


def last_commit(git: Git) -> Commit:
    """The commit that the next one follows; before the first one the tree that is empty.

    Every repository has that tree, and it is not written.
    """
    empty = ("hash-object", "-t", "tree", "--stdin")
    return Commit("HEAD", find_commit(git, "HEAD") or ask(git, *empty).decode().strip())


def insist_on_merged(git: Git) -> None:
    """Raise UsageError in the midst of a merge."""
    if ask(git, "ls-files", "--unmerged"):
        raise UsageError("the index has conflicts: resolve them and stage the result")


def staged_changes(git: Git, last: Commit) -> Iterator[StagedChange]:
    """How the next commit would differ from the last one; a renamed file is two of them.

    What `git add --intent-to-add` names is not to be committed.
    """
    options = ("--cached", "--raw", "--no-abbrev", "--no-renames", "--ita-invisible-in-index")
    output = ask(git, "diff-index", "-z", *options, "--no-ext-diff", "--no-textconv", last.id)
    parts = output.removesuffix(b"\0").split(b"\0") if output else []
    for fields, path in zip(parts[::2], parts[1::2], strict=True):
        _, mode, _, name, status = fields.decode("ascii").split(" ")
        yield StagedChange(os.fsdecode(path), mode, None if status == "D" else name)


def staged(git: Git) -> tuple[str, ...]:
    """The files that the next commit would add, change or delete."""
    return tuple(each.path for each in staged_changes(git, last_commit(git)))


class Around:
    """What Git knows of the work tree, asked for before it is needed: it takes its time."""

    def __init__(self, git: Git, stack: ExitStack) -> None:
        """Ask; what is not called for ends with the stack."""
        self._index = stack.enter_context(ask_ahead(git, "ls-files", "-z", "-t", "--stage"))
        self._ignored = stack.enter_context(ask_ahead(git, "ls-files", "-z", *_IGNORED))

    @cached_property
    def index(self) -> bytes:
        """The files of the index as `git ls-files -z -t --stage` lists them."""
        return self._index()

    @property
    def tracked(self) -> tuple[str, ...]:
        """The files of the next commit."""
        return tuple(_names(line.partition(b"\t")[2] for line in self.index.split(b"\0")))

    @cached_property
    def ignored(self) -> tuple[str, ...]:
        """The files of the work tree that are ignored."""
        return tuple(_names(self._ignored().split(b"\0")))


def tracked(git: Git) -> tuple[str, ...]:
    """The files of the next commit."""
    return tuple(_names(ask(git, "ls-files", "-z").split(b"\0")))


def untracked(git: Git) -> tuple[str, ...]:
    """The files of the work tree that are neither tracked nor ignored."""
    output = ask(git, "ls-files", "-z", "--others", "--exclude-standard")
    return tuple(_names(output.split(b"\0")))


def _names(parts: Iterable[bytes]) -> Iterator[str]:
    return (os.fsdecode(name) for name in parts if name)
