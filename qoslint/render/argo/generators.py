"""The generators of ApplicationSets: from what they state to the parameters they yield."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import NoReturn

from qoslint.render.argo.expressions import UnevaluatedError
from qoslint.render.argo.gitgenerator import Generating, Parameters, loaded, of_git
from qoslint.render.argo.gotext import go_text
from qoslint.render.argo.selector import selects
from qoslint.render.argo.templates import Filling
from qoslint.render.fields import Fields, mapping, mappings, text
from qoslint.render.reach import items

MAX_SETS = 5000
_DEEPEST = 3

LOCAL = ("list", "git", "matrix", "merge")
_ELSEWHERE = {
    "clusters": "the clusters that Argo CD knows",
    "clusterDecisionResource": "an object of the cluster",
    "scmProvider": "the repositories of a provider",
    "pullRequest": "open pull requests",
    "plugin": "a plugin",
}


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
            found = of_git(options, generating)
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
        inner = loaded(text(options, "elementsYaml"), "elementsYaml")
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
