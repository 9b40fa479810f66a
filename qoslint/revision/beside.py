"""What stands in a work tree beside the files of any commit, and is the same at each revision.

Charts that `helm dependency build` fetched are often ignored by Git, and submodules are
repositories of their own. A revision without them would seem to have other pods.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from qoslint.revision.deciding import deciding
from qoslint.revision.git import Git
from qoslint.revision.index import ignored, tracked, untracked
from qoslint.revision.listing import MOST_BYTES
from qoslint.revision.materialise import readable, write_file
from qoslint.source.tree import File, Skip, UnreadableError, WorkTree, covers

_MOST = 50_000


def copy_beside(git: Git, folder: Path, submodules: Iterable[str]) -> int:
    """Copy what of submodules and of ignored files decides about pods, from the work tree.

    What the folder has already stays as it is. Gives how many files are left out, as all of them
    together would be too large.
    """
    tree = WorkTree(git.root)
    names = (*_of_submodules(tree, submodules), *_outside_of_git(ignored(git)))
    left = MOST_BYTES
    # A chart at the top would make an input of all that is ignored: of packages of any language.
    every = (name for name in (*names, *tracked(git)) if "/" in name)
    wanted = deciding(names, every)
    for number, path in enumerate(wanted):
        if number == _MOST:
            return len(wanted) - number
        try:
            content = tree.read(path)
        except UnreadableError:
            continue
        left -= len(content)
        if left < 0:
            return len(wanted) - number
        write_file(folder, path, content)
    return 0


def copy_work_tree(git: Git, folder: Path) -> None:
    """Copy what of the work tree itself decides about pods, all that is tracked or new."""
    tree = WorkTree(git.root)
    for path in readable((*tracked(git), *_outside_of_git(untracked(git)))):
        with contextlib.suppress(UnreadableError):
            write_file(folder, path, tree.read(path))


def _outside_of_git(paths: Iterable[str]) -> Iterator[str]:
    return (path for path in paths if not covers((".git",), path))


def _of_submodules(tree: WorkTree, submodules: Iterable[str]) -> Iterator[str]:
    folders = [path for path in submodules if tree.is_folder(path)]
    for item in tree.walk(folders) if folders else ():
        if isinstance(item, File) or item.reason is Skip.NOT_YAML:
            yield item.path
