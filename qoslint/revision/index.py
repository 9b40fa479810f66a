"""What is staged: what the next commit would hold, and how it differs from the last one."""

from __future__ import annotations

import os
from collections.abc import Iterator

from qoslint.errors import UsageError
from qoslint.revision.commits import Commit, find_commit
from qoslint.revision.git import Git, ask


def last_commit(git: Git) -> Commit:
    """The commit that the next one follows; before the first one there is nothing."""
    return Commit("HEAD", find_commit(git, "HEAD") or ask(git, "mktree").decode().strip())


def next_commit(git: Git) -> Commit:
    """What would be committed now, as a tree: the work tree and what is not staged do not count.

    Raises UsageError in the midst of a merge.
    """
    if ask(git, "ls-files", "--unmerged"):
        raise UsageError("the index has conflicts: resolve them and stage the result")
    return Commit("the index", ask(git, "write-tree").decode().strip())


def staged(git: Git) -> tuple[str, ...]:
    """The files that the next commit would add, change or delete; a renamed one is two of them."""
    options = ("--cached", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv")
    return tuple(_names(ask(git, "diff-index", "-z", *options, last_commit(git).id)))


def tracked(git: Git) -> tuple[str, ...]:
    """The files of the next commit."""
    return tuple(_names(ask(git, "ls-files", "-z")))


def _names(output: bytes) -> Iterator[str]:
    return (os.fsdecode(name) for name in output.split(b"\0") if name)
