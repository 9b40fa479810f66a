"""From the revisions of a command line to folders, each with the settings that count there."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from qoslint.cli.options import cache_folder, load_settings
from qoslint.errors import QoslintError, SettingsError, UsageError
from qoslint.finding import Notice, Sign
from qoslint.model.change.document import WORK_TREE, Revision
from qoslint.model.wording import some

if TYPE_CHECKING:
    from qoslint.comparison import Revised
    from qoslint.plugins.collect import Plugins
    from qoslint.render.renderspec import Renderer
    from qoslint.revision.commits import Commit
    from qoslint.revision.folders import Folders
    from qoslint.revision.git import Git
    from qoslint.settings.find import Found
    from qoslint.settings.settings import Settings
    from qoslint.source.tree import WorkTree


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
    from qoslint.revision.folders import Folders
    from qoslint.revision.git import find_git

    root, paths = _in_repository(wanted.paths)
    git = find_git(root)
    with ExitStack() as stack:
        folders = Folders(git, stack, from_work_tree=wanted.head is None)
        base, newest = _commits(git, wanted)
        older = folders.of(base)
        from_commit = wanted.head or wanted.staged
        newer = folders.of(newest) if from_commit else folders.of_work_tree()
        _insist(paths, older.root, newer.root)
        judge = resolve(git, wanted.settings_from) if wanted.settings_from else None
        judging = folders.of(judge).root if judge else None
        asked = _Asked(root, paths, newer.root if wanted.staged else root)
        make_by = partial(_revised, wanted, plugins, asked)
        make = partial(make_by, judging)
        named = Revision(newest.name, newest.id) if from_commit else WORK_TREE
        first = Revision(base.name, base.id)
        before, after = make(older, first), make(newer, named)
        if judging:
            # They judge nothing here, and would when the change is merged.
            after = after._replace(own=_own(after, partial(make_by, newer.root, newer, named)))
        elif wanted.config or wanted.baseline:
            before = before._replace(own=_own(before, partial(make_by, older.root, older, first)))
        missing = _missing(wanted, root, judge and Revision(*judge), judging)
        told = (*after.settings.notices, *missing, *_lacking(folders))
        settings = after.settings._replace(notices=told)
        yield before, after._replace(settings=settings)


def _commits(git: Git, wanted: Wanted) -> tuple[Commit, Commit]:
    from qoslint.revision.commits import merge_base, resolve
    from qoslint.revision.index import INDEX, insist_on_merged, last_commit

    if wanted.staged:
        insist_on_merged(git)
        return last_commit(git), INDEX
    base, name = resolve(git, wanted.base), wanted.head or "HEAD"
    newest = base if base.name == name else resolve(git, name)
    return (base if wanted.exact else merge_base(git, base, newest, wanted.unrelated)), newest


def _in_repository(paths: tuple[str, ...]) -> tuple[Path, tuple[str, ...]]:
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


def _lacking(folders: Folders) -> Iterator[Notice]:
    """What the commits lack."""
    if folders.submodules:
        names = some(tuple(folders.submodules), len(folders.submodules))
        what = (
            "are taken to be at each revision what they are now"
            if folders.from_work_tree
            else "are not compared"
        )
        yield Notice(
            f"Of the submodule {names} a commit holds no files: the manifests in it {what}; "
            "run qoslint in the submodule to compare its own revisions."
        )
    if folders.left_out:
        files = "file is" if folders.left_out == 1 else "files are"
        yield Notice(
            f"{folders.left_out:,} {files} left out of what is taken to be the same at each "
            "revision, for all of submodules and all that Git ignores is too much: what is "
            "rendered from it may seem to change."
        )
    for commit, pointers in folders.pointers.items():
        yield Notice(
            f"At {commit.name}, {some(pointers, len(pointers))} is only a pointer to Git LFS, "
            "and what it holds is not compared: keep manifests and charts out of LFS."
        )


def _revised(
    wanted: Wanted,
    plugins: Plugins,
    asked: _Asked,
    judging: Path | None,
    tree: WorkTree,
    revision: Revision,
) -> Revised:
    """A revision in its folder; its renders are kept where those of the work tree are."""
    from qoslint.comparison import Revised

    folder = tree.root
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
    return Revised(revision, settings, found.paths if there else (), tree=tree)


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
