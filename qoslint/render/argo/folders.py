"""Plain files in an Application: which of a folder it deploys."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from qoslint.render.argo.application import Context, Source
from qoslint.render.fields import Fields, is_set, mapping, text
from qoslint.render.globs import gobwas
from qoslint.render.sources import Repository
from qoslint.render.target import Folder

# As Argo CD has them, whatever qoslint itself reads.
_SUFFIXES = (".yaml", ".yml", ".json")
_SKIPPED = "+argocd:skip-file-rendering"


def plain(source: Source, data: Fields, folder: str, context: Context) -> Folder:
    """The plain files of a source; raise NotRenderedError if some of them are programs."""
    options = mapping(data.get("directory"))
    found = Folder(
        folder,
        is_set(options, "recurse"),
        text(options, "include") or "*",
        text(options, "exclude"),
    )
    context.effort.spend(len(context.repository.below(folder)))
    programs = [path for path in named(found, context.repository) if path.endswith(".jsonnet")]
    if programs:
        source.refuse(
            f"'{programs[0]}' is Jsonnet, which qoslint does not run; pipe what it yields into "
            "`qoslint check -`",
            "path",
        )
    return found


def files(folder: Folder, repository: Repository) -> Iterator[str]:
    """The files that are deployed (reposerver/repository getPotentiallyValidManifestFile)."""
    for path in named(folder, repository):
        if path.endswith(_SUFFIXES) and _SKIPPED not in (repository.read(path) or ""):
            yield path


def named(folder: Folder, repository: Repository) -> Iterator[str]:
    """The files with a name that is deployed, programs too."""
    included, excluded = gobwas(folder.include), gobwas(folder.exclude)
    start = len(folder.folder) + 1 if folder.folder else 0
    for path in repository.below(folder.folder):
        inner = path[start:]
        if not inner.endswith((*_SUFFIXES, ".jsonnet")):
            continue
        if posixpath.dirname(inner) and not folder.recurse:
            continue
        if not (folder.exclude and excluded(inner)) and included(inner):
            yield path
