"""Where the root is, and which file holds the settings."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from qoslint.errors import UsageError
from qoslint.settings.file import SettingsFile, read_file
from qoslint.settings.paths import absolute, git_root
from qoslint.settings.piped import standard_input
from qoslint.source.tree import STDIN

_PIPED = "-"
YAML_NAME = ".qoslint.yaml"
TOML_NAME = "pyproject.toml"


class Found(NamedTuple):
    """The root of a run, the PATHs relative to it, and the file of its settings if there is one."""

    root: Path
    paths: tuple[str, ...]
    file: SettingsFile | None
    given: bytes | None = None
    """What standard input holds, if it is one of the PATHs."""
    beside: tuple[str, ...] = ()
    """What decides about what is asked for, and is not asked for itself: --context, and what stands
    beside standard input."""


def find(paths: Sequence[str], config: str | None = None, context: Sequence[str] = ()) -> Found:
    """The root for the PATHs of a command line, and the settings that govern them.

    The root is the git root of their common ancestor; without git it is the workspace of a GitHub
    job that they lie in, else that ancestor. Settings
    are the first of `config`, .qoslint.yaml and [tool.qoslint] in pyproject.toml, from the
    ancestor up to the root. The PATH `-` is standard input, which belongs to the current folder.
    `context` are further paths, which are not asked about.
    Raises UsageError for a path that does not exist or that leaves the
    root through a symbolic link, SettingsError for a file that cannot be read.
    """
    named = [_existing(path) for path in paths if path != _PIPED]
    piped = _PIPED in paths
    starts = [Path.cwd()] if piped or not named else []
    starts += named
    around = [_existing(path) for path in context]
    ancestor = Path(os.path.commonpath([_folder(path) for path in (*starts, *around)]))
    root = git_root(ancestor) or _workspace(ancestor) or ancestor
    for path in (*starts, *around):
        if not Path(os.path.realpath(path)).is_relative_to(root.resolve()):
            raise UsageError(f"'{path}' leads out of '{root}' through a symbolic link")
    start = starts[0] if piped else ancestor
    file = _configured(config, root) if config else next(_candidates(start, root), None)
    relative = tuple(path.relative_to(root).as_posix() for path in named or starts)
    beside = tuple(path.relative_to(root).as_posix() for path in around)
    if piped:
        beside = (*beside, *(relative if named else ()))
        return Found(root.resolve(), (STDIN,), file, standard_input(), beside)
    return Found(root.resolve(), relative, file, beside=beside)


def _existing(path: str) -> Path:
    """The path as it is written, but absolute: symbolic links are kept, to be refused later."""
    found = absolute(path)
    if not os.path.lexists(found):
        raise UsageError(f"'{path}' does not exist")
    return found


def _folder(path: Path) -> Path:
    return path if path.is_dir() and not path.is_symlink() else path.parent


def _workspace(folder: Path) -> Path | None:
    # The checkout of a job whose container has no git is the repository without its `.git`.
    workspace = os.environ.get("GITHUB_WORKSPACE")
    return Path(workspace) if workspace and folder.is_relative_to(workspace) else None


def _configured(config: str, root: Path) -> SettingsFile:
    path = _existing(config)
    inside = path.is_relative_to(root)
    file = _inner(path, root) if inside else read_file(path, root.resolve(), config, "")
    if file is None:
        raise UsageError(f"'{config}' has no table [tool.qoslint]")
    return file


def _candidates(ancestor: Path, root: Path) -> Iterator[SettingsFile]:
    for folder in (ancestor, *ancestor.parents):
        for path in (folder / YAML_NAME, folder / TOML_NAME):
            # A linked pyproject.toml is another project's.
            linked = path.name == TOML_NAME and path.is_symlink()
            if os.path.lexists(path) and not linked and (file := _inner(path, root)):
                yield file
        if folder == root:
            return


def _inner(path: Path, root: Path) -> SettingsFile | None:
    name = path.relative_to(root).as_posix()
    return read_file(path, root.resolve(), name, posixpath.dirname(name))
