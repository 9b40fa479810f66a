"""Writing a changed file back: the one that was read, whole or not at all, in its own encoding."""

from __future__ import annotations

import contextlib
import os
import stat
from typing import NamedTuple

from qoslint.errors import UsageError
from qoslint.source.text import NotTextError, decode, encode
from qoslint.source.tree import UnreadableError, WorkTree

_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class Rewrite(NamedTuple):
    """A file and what it holds before and after."""

    path: str
    before: bytes
    after: bytes


def rewrite(tree: WorkTree, path: str, before: str, after: str) -> Rewrite:
    """The rewrite of a file that holds the text `before`.

    Raises UsageError if it does not any more.
    """
    try:
        content = tree.read(path)
        if decode(content) == before:
            return Rewrite(path, content, encode(after, like=content))
    except (UnreadableError, NotTextError):
        pass
    raise _changed(path)


def write(tree: WorkTree, change: Rewrite) -> None:
    """Put the new content in the place of the file, at once, with the permissions of the old.

    Nothing on the way to it is a symbolic link, nor is the file itself. Raises UsageError if it is
    no longer what was read or cannot be written.
    """
    try:
        if tree.read(change.path) != change.before:
            raise _changed(change.path)
        folder, _, name = change.path.rpartition("/")
        parent = tree.open_folder(folder)
        try:
            _replace(parent, name, change.after)
        finally:
            os.close(parent)
    except UnreadableError as error:
        raise _changed(change.path) from error
    except OSError as error:
        raise UsageError(f"cannot write '{change.path}': {error.strerror}") from error


def _changed(path: str) -> UsageError:
    return UsageError(f"'{path}' was changed while it was checked, so it is not fixed")


def _replace(folder: int, name: str, content: bytes) -> None:
    mode = stat.S_IMODE(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    # A name of its own in the same folder: only there can it take the place of the file at once.
    new = f".qoslint-{os.urandom(8).hex()}"
    descriptor = os.open(new, _NEW_FILE, mode=0o600, dir_fd=folder)
    try:
        with open(descriptor, "wb") as stream:  # noqa: PTH123 - a descriptor has no Path
            stream.write(content)
            os.fchmod(descriptor, mode)
        os.replace(new, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(new, dir_fd=folder)
        raise
