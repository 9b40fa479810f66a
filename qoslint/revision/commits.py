"""From the names of revisions to commits, and to the commit that two of them have in common."""

from __future__ import annotations

import shlex
from typing import NamedTuple

from qoslint.errors import UsageError
from qoslint.revision.git import Git, answer, ask

_LONGEST = 200
_DEEPEN = (
    "fetch the rest with `git fetch --unshallow`, or set `fetch-depth: 0` for actions/checkout"
)


class Commit(NamedTuple):
    """A commit by the name that it was asked by, and its object id."""

    name: str
    id: str


def resolve(git: Git, name: str) -> Commit:
    """The commit that a revision means; UsageError, with the remedy, if it means none."""
    shown = name[:_LONGEST]
    if not name or name.startswith("-") or not name.isprintable():
        raise UsageError(f"{shown!r} is no name of a revision")
    found = find_commit(git, name)
    if found is None:
        raise UsageError(f"there is no revision {shown!r} here{_hint(git, name)}")
    return Commit(name, found)


def merge_base(git: Git, base: Commit, head: Commit, unrelated: str) -> Commit:
    """The commit at which the way to `head` left that to `base`: what a pull request is against.

    Raises UsageError, with the remedy, if there is none; `unrelated` is the one where the histories
    have nothing in common.
    """
    if base.id == head.id:
        return base
    ended = answer(git, "merge-base", base.id, head.id)
    found = ended.output.decode("ascii", "replace").split()
    if ended.status == 0 and found:
        return Commit(base.name, found[0])
    if ended.status != 1:
        ask(git, "merge-base", base.id, head.id)
    if is_shallow(git):
        raise UsageError(
            f"this clone is shallow, and does not reach back to where {head.name} left "
            f"{base.name}: {_DEEPEN}"
        )
    raise UsageError(f"{base.name} and {head.name} have no commit in common: {unrelated}")


def is_shallow(git: Git) -> bool:
    """Whether the clone lacks the older commits."""
    return ask(git, "rev-parse", "--is-shallow-repository").strip() == b"true"


def find_commit(git: Git, name: str) -> str | None:
    """The object id of the commit that a revision means; None if it means none."""
    ended = answer(
        git, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"
    )
    if ended.status == 1 and not ended.errors.strip():
        return None
    if ended.status:
        said = ended.errors
        if b"dubious" in said or b"not a git repository" in said:
            ask(git, "rev-parse", "--is-shallow-repository")
        return None
    return ended.output.decode("ascii", "replace").strip()


def _hint(git: Git, name: str) -> str:
    """What to do about a revision that is not there."""
    if find_commit(git, f"refs/remotes/origin/{name}"):
        return f"; did you mean 'origin/{name}'?"
    if is_shallow(git):
        return f": this clone is shallow, and may lack it; {_DEEPEN}"
    if name == "HEAD":
        return ": the repository has no commit yet"
    return f": fetch it, as with `git fetch origin {shlex.quote(name[:_LONGEST])}`"
