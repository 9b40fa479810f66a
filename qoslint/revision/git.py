"""The one place where Git is started: plumbing only, and nothing that a repository can make run.

A repository may be a stranger's. Its configuration can name programs for many occasions; these
commands meet none of them: no hook, no filter, no textconv, no external diff, no pager, no file
system monitor, no fetch of what is missing. The user's own configuration counts, for it says which
repositories of others to trust (`safe.directory`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from qoslint.errors import UsageError
from qoslint.render.programs import Refused, on_path
from qoslint.workers import MIB, Ended, Limits, Running, start

_LIMITS = Limits(seconds=120, cpu_seconds=120, memory=2048 * MIB, output=256 * MIB)
_CONFIGURATION = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    f"core.attributesFile={os.devnull}",
    "core.quotePath=false",
    "core.untrackedCache=false",
    "protocol.allow=never",
    "safe.bareRepository=explicit",
    "submodule.recurse=false",
)
_ENVIRONMENT: Mapping[str, str] = MappingProxyType(
    {
        "GIT_ALLOW_PROTOCOL": "",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }
)
_OF_THE_USER = (
    "HOME",
    "XDG_CONFIG_HOME",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    # What `git commit --all` and `git commit FILE` are about to commit is in an index of its own.
    "GIT_INDEX_FILE",
)
_FATAL = re.compile(r"^(?:fatal|error): (?P<message>.+)$", re.MULTILINE)
_LONGEST = 300


class Git(NamedTuple):
    """The program and the repository that it reads."""

    program: Path
    root: Path
    """The top folder of the work tree."""


class GitError(UsageError):
    """Git could not do what it was asked for; `said` is what it printed."""

    def __init__(self, message: str, said: str = "") -> None:
        """Keep what Git said: a caller may know better what it means."""
        super().__init__(message)
        self.said = said


def find_git(root: Path) -> Git:
    """Git for the repository whose top folder that is. UsageError without a program or repository.

    A program that lies in the repository is not started.
    """
    program = next((each for each in on_path("git", root) if not isinstance(each, Refused)), None)
    if program is None:
        raise UsageError(
            "no git is on the PATH, and only git can read another revision: install it, or add its "
            "folder to the PATH"
        )
    if not (root / ".git").exists():
        raise UsageError(
            f"'{root}' is in no Git repository, so that there is no other revision of it to "
            "compare with: run qoslint inside a clone"
        )
    return Git(program, root)


def ask(git: Git, *arguments: str, given: bytes = b"") -> bytes:
    """What a plumbing command prints. Raises GitError, with the remedy where there is one."""
    return _output(git, arguments[0], answer(git, *arguments, given=given))


def answer(git: Git, *arguments: str, given: bytes = b"") -> Ended:
    """How a plumbing command ends."""
    with _started(git, arguments, given) as running:
        return running.ended()


@contextmanager
def ask_ahead(git: Git, *arguments: str) -> Iterator[Callable[[], bytes]]:
    """Gives what `ask` gives when it is called for; until then the command runs beside all else."""
    with _started(git, arguments, b"") as running:
        yield lambda: _output(git, arguments[0], running.ended())


@contextmanager
def _started(git: Git, arguments: Sequence[str], given: bytes) -> Iterator[Running]:
    options = [part for each in _CONFIGURATION for part in ("-c", each)]
    own = {name: os.environ[name] for name in _OF_THE_USER if name in os.environ}
    with ExitStack() as stack:
        try:
            running = stack.enter_context(
                start(
                    [str(git.program), "--no-pager", "--literal-pathspecs", *options, *arguments],
                    given=given,
                    folder=git.root,
                    environment={**own, **_ENVIRONMENT},
                    limits=_LIMITS,
                )
            )
        except OSError as error:
            raise GitError(f"{git.program} cannot be started: {error.strerror}") from error
        yield running


def _output(git: Git, command: str, ended: Ended) -> bytes:
    if ended.status or ended.exceeded:
        raise _error(git, command, ended)
    return ended.output


def _error(git: Git, command: str, ended: Ended) -> GitError:
    said = ended.errors.decode("utf-8", "replace")
    if ended.exceeded:
        return GitError(f"git {command} {ended.exceeded}: the repository is too large for it")
    if "dubious ownership" in said or "safe.directory" in said:
        return GitError(
            f"git does not read '{git.root}', for it belongs to another user; if you trust it: "
            f"git config --global --add safe.directory '{git.root}'",
            said,
        )
    if "not a git repository" in said:
        return GitError(
            f"'{git.root}' is no Git repository, or what its .git leads to is gone: run qoslint "
            "inside a whole clone",
            said,
        )
    if "promisor" in said or "lazy fetching" in said or "missing blob" in said:
        return GitError(
            "this is a partial clone, and nothing is fetched on the way: fetch what is missing "
            "with `git fetch --refetch --no-filter`",
            said,
        )
    found = _FATAL.search(said)
    what = found["message"] if found else said.strip() or f"exit status {ended.status}"
    return GitError(f"git {command} failed: {what[:_LONGEST]}", said)
