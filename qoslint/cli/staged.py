"""`qoslint check --staged`: what a hook before a commit asks for."""

from __future__ import annotations

import os
from enum import Enum
from pathlib import Path
from typing import NamedTuple


class Extent(Enum):
    """How much is to be checked."""

    NOTHING = "nothing that is staged decides about pods"
    CHANGE = "the findings of a change"
    EVERYTHING = "all files, as nothing is staged"


class Hooked(NamedTuple):
    """What is to be checked, and since when; without a revision it is what is staged."""

    extent: Extent
    since: str | None = None


def hooked(root: Path) -> Hooked:
    """What a hook is called for, which pre-commit and prek tell by the environment.

    They name the revisions of a push. Git names the index during a commit: without that, and with
    nothing staged, somebody runs the hook by hand, as `pre-commit run --all-files` does.
    """
    from qoslint.revision.git import find_git
    from qoslint.revision.index import deciding, staged

    if since := os.environ.get("PRE_COMMIT_FROM_REF"):
        return Hooked(Extent.CHANGE, since)
    git = find_git(root)
    names = staged(git)
    if not names and "GIT_INDEX_FILE" not in os.environ:
        return Hooked(Extent.EVERYTHING)
    return Hooked(Extent.CHANGE if deciding(git, names) else Extent.NOTHING)
