"""Tools that qoslint does not run, told by the files that they leave in a repository."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from qoslint.render.target import Missing

_HELMFILE = re.compile(
    r"(?:^|/)(?:helmfile\.ya?ml(?:\.gotmpl)?|helmfile\.d/[^/]+\.ya?ml(?:\.gotmpl)?)$"
)
_KLUCTL = re.compile(r"(?:^|/)\.kluctl\.ya?ml$")
_TANKA = re.compile(r"(?:^|/)environments/(?:.+/)?main\.jsonnet$")
_JSONNET = re.compile(r".*\.jsonnet")

# What a package manager put there.
_VENDORED = re.compile(r"(?:^|/)(?:vendor|node_modules)/")

_PIPED = {
    "helmfile": "helmfile template",
    "kluctl": "kluctl render --print-all",
    "Tanka": "tk show",
    "Jsonnet": "jsonnet -y",
}


def unsupported(files: Sequence[str]) -> Iterator[Missing]:
    """What other tools would render of a repository with these files, one for each place."""
    folders: dict[tuple[str, str], str] = {}
    for file in sorted(files):
        if _VENDORED.search(file):
            continue
        tool = _tool(file)
        if tool is not None:
            folders.setdefault((tool, posixpath.dirname(file)), file)
    tanka = {folder for tool, folder in folders if tool == "Tanka"}
    for (tool, folder), file in folders.items():
        if tool == "Jsonnet" and folder in tanka:
            continue
        yield Missing(
            f"{tool} {folder or '.'}",
            file,
            1,
            f"qoslint does not run {tool}, so what it deploys is not checked; pipe it in: "
            f"`{_PIPED[tool]} ... | qoslint check -`",
            remote=False,
        )


def _tool(file: str) -> str | None:
    if _HELMFILE.search(file):
        return "helmfile"
    if _KLUCTL.search(file):
        return "kluctl"
    if _TANKA.search(file):
        return "Tanka"
    return "Jsonnet" if _JSONNET.fullmatch(file) else None
