"""What stands in a work tree beside the files of any commit, and is the same at each revision.

Charts that `helm dependency build` fetched are often ignored by Git, and submodules are
repositories of their own. A revision without them would seem to have other pods.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Iterator, Sequence

from qoslint.revision.deciding import deciding, readable
from qoslint.revision.git import Git
from qoslint.revision.index import Around, untracked
from qoslint.revision.listing import MOST_BYTES
from qoslint.revision.unpacked import Unpacked
from qoslint.source.paths import covers
from qoslint.source.tree import File, Skip, UnreadableError, WorkTree

_MOST = 50_000


def beside(git: Git, around: Around, submodules: Iterable[str]) -> tuple[str, ...]:
    """What of submodules and of ignored files in the work tree decides about pods."""
    names = (*_of_submodules(WorkTree(git.root), submodules), *_outside_of_git(around.ignored))
    # A chart at the top would make an input of all that is ignored: of packages of any language.
    every = (name for name in (*names, *around.tracked) if "/" in name)
    return deciding(names, every)


def copy_beside(git: Git, folder: Unpacked, paths: Sequence[str]) -> int:
    """Copy what stands beside the commits from the work tree.

    What the folder has already stays as it is. Gives how many files are left out, as all of them
    together would be too large.
    """
    tree = WorkTree(git.root)
    left = MOST_BYTES
    for number, path in enumerate(paths):
        if number == _MOST:
            return len(paths) - number
        try:
            content = tree.read(path)
        except UnreadableError:
            continue
        left -= len(content)
        if left < 0:
            return len(paths) - number
        folder.write(path, content)
    return 0


def of_work_tree(git: Git, around: Around) -> Collection[str]:
    """What of the work tree itself decides about pods, all that is tracked or new."""
    return readable((*around.tracked, *_outside_of_git(untracked(git))))


def copy_work_tree(git: Git, folder: Unpacked, paths: Iterable[str]) -> None:
    """Copy files of the work tree itself."""
    tree = WorkTree(git.root)
    for path in paths:
        with contextlib.suppress(UnreadableError):
            folder.write(path, tree.read(path))


def sizes(git: Git, paths: Iterable[str]) -> Iterator[int]:
    """How large files of the work tree are, those that are there."""
    for path in paths:
        with contextlib.suppress(OSError):
            yield (git.root / path).lstat().st_size


def _outside_of_git(paths: Iterable[str]) -> Iterator[str]:
    return (path for path in paths if not covers((".git",), path))


def _of_submodules(tree: WorkTree, submodules: Iterable[str]) -> Iterator[str]:
    folders = [path for path in submodules if tree.is_folder(path)]
    for item in tree.walk(folders) if folders else ():
        if isinstance(item, File) or item.reason is Skip.NOT_YAML:
            yield item.path
