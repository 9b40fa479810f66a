"""Which Helm renders: the SDK that is installed with qoslint, or a program on the PATH."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Literal, TypeAlias

from qoslint.render.helm import embedded, program
from qoslint.render.helm.records import Engine

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
        found = _on_path(root, os.environ.get("PATH", "") if search is None else search)
        if isinstance(found, Engine):
            return found
        reasons.append(found)
    return f"no Helm engine: {' and '.join(reasons)}"


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


def _on_path(root: Path, search: str) -> Engine | str:
    inside = root.resolve()
    outside = [
        folder
        for folder in search.split(os.pathsep)
        if Path(folder).is_absolute() and not Path(folder).resolve().is_relative_to(inside)
    ]
    found = shutil.which("helm", path=os.pathsep.join(outside)) if outside else None
    if found is None or Path(found).resolve().is_relative_to(inside):
        return "there is no helm on the PATH"
    version = program.version((found,), Path("/"))
    if not version:
        return f"{found} does not say its version"
    if not OLDEST <= tuple(map(int, version.split("."))) < NEWEST:
        return f"{found} is Helm {version}, and 3.14 or later, below 5, is needed"
    return Engine("path", version, (found,))
