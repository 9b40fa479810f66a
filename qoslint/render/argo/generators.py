"""The generators of ApplicationSets: from what they state to the parameters they yield."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, NoReturn, TypeAlias

from qoslint.render.argo.application import Context
from qoslint.render.argo.gotext import go_text
from qoslint.render.argo.selector import flattened, selects
from qoslint.render.argo.templates import Filling, UnevaluatedError, normalized
from qoslint.render.fields import Fields, is_set, mapping, mappings, pairs, text
from qoslint.render.globs import go_path, pathspec
from qoslint.render.reach import items
from qoslint.render.sources import Repository
from qoslint.source.document import YamlError, load

MAX_SETS = 5000
_DEEPEST = 3

Parameters: TypeAlias = dict[str, object]

LOCAL = ("list", "git", "matrix", "merge")
_ELSEWHERE = {
    "clusters": "the clusters that Argo CD knows",
    "clusterDecisionResource": "an object of the cluster",
    "scmProvider": "the repositories of a provider",
    "pullRequest": "open pull requests",
    "plugin": "a plugin",
}


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


def kind(generator: Fields) -> str:
    """Which generator it is, "" for none; raise UnevaluatedError for several or an unknown one."""
    stated = [key for key, value in generator.items() if value is not None and key != "selector"]
    if len(stated) > 1:
        raise UnevaluatedError(f"one generator states {' and '.join(stated)}")
    return stated[0] if stated else ""


def parameters(generator: Fields, generating: Generating, depth: int = 0) -> list[Parameters]:
    """What a generator yields, in order; raise UnevaluatedError or RemoteError."""
    name = kind(generator)
    if depth > _DEEPEST:
        raise UnevaluatedError("its generators are nested more than three levels deep")
    options = mapping(generator.get(name))
    match name:
        case "list":
            found = _list(options, generating)
        case "git":
            found = _git(options, generating)
        case "matrix":
            found = _matrix(options, generating, depth)
        case "merge":
            found = _merge(options, generating, depth)
        case _:
            _refuse(name)
    selector = generator.get("selector")
    kept = [each for each in found if selector is None or selects(mapping(selector), each)]
    return _bounded(kept)


def _refuse(name: str) -> NoReturn:
    if name in _ELSEWHERE:
        raise UnevaluatedError(
            f"its {name} generator asks for {_ELSEWHERE[name]}, which the repository does not tell"
        )
    raise UnevaluatedError(f"it has a generator that is not known: '{name}'")


def _bounded(found: list[Parameters]) -> list[Parameters]:
    if len(found) > MAX_SETS:
        raise UnevaluatedError(f"its generators yield more than {MAX_SETS:,} sets of parameters")
    return found


def _list(options: Fields, generating: Generating) -> list[Parameters]:
    elements = items(options.get("elements"))
    found = [_element(each, generating.filling) for each in elements]
    if text(options, "elementsYaml"):
        inner = _loaded(text(options, "elementsYaml"), "elementsYaml")
        found += [dict(each) for each in mappings(inner)]
    return found


def _element(element: object, filling: Filling) -> Parameters:
    if not isinstance(element, Mapping):
        raise UnevaluatedError("an element of its list is no mapping")
    if filling.go:
        return dict(element)
    found: Parameters = {}
    for key, value in element.items():
        inner = {f"values.{name}": each for name, each in mapping(value).items()}
        for name, each in (inner if key == "values" else {key: value}).items():
            if not isinstance(each, str):
                raise UnevaluatedError(f"the value of '{name}' in its list is no text")
            found[name] = each
    return found


def _git(options: Fields, generating: Generating) -> list[Parameters]:
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
    content = _loaded(repository.read(path) or "", path)
    for each in content if isinstance(content, list) else [{} if content is None else content]:
        if not isinstance(each, Mapping):
            raise UnevaluatedError(f"'{path}' holds neither a mapping nor a list of them")
        yield each


def _loaded(content: str, name: str) -> object:
    try:
        return load(content)
    except YamlError as error:
        raise UnevaluatedError(f"'{name}' cannot be read: {error.message}") from error


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


def _matrix(options: Fields, generating: Generating, depth: int) -> list[Parameters]:
    inner = list(mappings(options.get("generators")))
    if len(inner) != 2:
        raise UnevaluatedError("its matrix generator needs exactly two generators")
    combine = _over if generating.filling.go else _combined
    found: list[Parameters] = []
    for first in parameters(inner[0], generating, depth + 1):
        second = generating.filling.value(inner[1], first) if first else inner[1]
        for each in parameters(mapping(second), generating, depth + 1):
            found.append(combine(each, first))
        _bounded(found)
    return found


def _combined(second: Parameters, first: Parameters) -> Parameters:
    """Both as texts, which may not contradict each other (CombineStringMaps)."""
    found = {key: _printed(value) for key, value in first.items()}
    for key, value in second.items():
        if found.setdefault(key, _printed(value)) != _printed(value):
            raise UnevaluatedError(f"both generators of its matrix set '{key}', and differently")
    return dict(found)


def _printed(value: object) -> str:
    try:
        return go_text(value)
    except ValueError as error:
        raise UnevaluatedError("a parameter is a list or a mapping") from error


def _over(below: Parameters, above: Parameters) -> Parameters:
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        both = isinstance(old, Mapping) and isinstance(value, Mapping)
        merged[key] = _over(dict(mapping(old)), dict(mapping(value))) if both else value
    return merged


def _merge(options: Fields, generating: Generating, depth: int) -> list[Parameters]:
    inner = list(mappings(options.get("generators")))
    keys = [key for key in items(options.get("mergeKeys")) if isinstance(key, str)]
    if len(inner) < 2 or not keys:
        raise UnevaluatedError("its merge generator needs two generators and a key")
    first, *others = (_by_keys(parameters(each, generating, depth + 1), keys) for each in inner)
    for other in others:
        for key in first.keys() & other.keys():
            own, new = first[key], other[key]
            first[key] = _over(own, new) if generating.filling.go else {**own, **new}
    return list(first.values())


def _by_keys(found: Iterable[Parameters], keys: list[str]) -> dict[str, Parameters]:
    by_key: dict[str, Parameters] = {}
    for each in found:
        key = json.dumps([each.get(name) for name in keys], default=str)
        if key in by_key:
            raise UnevaluatedError(f"its merge generator finds two sets with the same {keys}")
        by_key[key] = each
    return by_key
