"""What a failed build says to a user: one sentence, at the line that is to blame."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from qoslint.render.failure import RenderError
from qoslint.render.kustomization import NAMES
from qoslint.workers import Ended

_LONGEST = 400
_RECURSED = re.compile(r"recursed accumulation of path '([^']*)': ")
_TARGET = re.compile(r"couldn't make target for path '([^']*)': ")
_CONFIG = re.compile(r" with config: `[^`]*(?:`|\Z)")
"""It may hold the literals of a Secret."""
_NAMED = re.compile(r"(?:resources|components|path|file)s? ?(?:from)? ?[('\"]+([^'\"()]+)['\")]")
_MALFORMED = re.compile(r"yaml: line (\d+): .* in File: (\S+)")
_TWICE = re.compile(r"accumulation err='(.*?)': must build at directory: .*", re.DOTALL)
_TRAILING = re.compile(r"[\s.;]+\Z")


def failure(ended: Ended, checkout: Path, folder: str) -> RenderError:
    """Why the build of a folder ended without a stream."""
    if ended.exceeded is not None:
        return RenderError(
            f"the build was ended: it {ended.exceeded}", kustomization(checkout, folder)
        )
    said = ended.errors.decode("utf-8", "replace")
    _, _, said = said.rpartition("\nerror: " if "\nerror: " in said else "error: ")
    said = _CONFIG.sub("", said)
    guilty = folder
    for chain in (_RECURSED, _TARGET):
        for found in chain.finditer(said):
            guilty = _relative(found[1], checkout, guilty)
        said = said[max((found.end() for found in chain.finditer(said)), default=0) :]
    said = _TWICE.sub(r"\1", said)
    message = " ".join(said.replace(f"{checkout.resolve()}/", "").split())
    file = kustomization(checkout, guilty)
    return RenderError(
        _TRAILING.sub("", message)[:_LONGEST] or _unsaid(ended), *_line(said, checkout, file)
    )


def kustomization(checkout: Path, folder: str) -> str:
    """The kustomization file of a folder, by the name that it should have if there is none."""
    for name in sorted(NAMES, reverse=True):
        path = posixpath.join(folder, name)
        if (checkout / path).is_file():
            return path
    return posixpath.join(folder, "kustomization.yaml")


def _unsaid(ended: Ended) -> str:
    return f"the build ended with status {ended.status} and said nothing"


def _relative(path: str, checkout: Path, otherwise: str) -> str:
    try:
        found = Path(path).relative_to(checkout.resolve()).as_posix()
    except ValueError:
        return otherwise
    return "" if found == "." else found


def _line(said: str, checkout: Path, file: str) -> tuple[str, int]:
    """The line of the entry that a message names, else the file's first."""
    malformed = _MALFORMED.search(said)
    if malformed is not None:
        inner = posixpath.normpath(posixpath.join(posixpath.dirname(file), malformed[2]))
        if (checkout / inner).is_file():
            return inner, int(malformed[1])
    named = [found[1] for found in _NAMED.finditer(said)]
    try:
        lines = (checkout / file).read_text("utf-8", "replace").split("\n")
    except OSError:
        return file, 1
    for name in reversed(named):
        for number, line in enumerate(lines, 1):
            if name in line:
                return file, number
    return file, 1
