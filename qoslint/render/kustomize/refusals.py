"""Refusing symbolic links and aliases without end before an engine follows them."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from qoslint.render.failure import RenderError
from qoslint.render.kustomize.files import text
from qoslint.render.kustomize.inputs import Inputs
from qoslint.render.kustomize.named import As
from qoslint.source.document import Broken, Source, documents

_ALIAS = re.compile(r"(?:^|[\s\[{,:-])\*[^\s,\[\]{}*]", re.MULTILINE)


class _EveryKind:
    """Kustomize reads them all."""

    def __contains__(self, kind: object) -> bool:
        return True


_NO_YAML = (As.DATA, As.VALUES)


def refuse_links(checkout: Path, inputs: Inputs) -> None:
    """Raise RenderError if anything that is read is a symbolic link or lies behind one.

    A checkout has none by itself; this keeps a build inside of it whatever folder it is given.
    """
    seen: set[PurePosixPath] = set()
    folders = [path for folder in inputs.charts for path in (checkout / folder).rglob("*")]
    inside = [path.relative_to(checkout).as_posix() for path in folders if path.is_symlink()]
    for file in (*inputs.files, *inputs.charts, *inside):
        path = PurePosixPath(file)
        for each in (path, *path.parents):
            if each in seen:
                break
            seen.add(each)
            if (checkout / each).is_symlink():
                raise RenderError(f"'{each}' is a symbolic link, which is not followed", file)


def refuse_bombs(checkout: Path, inputs: Inputs) -> None:
    """Raise RenderError for a file whose aliases stand for more values than an honest one has.

    Kustomize expands them all, and gets to no end (measured: 2.6 GB in five seconds).
    """
    for file, what in inputs.files.items():
        content = text(checkout, file) if what not in _NO_YAML else None
        if content is None or "&" not in content or not _ALIAS.search(content):
            continue
        for each in documents(Source(file, file, content), _EveryKind()):
            # What else does not parse here may be fine for Kustomize.
            if isinstance(each, Broken) and "alias" in each.message:
                raise RenderError(each.message, file, each.span.start.line)
