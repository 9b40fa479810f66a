"""The folders that Flux sees: those of a source, or what an ArtifactGenerator copies from some."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from qoslint.render.fields import Fields, at, clamped, mappings, text
from qoslint.render.flux.context import Context, Maker, Reference, reference, refuse, url
from qoslint.render.globs import has_wildcard
from qoslint.render.kustomization import NAMES
from qoslint.render.objects import Nearby, Object
from qoslint.render.reach import items
from qoslint.render.sources import Named, Repository, address
from qoslint.source.document import Remote

_LOCAL_KINDS = ("GitRepository", "Bucket", "OCIRepository")


class Copy(NamedTuple):
    """A folder or file that is copied, with its paths in the source and in the artifact."""

    source: Reference
    from_: str
    to: str
    is_exact: bool
    """Whether all of it is copied, and nothing else."""


def place(wanted: Reference, path: str, owner: Object, context: Context, *where: str | int) -> str:
    """The folder in the repository that a path in a source is; raise NotRenderedError."""
    if not wanted.kind or not wanted.name:
        refuse(owner, "it names no source (`sourceRef` with kind and name)", *where)
    if wanted.kind == "ExternalArtifact":
        return _in_artifact(wanted, path, owner, context, *where)
    root = _root(wanted, owner, context, *where)
    return clamped(root, clamped(path))


def _root(wanted: Reference, owner: Object, context: Context, *where: str | int) -> str:
    known = url(wanted, owner, context.objects)
    root = context.sources.root(known) if wanted.kind in _LOCAL_KINDS else None
    if root is None:
        shown = wanted.title if known == wanted.title else f"{wanted.title} ({known})"
        refuse(
            owner,
            f"it is deployed from the {shown}, which is not this repository, so what it deploys is "
            "not checked; if it is this one or a copy is here, say so under `remotes`",
            *where,
            remote=Remote(address(known)),
        )
    return root


def _in_artifact(
    wanted: Reference, path: str, owner: Object, context: Context, *where: str | int
) -> str:
    found = context.makers.find(wanted.name, wanted.namespace, owner)
    if found is None:
        refuse(
            owner,
            f"no ArtifactGenerator here makes the {wanted.title}, so what is deployed from it is "
            "not checked; pipe it rendered into `qoslint check -`",
            *where,
            remote=Remote(wanted.title),
        )
    generator, artifact = found
    copies = list(_copies(generator, artifact))
    if not copies:
        refuse(
            owner,
            f"the {wanted.title} is made by a rule of {generator.title} that qoslint does not "
            "apply; pipe what is deployed from it into `qoslint check -`",
            *where,
        )
    inner = clamped(path)
    folder = _copied(copies, inner, owner, context, where)
    if folder is None:
        refuse(owner, f"there is no '{path}' in the {wanted.title}", *where)
    return folder


def _copied(
    copies: list[Copy], path: str, owner: Object, context: Context, where: tuple[str | int, ...]
) -> str | None:
    """The folder whose copy a path of the artifact is; the last copy to a place counts."""
    roots = {each.source: _root(each.source, owner, context, *where) for each in copies}
    bases = {(each.source, _base(each)) for each in copies}
    for each in reversed(copies):
        inner = _below(path, each.to)
        if inner is None:
            continue
        folder = clamped(roots[each.source], each.from_, inner)
        if not context.repository.is_folder(folder):
            continue
        if (len(bases) > 1 and _leaves(folder, context.repository)) or not (
            each.is_exact or _kustomization(folder, context.repository)
        ):
            refuse(
                owner,
                f"its artifact arranges the files around '{folder}' differently than the "
                "repository, which qoslint does not; pipe what it deploys into `qoslint check -`",
                *where,
            )
        return folder
    if len(bases) == 1:
        ((source, base),) = bases
        folder = clamped(roots[source], base or "", path)
        if base is not None and _kustomization(folder, context.repository):
            return folder
    return None


def _base(copy: Copy) -> str | None:
    """What is in front of the path of the artifact in the repository, if that stays as it is."""
    if not copy.to:
        return copy.from_
    if copy.from_ == copy.to:
        return ""
    return copy.from_[: -len(copy.to) - 1] if copy.from_.endswith(f"/{copy.to}") else None


def _below(path: str, folder: str) -> str | None:
    if not folder or path == folder:
        return path if not folder else ""
    return path[len(folder) + 1 :] if path.startswith(f"{folder}/") else None


def _kustomization(folder: str, repository: Repository) -> str | None:
    paths = (posixpath.join(folder, name) for name in sorted(NAMES))
    return next((path for path in paths if repository.is_file(path)), None)


def _leaves(folder: str, repository: Repository) -> bool:
    """Whether the kustomization of a folder names anything outside of it."""
    path = _kustomization(folder, repository)
    return path is not None and "../" in (repository.read(path) or "")


def makers(found: Iterable[Object]) -> Nearby[Maker]:
    """The artifacts that ArtifactGenerators make, by their names."""
    return Nearby(
        (text(artifact, "name"), each, Maker(each, artifact))
        for each in found
        if each.kind == "ArtifactGenerator"
        for artifact in mappings(at(each.data, "spec", "artifacts"))
    )


def _copies(generator: Object, artifact: Fields) -> Iterator[Copy]:
    """The copies of an artifact, none if there is one that is no plain copy."""
    aliases = {
        text(each, "alias"): reference(generator, each)
        for each in mappings(at(generator.data, "spec", "sources"))
    }
    found = []
    for each in mappings(artifact.get("copy")):
        alias, slash, pattern = text(each, "from").removeprefix("@").partition("/")
        to = text(each, "to")
        plain = text(each, "strategy") in ("", "Overwrite") and "{" not in pattern + to
        if alias not in aliases or not slash or not to.startswith("@artifact/") or not plain:
            return
        found.append(_copy(aliases[alias], pattern, to.removeprefix("@artifact/"), each))
    if not at(artifact, "pathPattern") and not at(generator.data, "spec", "pathPattern"):
        yield from found


def _copy(source: Reference, pattern: str, to: str, copy: Fields) -> Copy:
    """source-watcher internal/builder applyCopyOperation."""
    whole = not items(copy.get("exclude"))
    fixed, stars, rest = pattern.rpartition("/")
    if pattern == "**" or (rest == "**" and stars and not has_wildcard(fixed)):
        return Copy(source, clamped(fixed), clamped(to), whole)
    if not has_wildcard(pattern):
        path = clamped(pattern)
        # A folder is copied as a folder inside of the place.
        return Copy(source, path, clamped(to, posixpath.basename(path)), whole)
    names = []
    for name in pattern.split("/"):
        if has_wildcard(name):
            break
        names.append(name)
    start = clamped("/".join(names))
    return Copy(source, start, clamped(to, start), is_exact=False)


def named_paths(wanted: Reference, path: str, owner: Object, context: Context) -> Iterator[Named]:
    """The paths that an object names in sources."""
    if wanted.kind in _LOCAL_KINDS:
        yield Named(url(wanted, owner, context.objects), clamped(path))
    elif wanted.kind == "ExternalArtifact":
        found = context.makers.find(wanted.name, wanted.namespace, owner)
        for each in _copies(*found) if found else ():
            if each.source.kind in _LOCAL_KINDS:
                yield Named(url(each.source, owner, context.objects), each.from_)
