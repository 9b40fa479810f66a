"""Mutating rules of Kyverno: which pods each may change, and whether in what decides about them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from qoslint.model.admissionrequest import (
    AdmissionRequest,
    Policy,
    asks_labels,
    entries,
    may_select,
    texts,
)
from qoslint.model.objects import Fields, KubeObject, mapping, text
from qoslint.model.pattern import fits_any
from qoslint.span import Path, value_at

_DECIDING = frozenset(
    {
        "resources",
        "requests",
        "limits",
        "initContainers",
        "priorityClassName",
        "priority",
        "preemptionPolicy",
        "runtimeClassName",
        "overhead",
    }
)
_PATHS = ("resources", "initContainers", "containers/-", "priority", "runtimeClassName", "overhead")

_WILDCARDS = str.maketrans("?.", "**")
"""`?` is at most one character and a dot exactly one (`github.com/IGLOU-EU/go-wildcard/v2`). Both
are taken for any characters: a rule may then match more, never less."""


def mutating_rules(thing: KubeObject) -> Iterator[Policy]:
    """Each rule of a ClusterPolicy or Policy that may change what decides about new pods."""
    for index, rule in entries(value_at(thing.data, ("spec", "rules"))):
        mutate = mapping(rule.get("mutate"))
        if not mutate or "targets" in mutate or not _touches(mutate):
            continue
        path: Path = ("spec", "rules", index, "mutate")
        any_of, all_of = _resource_filters(mapping(rule.get("match")))
        yield Policy(
            name=f"{thing.kind} {thing.name}",
            does=f"its rule {text(rule.get('name'))!r} sets what decides about pods",
            place=thing.at(path),
            anything=True,
            selects=_matching(thing, any_of, all_of),
            asks_namespaces=any(
                asks_labels(each.get("namespaceSelector")) for each in (*any_of, *all_of)
            ),
        )


def _resource_filters(match: Fields) -> tuple[list[Fields], list[Fields]]:
    """The filters of which one must fit, if there are any, and those that must all fit."""
    any_of = [mapping(each.get("resources")) for _, each in entries(match.get("any"))]
    all_of = [mapping(each.get("resources")) for _, each in entries(match.get("all"))]
    if "resources" in match:
        all_of.append(mapping(match["resources"]))
    return any_of, all_of


def _matching(
    thing: KubeObject, any_of: list[Fields], all_of: list[Fields]
) -> Callable[[AdmissionRequest], bool]:
    namespaced = thing.namespace if thing.kind == "Policy" else None

    def selects(request: AdmissionRequest) -> bool:
        return (
            namespaced in (None, request.namespace)
            and bool(any_of or all_of)
            and (not any_of or any(_fits(each, request) for each in any_of))
            and all(_fits(each, request) for each in all_of)
        )

    return selects


def _fits(resources: Fields, request: AdmissionRequest) -> bool:
    """Whether a resource filter may take the pod, or the workload that makes it."""
    kinds = [kind.rpartition("/")[2] for kind in texts(resources, "kinds")]
    if kinds and not {"*", "Pod", request.kind} & {*kinds}:
        return False
    namespaces = [name.translate(_WILDCARDS) for name in texts(resources, "namespaces")]
    if namespaces and not fits_any(request.namespace, namespaces):
        return False
    selector = resources.get("selector")
    if "Pod" in kinds and not _is_wild(selector) and not may_select(selector, request.labels):
        return False
    of_namespace = resources.get("namespaceSelector")
    return _is_wild(of_namespace) or may_select(of_namespace, request.namespace_labels)


def _is_wild(selector: object) -> bool:
    """Whether a selector has wildcards, which labels are not compared with here."""
    shown = str(selector)
    return "*" in shown or "?" in shown


def _touches(value: object, depth: int = 40) -> bool:
    """Whether a mutation sets a field that decides about class, admission or rank.

    A key in round brackets is a condition, other marks only say how it is set.
    """
    if depth == 0:
        return True
    if isinstance(value, str):
        return any(path in value for path in _PATHS)
    if isinstance(value, list):
        return any(_touches(item, depth - 1) for item in value)
    if not isinstance(value, dict):
        return False
    keys = {key.lstrip("+").strip("()=") for key in value if not key.startswith("(")}
    adds_container = {"name", "image"} <= keys
    return (
        adds_container
        or not _DECIDING.isdisjoint(keys)
        or any(_touches(item, depth - 1) for item in value.values())
    )
