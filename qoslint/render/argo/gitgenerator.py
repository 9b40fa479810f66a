"""The git generator of ApplicationSets: parameters from folders and files of a repository."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

from qoslint.render.argo.application import Context
from qoslint.render.argo.expressions import UnevaluatedError, normalized
from qoslint.render.argo.selector import flattened
from qoslint.render.argo.templates import Filling
from qoslint.render.fields import Fields, is_set, mappings, pairs, text
from qoslint.render.globs import go_path, pathspec
from qoslint.render.reach import items
from qoslint.render.sources import Repository
from qoslint.source.document import YamlError, load

Parameters: TypeAlias = dict[str, object]


class RemoteError(Exception):
    """A repository that a generator reads and that is not here."""

    def __init__(self, url: str) -> None:
        """Keep its address."""
        super().__init__(url)
        self.url = url


class Generating(NamedTuple):
    """What generators work with."""

    context: Context
    filling: Filling


def of_git(options: Fields, generating: Generating) -> list[Parameters]:
    """What the generator yields; raise RemoteError for a repository that is not here."""
    url = text(options, "repoURL")
    root = generating.context.sources.root(url)
    if root is None:
        raise RemoteError(url)
    if items(options.get("directories")):
        found = [
            _of_path(path, "", {}, options, generating)
            for path in _directories(options, root, generating.context)
        ]
    else:
        found = list(_of_files(options, root, generating))
    return found


def _directories(options: Fields, root: str, context: Context) -> Iterator[str]:
    """The folders that match, none that is hidden or inside of one."""
    included = [go_path(path) for path in _paths(options, "directories", excluded=False)]
    excluded = [go_path(path) for path in _paths(options, "directories", excluded=True)]
    seen: set[str] = set()
    start = len(root) + 1 if root else 0
    below = context.repository.below(root)
    context.effort.spend(len(below) * (len(included) + len(excluded)))
    for file in below:
        folder = posixpath.dirname(file[start:])
        while folder and folder not in seen:
            seen.add(folder)
            folder = posixpath.dirname(folder)
    for folder in sorted(seen, key=lambda each: each.split("/")):
        if any(name.startswith(".") for name in folder.split("/")):
            continue
        if any(each(folder) for each in included) and not any(each(folder) for each in excluded):
            yield folder


def _paths(options: Fields, key: str, *, excluded: bool) -> Iterator[str]:
    for each in mappings(options.get(key)):
        if is_set(each, "exclude") == excluded:
            yield text(each, "path")


def _of_files(options: Fields, root: str, generating: Generating) -> Iterator[Parameters]:
    repository = generating.context.repository
    included = [pathspec(path) for path in _paths(options, "files", excluded=False)]
    excluded = [pathspec(path) for path in _paths(options, "files", excluded=True)]
    start = len(root) + 1 if root else 0
    below = repository.below(root)
    generating.context.effort.spend(len(below) * (len(included) + len(excluded)))
    for path in below:
        inner = path[start:]
        if not any(each(inner) for each in included) or any(each(inner) for each in excluded):
            continue
        folder, file = posixpath.split(inner)
        for each in _objects(path, repository):
            yield _of_path(folder or ".", file, each, options, generating)


def _objects(path: str, repository: Repository) -> Iterator[Fields]:
    """The mapping that a file holds, or those of its list; an empty file is an empty mapping."""
    content = loaded(repository.read(path) or "", path)
    for each in content if isinstance(content, list) else [{} if content is None else content]:
        if not isinstance(each, Mapping):
            raise UnevaluatedError(f"'{path}' holds neither a mapping nor a list of them")
        yield each


def _of_path(
    path: str, file: str, content: Fields, options: Fields, generating: Generating
) -> Parameters:
    """The parameters of a folder or file (generators/git.go)."""
    prefix = text(options, "pathParamPrefix")
    base = posixpath.basename(path)
    about: dict[str, str] = {"basename": base, "basenameNormalized": normalized(base)}
    if file:
        about |= {"filename": file, "filenameNormalized": normalized(file)}
    found: Parameters
    if generating.filling.go:
        inner = {"path": path, **about, "segments": path.split("/")}
        found = {**content, **({prefix: {"path": inner}} if prefix else {"path": inner})}
    else:
        name = f"{prefix}.path" if prefix else "path"
        found = dict(flattened(content))
        found[name] = path
        found.update({f"{name}.{key}": value for key, value in about.items()})
        found.update({f"{name}[{at}]": each for at, each in enumerate(path.split("/")) if each})
    values = {
        key: generating.filling.text(value, found)
        for key, value in pairs(options.get("values")).items()
    }
    if generating.filling.go:
        return {**found, "values": values} if values else found
    return {**found, **{f"values.{key}": value for key, value in values.items()}}


def loaded(content: str, name: str) -> object:
    """The value that a text holds; raise UnevaluatedError."""
    try:
        return load(content)
    except YamlError as error:
        raise UnevaluatedError(f"'{name}' cannot be read: {error.message}") from error
