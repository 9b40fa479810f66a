"""What GitOps objects refer to: the repository at hand, and which addresses mean it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from qoslint.finding import Notice
from qoslint.render.fields import under_root
from qoslint.render.target import Missing
from qoslint.source.document import Remote

Read: TypeAlias = Callable[[str], str | None]
"""The text of a file by its path from the root, None if there is no such file."""

MAX_TARGETS = 20_000
_MOST_NAMED = 100_000
_REMOTE_SECTION = re.compile(r'\s*\[\s*remote\s+"[^"]*"\s*\]', re.IGNORECASE)
_URL = re.compile(r"\s*url\s*=\s*(.*?)\s*", re.IGNORECASE)


class TooManyError(Exception):
    """All objects together name more files than may be looked through."""


class Effort:
    """How many names of files may still be looked through, by all objects together."""

    def __init__(self, left: int = 20_000_000) -> None:
        """About half a minute of looking."""
        self._left = left

    def spend(self, names: int) -> None:
        """Count names that are going to be looked through; raise TooManyError."""
        if names > self._left:
            raise TooManyError
        self._left -= names


class Repository(NamedTuple):
    """The repository at hand. All paths are relative to its root, "" is the root itself."""

    files: Sequence[str]
    """All of them, sorted."""
    read: Read
    kubernetes: str
    """The version that charts are told, as `1.36`."""
    remotes: Mapping[str, str] = MappingProxyType({})
    """Copies of other repositories and charts: where each address lies here."""
    origins: tuple[str, ...] = ()
    """The addresses of this repository: see `origin_urls`."""
    branch: str | None = None
    """What is checked out, if that is known."""

    def is_file(self, path: str) -> bool:
        """Whether there is such a file."""
        index = bisect_left(self.files, path)
        return index < len(self.files) and self.files[index] == path

    def is_folder(self, folder: str) -> bool:
        """Whether there is any file in such a folder."""
        if not folder:
            return bool(self.files)
        index = bisect_left(self.files, f"{folder}/")
        return index < len(self.files) and self.files[index].startswith(f"{folder}/")

    def exists(self, path: str) -> bool:
        """Whether there is a file or folder of that name; the root is always there."""
        return not path or self.is_file(path) or self.is_folder(path)

    def below(self, folder: str) -> Sequence[str]:
        """The files of a folder and of all folders in it, sorted."""
        if not folder:
            return self.files
        start = bisect_left(self.files, f"{folder}/")
        # "0" is what follows "/".
        return self.files[start : bisect_left(self.files, f"{folder}0")]

    def names(self, folder: str) -> list[str]:
        """The names of the files that lie right in a folder, sorted."""
        start = len(folder) + 1 if folder else 0
        return [path[start:] for path in self.below(folder) if "/" not in path[start:]]


def origin_urls(git_config: str) -> tuple[str, ...]:
    """The addresses of the remotes in the text of a `.git/config`."""
    found = []
    inside = False
    for line in git_config.splitlines():
        if line.lstrip().startswith("["):
            inside = _REMOTE_SECTION.match(line) is not None
        elif inside and (match := _URL.fullmatch(line)):
            found.append(match[1])
    return tuple(dict.fromkeys(found))


def address(url: str) -> str:
    """The same text for all ways to write the address of one repository: `host/owner/name`.

    Without scheme, user, port and `.git`, in lower case (Argo CD util/git NormalizeGitURL, and more
    than that: the ssh and the https address of a repository are the same repository).
    """
    url = url.strip().lower()
    scheme, separator, rest = url.partition("://")
    url = rest if separator else scheme
    host, slash, path = url.partition("/")
    host = host.rpartition("@")[2]
    if ":" in host:
        name, _, port = host.partition(":")
        # `git@host:owner/name`: what follows the colon is a port only if it is a number.
        host = name if port.isdecimal() else f"{name}/{port}"
    return f"{host}{slash}{path}".rstrip("/").removesuffix(".git").rstrip("/")


def published(repository_url: str, name: str) -> Remote:
    """A chart of a chart repository or registry, whatever version of it is asked for.

    The address of an OCI artifact may be given whole.
    """
    url = address(repository_url)
    whole = url if url.endswith(f"/{name.lower()}") else f"{url}/{name}"
    return Remote(whole, is_chart=True)


class NotRenderedError(Exception):
    """A target that cannot be rendered."""

    def __init__(self, missing: Missing) -> None:
        """What to tell of it."""
        super().__init__(missing.message)
        self.missing = missing


class Named(NamedTuple):
    """A path that an object names in a source."""

    source: str
    """An address, or what stands for one: `GitRepository flux-system/flux-system`."""
    path: str


class Sources(NamedTuple):
    """Where sources lie in the repository at hand."""

    roots: Mapping[str, str]
    """By address the folder that its root is here."""
    notices: tuple[Notice, ...] = ()
    """What was assumed."""

    def root(self, url: str) -> str | None:
        """The folder that is the root of a repository, None if it is not here."""
        key = address(url)
        if key in self.roots:
            return self.roots[key]
        # A copy of what holds it, such as the registry or the group of a chart.
        above, inner = key, ""
        while "/" in above:
            above, _, name = above.rpartition("/")
            inner = f"{name}/{inner}" if inner else name
            if self.roots.get(above):
                return under_root(self.roots[above], inner)
        return None


def sources(repository: Repository, named: Iterable[Named]) -> Sources:
    """The sources that are here, by the settings, by the remotes of the checkout, or as it seems.

    Where no remote of the checkout is named by anything, the one source counts as this repository
    of which every named path exists here; if there are remotes, as in a fork, it must have the name
    of one.
    """
    roots = {
        address(url): folder
        for url, path in repository.remotes.items()
        if (folder := under_root(path)) is not None
    }
    for url in repository.origins:
        roots.setdefault(address(url), "")
    paths: dict[str, set[str]] = {}
    written: dict[str, str] = {}
    for source, path in islice(named, _MOST_NAMED):
        key = address(source)
        written.setdefault(key, source)
        paths.setdefault(key, set()).add(under_root(path) or "")
    if any(roots.get(key) == "" for key in paths):
        return Sources(roots)
    names = {_last(address(url)) for url in repository.origins}
    fitting = [
        key
        for key, inside in paths.items()
        if key not in roots and inside != {""} and (not names or _last(key) in names)
        if all(map(repository.exists, inside))
    ]
    if len(fitting) != 1:
        return Sources(roots)
    (key,) = fitting
    notice = Notice(
        f"'{written[key]}' is taken for this repository: it is the only source of which every path "
        "that is named exists here. If it is another one, name the address of this repository "
        "under `remotes`."
    )
    return Sources({**roots, key: ""}, (notice,))


def other_revision(
    title: str, revision: str, file: str, line: int, repository: Repository
) -> Iterator[Notice]:
    """What to say if an object deploys this repository at another revision than is checked out."""
    branch = repository.branch
    if branch and revision not in ("", "HEAD", branch, f"refs/heads/{branch}"):
        yield Notice(
            f"{title} deploys the revision '{revision}' of this repository; what is checked is "
            f"what is here, '{branch}'.",
            file,
            line,
        )


def _last(key: str) -> str:
    return key.rpartition("/")[2]
