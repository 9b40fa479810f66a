"""What stands in a work tree beside the files of any commit, and is the same at each revision.

Charts that `helm dependency build` fetched are often ignored by Git, and submodules are
repositories of their own. A revision without them would seem to have other pods.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from qoslint.revision.git import Git, ask
from qoslint.revision.materialise import write_file
from qoslint.source.tree import File, UnreadableError, WorkTree, covers

_MOST = 50_000
_READ = (".yaml", ".yml", ".json", ".tgz", ".tpl")


def copy_beside(git: Git, folder: Path, submodules: Iterable[str]) -> None:
    """Copy ignored files that renders read, and the manifests of submodules, from the work tree.

    What the folder has already stays as it is.
    """
    tree = WorkTree(git.root)
    for path in islice((*_ignored(git), *_of_submodules(tree, submodules)), _MOST):
        try:
            content = tree.read(path)
        except UnreadableError:
            continue
        write_file(folder, path, content)


def _ignored(git: Git) -> Iterator[str]:
    output = ask(git, "ls-files", "-z", "--others", "--ignored", "--exclude-standard")
    for name in output.split(b"\0"):
        path = os.fsdecode(name)
        if path.lower().endswith(_READ) and not covers((".git",), path):
            yield path


def _of_submodules(tree: WorkTree, submodules: Iterable[str]) -> Iterator[str]:
    folders = [path for path in submodules if tree.is_folder(path)]
    if folders:
        yield from (item.path for item in tree.walk(folders) if isinstance(item, File))
