"""From the revisions of a command line to folders, each with the settings that count there."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from qoslint.cli.options import cache_folder, load_settings
from qoslint.errors import QoslintError, SettingsError, UsageError
from qoslint.finding import Notice, Sign
from qoslint.model.change.document import WORK_TREE, Revision
from qoslint.model.wording import some
from qoslint.world import NOTHING_EDITED

if TYPE_CHECKING:
    from qoslint.comparison import Revised
    from qoslint.plugins.collect import Plugins
    from qoslint.render.renderspec import Renderer
    from qoslint.revision.commits import Commit
    from qoslint.revision.git import Git
    from qoslint.revision.listing import Listing
    from qoslint.settings.find import Found
    from qoslint.settings.settings import Settings


class Wanted(NamedTuple):
    """What is to be compared."""

    base: str
    head: str | None = None
    """None for the work tree."""
    paths: tuple[str, ...] = ()
    config: str | None = None
    settings_from: str | None = None
    exact: bool = False
    """Whether `base` itself counts, and not the commit at which `head` left it."""
    renderer: Renderer | None = None
    staged: bool = False
    """Whether what would be committed is compared with the last commit, whatever the others say."""
    baseline: str | None = None
    """A file of accepted findings, which counts as the settings do."""
    unrelated: str = "name one from which the other comes"
    """What to do where the revisions have no commit in common."""


class _Asked(NamedTuple):
    """What the command line is about, and where it is."""

    root: Path
    paths: tuple[str, ...]
    """Relative to the root."""
    named: Path
    """Where the files are that it names: what is staged, or the work tree."""


@contextmanager
def revisions(wanted: Wanted, plugins: Plugins) -> Iterator[tuple[Revised, Revised]]:
    """Both revisions, each in a folder that is there as long as the context.

    Raises UsageError for what is no revision or repository, with the remedy.
    """
    from qoslint.revision.commits import resolve
    from qoslint.revision.git import find_git

    root, paths = _asked(wanted.paths)
    git = find_git(root)
    base, newest = _commits(git, wanted)
    with ExitStack() as stack:
        folders = _Folders(git, stack, from_work_tree=wanted.head is None)
        older = folders.of(base)
        from_commit = wanted.head or wanted.staged
        newer = folders.of(newest) if from_commit else folders.of_work_tree()
        _insist(paths, older, newer)
        judge = resolve(git, wanted.settings_from) if wanted.settings_from else None
        judging = folders.of(judge) if judge else None
        asked = _Asked(root, paths, newer if wanted.staged else root)
        make_by = partial(_revised, wanted, plugins, asked)
        make = partial(make_by, judging)
        named = Revision(newest.name, newest.id) if from_commit else WORK_TREE
        first = Revision(base.name, base.id)
        before, after = make(older, first), make(newer, named)
        if judging:
            # They judge nothing here, and would when the change is merged.
            after = after._replace(own=_own(after, partial(make_by, newer, newer, named)))
        elif wanted.config or wanted.baseline:
            before = before._replace(own=_own(before, partial(make_by, older, older, first)))
        missing = _missing(wanted, root, judge and Revision(*judge), judging)
        told = (*after.settings.notices, *missing, *folders.notices())
        settings = after.settings._replace(notices=told)
        yield (
            before._replace(contents=folders.contents[older]),
            after._replace(settings=settings, contents=folders.contents.get(newer, NOTHING_EDITED)),
        )


def _commits(git: Git, wanted: Wanted) -> tuple[Commit, Commit]:
    from qoslint.revision.commits import merge_base, resolve
    from qoslint.revision.index import INDEX, insist_on_merged, last_commit

    if wanted.staged:
        insist_on_merged(git)
        return last_commit(git), INDEX
    base, newest = resolve(git, wanted.base), resolve(git, wanted.head or "HEAD")
    return (base if wanted.exact else merge_base(git, base, newest, wanted.unrelated)), newest


def _asked(paths: tuple[str, ...]) -> tuple[Path, tuple[str, ...]]:
    """The top folder of the repository, and the PATHs relative to it; they need not be there."""
    from qoslint.settings.paths import absolute, git_root

    named = [absolute(path) for path in paths or (".",)]
    root = git_root(named[0])
    if root is None:
        raise UsageError(
            f"'{named[0]}' is in no Git repository, so that there is no other revision of it "
            "to compare with: run qoslint inside a clone"
        )
    for path in named:
        if not path.is_relative_to(root):
            raise UsageError(f"'{path}' is outside of '{root}'")
    return root, tuple(path.relative_to(root).as_posix() for path in named)


def _insist(paths: tuple[str, ...], *folders: Path) -> None:
    """Raise UsageError for a path that is at no revision: it is most likely misspelt."""
    for path in paths:
        if not any(os.path.lexists(folder / path) for folder in folders):
            raise UsageError(f"'{path}' exists at neither of the revisions that are compared")


class _Folders:
    """The folders of commits; each is unpacked once."""

    def __init__(self, git: Git, stack: ExitStack, *, from_work_tree: bool) -> None:
        from qoslint.revision.athand import AtHand
        from qoslint.source.tree import WorkTree

        self._git = git
        self._stack = stack
        self._from_work_tree = from_work_tree
        """Whether the commits get what the work tree has and no commit."""
        self._made: dict[str, Path] = {}
        self._at_hand = AtHand(WorkTree(git.root)) if from_work_tree else None
        """What of them the work tree holds, too."""
        self.contents: dict[Path, Mapping[str, bytes]] = {}
        """What is known of the files of a folder without reading them."""
        self._submodules: dict[str, None] = {}
        self._pointers: dict[Commit, tuple[str, ...]] = {}
        self._left_out = 0

    def of(self, commit: Commit) -> Path:
        """The folder of a commit, which goes with the stack."""
        from qoslint.revision.beside import beside
        from qoslint.revision.listing import listing
        from qoslint.revision.materialise import materialise

        if commit.id not in self._made:
            found = listing(self._git, commit, self._at_hand)
            others = beside(self._git, found.submodules) if self._from_work_tree else ()
            folder = self._folder(found, others)
            submodules, pointers, self.contents[folder] = materialise(self._git, found, folder)
            self._copy_beside(folder, others)
            self._made[commit.id] = folder
            self._submodules |= dict.fromkeys(submodules)
            if pointers:
                self._pointers[commit] = pointers
        return self._made[commit.id]

    def of_work_tree(self) -> Path:
        """The work tree; of a sparse one a copy, with what the index has outside of it."""
        from qoslint.revision.beside import beside, copy_work_tree, of_work_tree
        from qoslint.revision.listing import sparse
        from qoslint.revision.materialise import materialise

        left_out = sparse(self._git)
        if left_out is None:
            if self._at_hand:
                self.contents[self._git.root] = self._at_hand.contents
            return self._git.root
        own, others = of_work_tree(self._git), beside(self._git, left_out.submodules)
        folder = self._folder(left_out, (*own, *others))
        materialise(self._git, left_out, folder)
        copy_work_tree(self._git, folder, own)
        self._copy_beside(folder, others)
        return folder

    def _folder(self, found: Listing, others: Iterable[str]) -> Path:
        """A new folder with room for a listing and for other files of the work tree."""
        from qoslint.revision.beside import sizes
        from qoslint.revision.materialise import room

        where = room(found, sizes(self._git, others))
        made = tempfile.TemporaryDirectory(prefix="qoslint-revision-", dir=where)
        return Path(self._stack.enter_context(made)).resolve()

    def _copy_beside(self, folder: Path, paths: Sequence[str]) -> None:
        from qoslint.revision.beside import copy_beside

        self._left_out = max(self._left_out, copy_beside(self._git, folder, paths))

    def notices(self) -> Iterator[Notice]:
        """What the commits lack."""
        if self._submodules:
            names = some(tuple(self._submodules), len(self._submodules))
            what = (
                "are taken to be at each revision what they are now"
                if self._from_work_tree
                else "are not compared"
            )
            yield Notice(
                f"Of the submodule {names} a commit holds no files: the manifests in it {what}; "
                "run qoslint in the submodule to compare its own revisions."
            )
        if self._left_out:
            files = "file is" if self._left_out == 1 else "files are"
            yield Notice(
                f"{self._left_out:,} {files} left out of what is taken to be the same at each "
                "revision, for all of submodules and all that Git ignores is too much: what is "
                "rendered from it may seem to change."
            )
        for commit, pointers in self._pointers.items():
            yield Notice(
                f"At {commit.name}, {some(pointers, len(pointers))} is only a pointer to Git LFS, "
                "and what it holds is not compared: keep manifests and charts out of LFS."
            )


def _revised(
    wanted: Wanted,
    plugins: Plugins,
    asked: _Asked,
    judging: Path | None,
    folder: Path,
    revision: Revision,
) -> Revised:
    """A revision in its folder; its renders are kept where those of the work tree are."""
    from qoslint.comparison import Revised

    there = [str(folder / path) for path in asked.paths if os.path.lexists(folder / path)]
    try:
        found = _found(wanted, asked, judging, there or [str(folder)])
        settings = load_settings(found, plugins, wanted.renderer)
        baseline = _baseline(wanted.baseline, asked, judging)
    except SettingsError as error:
        raise SettingsError(f"at {revision.name or 'the work tree'}: {error}") from error
    rendering = settings.rendering._replace(cache=cache_folder(asked.root))
    name = _inside(wanted.baseline, asked.root) if wanted.baseline else ""
    selection = settings.selection._replace(baseline=baseline, baseline_file=name)
    settings = settings._replace(rendering=rendering, selection=selection)
    return Revised(revision, settings, found.paths if there else ())


def _own(before: Revised, made: Callable[[], Revised]) -> Settings:
    """The settings that a revision has itself; what of them is broken accepted nothing."""
    try:
        return made().settings
    except QoslintError:
        selection = before.settings.selection._replace(exceptions=(), baseline=None)
        return before.settings._replace(selection=selection)


def _missing(
    wanted: Wanted, root: Path, judge: Revision | None, judging: Path | None
) -> Iterator[Notice]:
    """What the revision that judges lacks of the files that are to judge."""
    for file, effect in (
        (wanted.config, "the default settings judge"),
        (wanted.baseline, "no baseline accepts anything"),
    ):
        if file and judge and judging and not os.path.lexists(_of_revision(file, root, judging)):
            yield Notice(f"'{file}' is not at {judge.told}: {effect}.")


def _found(wanted: Wanted, asked: _Asked, judging: Path | None, there: list[str]) -> Found:
    """What is asked for at a revision, with the settings of that one or of another."""
    from qoslint.settings.find import find

    found = find(there)
    if judging is None and wanted.config is None:
        return found
    config = wanted.config and _named(wanted.config, asked, judging)
    if config and judging and not os.path.lexists(config):
        if not os.path.lexists(wanted.config or ""):
            raise UsageError(f"'{wanted.config}' does not exist, at no revision that is asked for")
        return found._replace(file=None)
    source = judging or asked.named
    file = find([str(_nearest(source / path)) for path in asked.paths], config).file
    return found._replace(file=file and file._replace(root=found.root))


def _baseline(file: str | None, asked: _Asked, judging: Path | None) -> Mapping[Sign, int] | None:
    """The baseline of the revision that judges, which accepts nothing if it is not there yet."""
    from qoslint.settings.baseline import read_baseline

    if not file:
        return None
    named = _named(file, asked, judging)
    if os.path.lexists(file) and not os.path.lexists(named):
        return None
    return read_baseline(file, Path(named))


def _named(file: str, asked: _Asked, judging: Path | None) -> str:
    """Where a file is read that the command line names."""
    if judging:
        return _of_revision(file, asked.root, judging)
    named = _of_revision(file, asked.root, asked.named)
    # One that Git does not know is the same for all commits.
    return named if os.path.lexists(named) else file


def _of_revision(file: str, root: Path, source: Path) -> str:
    """The file as another revision has it; what is not in the repository is the same to all."""
    return str(source / _inside(file, root))


def _inside(file: str, root: Path) -> str:
    """The name of a file in the repository; the whole path of one that is not in it."""
    from qoslint.settings.paths import absolute

    found = absolute(file)
    return found.relative_to(root).as_posix() if found.is_relative_to(root) else str(found)


def _nearest(path: Path) -> Path:
    """The path, or the folder nearest to it that there is."""
    return next(each for each in (path, *path.parents) if os.path.lexists(each))
