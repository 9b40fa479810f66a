"""Which Helm renders: the SDK that is installed with qoslint, or a program on the PATH."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TypeAlias

from qoslint.render.helm import embedded, program
from qoslint.render.helm.records import Engine
from qoslint.render.programs import Refused, on_path

Renderer: TypeAlias = Literal["auto", "embedded", "path"]

OLDEST = (3, 14)
NEWEST = (5,)
_KNOWN = "4."
"""The Helm that the embedded SDK is known to hold."""


def engine(renderer: Renderer, root: Path, search: str | None = None) -> Engine | str:
    """The Helm to use, or a sentence that says why there is none.

    `root` is the linted repository, in which no program is looked for; `search` is the PATH.
    """
    reasons = []
    if renderer != "path":
        found = _embedded()
        if isinstance(found, Engine):
            return found
        reasons.append(found)
    if renderer != "embedded":
        found = _on_path(root, search)
        if isinstance(found, Engine):
            return found
        reasons.append(found)
    return f"no Helm engine: {' and '.join(reasons)}"


def programs(root: Path, search: str | None = None) -> Iterator[Engine | Refused]:
    """Every `helm` on the PATH, in its order: an engine, or why it is none."""
    for found in on_path("helm", root, search):
        yield found if isinstance(found, Refused) else _asked(str(found))


def _asked(path: str) -> Engine | Refused:
    version = program.version((path,), Path("/"))
    if not version:
        return Refused(path, "", "does not say its version")
    if not OLDEST <= tuple(map(int, version.split("."))) < NEWEST:
        needed = f"is Helm {version}, and 3.14 or later, below 5, is needed"
        return Refused(path, version, needed)
    return Engine("path", version, (path,))


def _embedded() -> Engine | str:
    command = embedded.command()
    if not command:
        return "the package helm-python-sdk is not installed"
    version = embedded.version(command, Path("/"))
    if not version:
        return "the library of helm-python-sdk cannot be loaded on this platform"
    if not version.startswith(_KNOWN):
        return f"helm-python-sdk holds Helm {version}, which is not known to qoslint"
    return Engine("embedded", version, command)


def _on_path(root: Path, search: str | None) -> Engine | str:
    refused = []
    for found in programs(root, search):
        if isinstance(found, Engine):
            return found
        refused.append(str(found))
    return " and ".join(refused) or "there is no helm on the PATH"
