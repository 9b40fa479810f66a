"""What a failed build says to a user: one sentence, at the line that is to blame."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from qoslint.render.failure import RenderError
from qoslint.render.kustomization import NAMES
from qoslint.render.kustomize.files import parsed, text
from qoslint.render.kustomize.inputs import line
from qoslint.render.kustomize.named import named
from qoslint.render.kustomize.overlay import Overlay
from qoslint.workers import Ended

_LONGEST = 400
_RECURSED = re.compile(r"recursed accumulation of path '([^']*)': ")
_TARGET = re.compile(r"couldn't make target for path '([^']*)': ")
_CONFIG = re.compile(r" with config: `[^`]*(?:`|\Z)| from \[patch: .*", re.DOTALL)
"""Like what else is cut out, it may hold what is in a Secret."""
_GONE = re.compile(r"evalsymlink failure on '([^']*)'.*no such file or directory", re.DOTALL)
_LITERALS = re.compile(r"(?:literal|env) source.*?: (?:invalid|line) .*", re.DOTALL)
_VALUE = re.compile(r": node contents:.*|(?<= is out of bounds) for value .*", re.DOTALL)
_OBJECT = re.compile(r"map\[string\]interface \{\}\{.*\}", re.DOTALL)
_HELM = re.compile(r"\s*: unable to run: '.*", re.DOTALL)
_STEPS = re.compile(r"(?:accumulating resources: )+")
_WORD = re.compile(r"[^\s'\"\[\]():=,`]+")
_MALFORMED = re.compile(r"yaml: line (\d{1,9}): .* in File: (\S+)")
_TWICE = re.compile(r"accumulation err='(.*?)': must build at directory: .*", re.DOTALL)
_START = re.compile(r"^error: ", re.MULTILINE | re.IGNORECASE)
_TRAILING = re.compile(r"[\s.;]+\Z")


def failure(ended: Ended, checkout: Path, overlay: Overlay) -> RenderError:
    """Why a build ended without a stream."""
    folder = overlay.folder
    if ended.exceeded is not None:
        reason = f"the build was ended: it {ended.exceeded}"
        return RenderError(reason, kustomization(checkout, folder))
    said = _said(ended)
    guilty = folder
    for chain in (_RECURSED, _TARGET):
        for found in chain.finditer(said):
            guilty = _relative(found[1], checkout, guilty)
        said = said[max((found.end() for found in chain.finditer(said)), default=0) :]
    said = _TWICE.sub(r"\1", said).replace(f"{checkout.resolve()}/", "")
    said = _STEPS.sub("", said)
    file = kustomization(checkout, guilty)
    where = _malformed(said, checkout, file) or (file, _line(said, checkout, file))
    gone = _GONE.search(said)
    message = f"the kustomization names '{gone[1]}', which does not exist" if gone else said
    # A chart inside may have been too much for this machine; only its own render would tell.
    lasting = ended.status > 0 and overlay.helm_command is None
    return RenderError(" ".join(message.split())[:_LONGEST], *where, lasting=lasting)


def _said(ended: Ended) -> str:
    """The error without warnings before it."""
    said = ended.errors.decode("utf-8", "replace")
    for quoted in (_CONFIG, _VALUE, _HELM):
        said = quoted.sub("", said)
    said = _LITERALS.sub("a line or literal of a generator is no key=value", said)
    said = _OBJECT.sub("an object", said)
    start = _START.search(said)
    said = _TRAILING.sub("", said[start.end() if start else 0 :])
    return said or f"the build ended with status {ended.status} and said nothing"


def kustomization(checkout: Path, folder: str) -> str:
    """The kustomization file of a folder, by the name that it should have if there is none."""
    for name in sorted(NAMES, reverse=True):
        path = posixpath.join(folder, name)
        if (checkout / path).is_file():
            return path
    return posixpath.join(folder, "kustomization.yaml")


def _relative(path: str, checkout: Path, otherwise: str) -> str:
    try:
        found = Path(path).relative_to(checkout.resolve()).as_posix()
    except ValueError:
        return otherwise
    return "" if found == "." else found


def _malformed(said: str, checkout: Path, file: str) -> tuple[str, int] | None:
    """The line of a resource that is no YAML."""
    found = _MALFORMED.search(said)
    inner = posixpath.normpath(posixpath.join(posixpath.dirname(file), found[2])) if found else ""
    content = text(checkout, inner) if found and not inner.startswith(("/", "../")) else None
    if found is None or content is None:
        return None
    return inner, min(int(found[1]), content.count("\n") + 1)


def _line(said: str, checkout: Path, file: str) -> int:
    """The line of an entry that the message names, else the file's first."""
    content = text(checkout, file)
    folder = posixpath.dirname(file)
    words = {posixpath.normpath(word) for word in _WORD.findall(said)}
    for document in parsed(file, content or "")[:1]:
        entries = named(document.data) if isinstance(document.data, dict) else ()
        for each in entries:
            path = posixpath.normpath(each.value)
            if path in words or posixpath.normpath(posixpath.join(folder, path)) in words:
                return line(document, each.field)
    return 1
