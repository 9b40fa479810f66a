"""`qoslint check --staged`: what a hook before a commit asks for."""

from __future__ import annotations

import os
from enum import Enum, auto
from pathlib import Path
from typing import NamedTuple


class Extent(Enum):
    """How much is to be checked."""

    NOTHING = auto()
    CHANGE = auto()
    EVERYTHING = auto()


class Hooked(NamedTuple):
    """What is to be checked, and since when; without a revision it is what is staged."""

    extent: Extent
    since: str | None = None
    until: str | None = None
    """None for the work tree."""


def hooked(root: Path) -> Hooked:
    """What a hook is called for, which pre-commit and prek tell by the environment.

    They name the revisions of a push, which need not be of the branch that is checked out, and has
    nothing of what is only staged. Git names the index during a commit: without that, and with
    nothing staged, somebody runs the hook by hand, as `pre-commit run --all-files` does.
    """
    from qoslint.revision.commits import find_commit
    from qoslint.revision.deciding import deciding
    from qoslint.revision.git import find_git
    from qoslint.revision.index import staged, tracked

    git = find_git(root)
    names = staged(git)
    if since := os.environ.get("PRE_COMMIT_FROM_REF"):
        until = os.environ.get("PRE_COMMIT_TO_REF") or "HEAD"
        is_here = find_commit(git, until) == find_commit(git, "HEAD") and not names
        return Hooked(Extent.CHANGE, since, None if is_here else until)
    if not names and "GIT_INDEX_FILE" not in os.environ:
        return Hooked(Extent.EVERYTHING)
    decides = deciding(names, (*names, *tracked(git)))
    return Hooked(Extent.CHANGE if decides else Extent.NOTHING)
