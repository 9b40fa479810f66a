"""The folders in which the revisions of a comparison are read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from itertools import repeat

from qoslint.revision.athand import AtHand
from qoslint.revision.beside import beside, copy_beside, copy_work_tree, of_work_tree, sizes
from qoslint.revision.commits import Commit
from qoslint.revision.git import Git
from qoslint.revision.index import Around
from qoslint.revision.listing import Listing, listing, sparse
from qoslint.revision.materialise import materialise
from qoslint.revision.unpacked import Unpacked, unpacked
from qoslint.source.tree import WorkTree


class Folders:
    """A folder for each commit, unpacked once; they go with the stack."""

    def __init__(self, git: Git, stack: ExitStack, *, from_work_tree: bool) -> None:
        """Unpack nothing yet."""
        self._git = git
        self._stack = stack
        self._tree = WorkTree(git.root)
        self._around = Around(git, stack) if from_work_tree else None
        """What the work tree has and no commit, which the commits get, too."""
        self._at_hand = AtHand(self._tree) if from_work_tree else None
        """What of them the work tree holds."""
        self._made: dict[str, WorkTree] = {}
        self.submodules: dict[str, None] = {}
        """The folders of which the commits hold no files."""
        self.pointers: dict[Commit, tuple[str, ...]] = {}
        """The files of which a commit holds only a pointer to Git LFS."""
        self.left_out = 0
        """How many files beside the commits were too much to copy."""

    @property
    def from_work_tree(self) -> bool:
        """Whether the commits get what the work tree has and no commit."""
        return self._around is not None

    def of(self, commit: Commit) -> WorkTree:
        """The folder of a commit."""
        if commit.id not in self._made:
            found = listing(self._git, commit, self._at_hand)
            others = beside(self._git, self._around, found.submodules) if self._around else ()
            folder = self._folder(found, others)
            submodules, pointers, contents = materialise(self._git, found, folder)
            self._copy_beside(folder, others)
            self._made[commit.id] = WorkTree(folder.root, contents, files=folder.files)
            self.submodules |= dict.fromkeys(submodules)
            if pointers:
                self.pointers[commit] = pointers
        return self._made[commit.id]

    def of_work_tree(self) -> WorkTree:
        """The work tree; of a sparse one a copy, with what the index has outside of it."""
        assert self._around is not None, "it is what is compared"
        left_out = sparse(self._git, self._around)
        if left_out is None:
            return self._tree
        own = of_work_tree(self._git, self._around)
        others = beside(self._git, self._around, left_out.submodules)
        folder = self._folder(left_out, (*own, *others))
        materialise(self._git, left_out, folder)
        copy_work_tree(self._git, folder, own)
        self._copy_beside(folder, others)
        return WorkTree(folder.root, files=folder.files)

    def _folder(self, found: Listing, others: Iterable[str]) -> Unpacked:
        """A new folder with room for a listing and for other files of the work tree."""
        written = (*(blob.size for blob in found.blobs), *sizes(self._git, others))
        needed = (*written, *repeat(0, found.folders))
        return self._stack.enter_context(unpacked(needed))

    def _copy_beside(self, folder: Unpacked, paths: Sequence[str]) -> None:
        self.left_out = max(self.left_out, copy_beside(self._git, folder, paths))
