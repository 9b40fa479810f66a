"""Tools that qoslint does not run, told by the files that they leave in a repository."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator

from qoslint.finding import Notice

_HELMFILE = re.compile(
    r"(?:^|/)(?:helmfile\.ya?ml(?:\.gotmpl)?|helmfile\.d/[^/]+\.ya?ml(?:\.gotmpl)?)$"
)
_KLUCTL = re.compile(r"(?:^|/)\.kluctl\.ya?ml$")
_TANKA = re.compile(r"(?:^|/)environments/(?:.+/)?main\.jsonnet$")
_JSONNET = re.compile(r".*\.jsonnet")

_WORDS = ("helmfile", ".kluctl", ".jsonnet")
"""Every name has one of them; most files have none."""

# What a package manager put there.
_VENDORED = re.compile(r"(?:^|/)(?:vendor|node_modules)/")

_PIPED = {
    "helmfile": "helmfile template",
    "kluctl": "kluctl render --print-all",
    "Tanka": "tk show",
    "Jsonnet": "jsonnet -y",
}


def unsupported(files: Iterable[str]) -> Iterator[Notice]:
    """What other tools would render of a repository with these files, a notice for each tool."""
    folders: dict[tuple[str, str], str] = {}
    for file in sorted(file for file in files if any(word in file for word in _WORDS)):
        tool = _tool(file)
        if tool is not None and not _VENDORED.search(file):
            folders.setdefault((tool, posixpath.dirname(file)), file)
    tanka = {folder for tool, folder in folders if tool == "Tanka"}
    for tool, piped in _PIPED.items():
        found = {folder: file for (name, folder), file in folders.items() if name == tool}
        if tool == "Jsonnet":
            found = {folder: file for folder, file in found.items() if folder not in tanka}
        if found:
            more = len(found) - 1
            others = f" and {more} more folder{'' if more == 1 else 's'}" if more else ""
            (folder, file), *_ = found.items()
            what = "deploy" if more else "deploys"
            yield Notice(
                f"qoslint does not run {tool}: what {folder or 'the root'}{others} {what} is not "
                f"checked. Pipe it in: `{piped} ... | qoslint check -`.",
                file,
            )


def _tool(file: str) -> str | None:
    if _HELMFILE.search(file):
        return "helmfile"
    if _KLUCTL.search(file):
        return "kluctl"
    if _TANKA.search(file):
        return "Tanka"
    return "Jsonnet" if _JSONNET.fullmatch(file) else None
