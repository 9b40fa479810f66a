"""The files of a revision by their names and objects: of a commit, of the index, or of a part."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from typing import NamedTuple

from qoslint.errors import UsageError
from qoslint.revision.athand import AtHand
from qoslint.revision.commits import Commit
from qoslint.revision.deciding import readable
from qoslint.revision.git import Git, GitError, ask
from qoslint.revision.index import INDEX, Around, last_commit, staged_changes
from qoslint.source.tree import MAX_FILE_BYTES, MAX_FOLDERS

_MOST_FILES = 200_000
"""And so many folders at most."""
MOST_BYTES = 2 << 30
_REGULAR = ("100644", "100755", "100664")
_SUBMODULE = "160000"
_SKIPPED = b"S "
"""What `git ls-files -t` puts before a file with the bit `skip-worktree`."""
_LINE = re.compile(
    rb"(?P<tag>\w )?(?P<mode>\d{6}) (?:\w+ )?(?P<id>[0-9a-f]{40,})(?: [0-3])?\t(?P<path>.+)",
    re.DOTALL,
)
"""A line of `git ls-tree` or of `git ls-files --stage`."""


class Blob(NamedTuple):
    """A regular file of a revision."""

    path: str
    id: str
    size: int
    content: bytes | None = None
    """None where it is still to be asked for."""


class Listing(NamedTuple):
    """The files of a revision, and what of it is no file here."""

    blobs: tuple[Blob, ...]
    submodules: tuple[str, ...]
    """The folders that are repositories of their own, of which a commit holds only the name."""
    folders: int = 0
    """How many hold the files."""


class Entry(NamedTuple):
    """What a revision has under a name."""

    mode: str
    id: str
    is_skipped: bool = False
    """Whether a sparse checkout leaves it out of the work tree."""


def listing(git: Git, commit: Commit, at_hand: AtHand | None = None) -> Listing:
    """The regular files of a commit, or of what would be committed.

    Symbolic links are left out, as everywhere.
    """
    entries = _of_next_commit(git) if commit == INDEX else _of_tree(git, commit)
    return listed(git, entries, f"revision {commit.name}", at_hand)


def _of_next_commit(git: Git) -> dict[str, Entry]:
    """The last commit with what is staged: an index also has names that are not to be committed."""
    last = last_commit(git)
    entries = _of_tree(git, last)
    for change in staged_changes(git, last):
        entries.pop(change.path, None)
        if change.id is not None:
            entries[change.path] = Entry(change.mode, change.id)
    return entries


def sparse(git: Git, around: Around) -> Listing | None:
    """What a sparse checkout leaves out of the work tree, where it counts as it is in the index.

    With it come all submodules. None if nothing is left out.
    """
    output = around.index
    if not output.startswith(_SKIPPED) and b"\0" + _SKIPPED not in output:
        return None
    entries = _entries(output)
    # What somebody wrote there all the same is in the work tree.
    left_out = {
        path: entry
        for path, entry in entries.items()
        if entry.mode == _SUBMODULE or (entry.is_skipped and not os.path.lexists(git.root / path))
    }
    return listed(git, left_out, "what is outside of the sparse checkout")


def _of_tree(git: Git, commit: Commit) -> dict[str, Entry]:
    return _entries(ask(git, "ls-tree", "-r", "-z", "--full-tree", commit.id))


def _entries(output: bytes) -> dict[str, Entry]:
    found = map(_LINE.fullmatch, output.split(b"\0"))
    return {
        os.fsdecode(each["path"]): Entry(
            each["mode"].decode(), each["id"].decode(), each["tag"] == _SKIPPED
        )
        for each in found
        if each
    }


def listed(
    git: Git, entries: dict[str, Entry], name: str, at_hand: AtHand | None = None
) -> Listing:
    """The files among entries. Raises UsageError if they are too many, GitError if one is lacking.

    `name` is what holds them, as a noun.
    """
    regular = {
        path: entry.id
        for path, entry in entries.items()
        if entry.mode in _REGULAR and _is_inside(path)
    }
    contents = dict(_known(regular, at_hand)) if at_hand else {}
    sizes = {regular[path]: len(content) for path, content in contents.items()}
    sizes.update(_sizes(git, dict.fromkeys(i for i in regular.values() if i not in sizes)))
    blobs = tuple(
        Blob(path, each, sizes[each], contents.get(path))
        for path, each in regular.items()
        if sizes[each] <= MAX_FILE_BYTES
    )
    total = sum(blob.size for blob in blobs)
    folders = _folders(blob.path for blob in blobs)
    if max(len(blobs), folders) > _MOST_FILES or total > MOST_BYTES:
        raise UsageError(
            f"{name} holds {len(blobs):,} files of {total >> 20:,} MiB in {folders:,} folders, and "
            f"more than {_MOST_FILES:,} files, {_MOST_FILES:,} folders or {MOST_BYTES >> 20:,} MiB "
            "are not unpacked"
        )
    submodules = (path for path, entry in entries.items() if entry.mode == _SUBMODULE)
    return Listing(blobs, tuple(submodules), folders)


def _folders(paths: Iterable[str]) -> int:
    """How many folders hold the files; no less, where those of one folder are not side by side.

    A tree that a repository holds once can stand in very many places.
    """
    count = 0
    above: list[str] = []
    for path in paths:
        folders = path.split("/")[:-1]
        common = takewhile(lambda pair: pair[0] == pair[1], zip(above, folders, strict=False))
        count += len(folders) - sum(1 for _ in common)
        above = folders
    return count


def _known(regular: Mapping[str, str], at_hand: AtHand) -> Iterator[tuple[str, bytes]]:
    """The contents that Git need not be asked for, by path."""
    for path in readable(regular):
        content = at_hand.blob(path, regular[path])
        if content is not None:
            yield path, content


def _sizes(git: Git, objects: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Blobs by object id with their sizes in bytes. Raises GitError if one is lacking."""
    given = "".join(f"{each}\n" for each in objects).encode()
    if not given:
        return
    for line in ask(git, "cat-file", "--batch-check", given=given).decode("ascii").splitlines():
        name, kind, *size = line.split(" ")
        if kind != "blob":
            raise lacking(name)
        yield name, int(size[0])


def lacking(name: str) -> GitError:
    """An object that a revision names and the repository has not."""
    return GitError(
        f"the repository lacks the object {name}: it is damaged, or a partial clone; fetch what is "
        "missing with `git fetch --refetch --no-filter`"
    )


def _is_inside(path: str) -> bool:
    """Whether a path leads below the folder, and not to what makes that a repository."""
    names = path.split("/")
    if len(names) - 1 > MAX_FOLDERS or not {"", ".", ".."}.isdisjoint(names):
        return False
    return all(name.lower().rstrip(". ") != ".git" for name in names)
