"""Mutating policies of a repository: what may change pods on their way, in ways of its own.

What they do is written in languages that are not evaluated here. So a policy is taken to act upon
every pod that it is not sure to leave alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import islice
from typing import NamedTuple, TypeAlias

from qoslint.finding import Place
from qoslint.model.objects import Fields, KubeObject, get, mapping, sequence, text
from qoslint.model.selector import label_selector, matches
from qoslint.span import Path


class Target(NamedTuple):
    """A pod as policies select it; nothing is known of a namespace without `home`."""

    kind: str
    """The kind of the object that makes the pod."""
    labels: Mapping[str, str]
    namespace: str
    home: KubeObject | None


class Policy(NamedTuple):
    """Something that may change pods: its name, what it may do, and for which pods."""

    name: str
    does: str
    """What was seen, as a clause."""
    place: Place
    anything: bool
    """Whether it may change all of a pod, rather than only add containers."""
    selects: Callable[[Target], bool]


_ADMISSION = "admissionregistration.k8s.io"
_NAME = "kubernetes.io/metadata.name"
"""The label that every namespace has; its value is the namespace's name."""

MOST_POLICIES = 100
"""More are not told apart: each is asked about each pod."""

_Reader: TypeAlias = Callable[[KubeObject], Iterator[Policy]]


def policies(
    by_kind: Mapping[tuple[str, str], tuple[KubeObject, ...]], webhooks: Iterable[str]
) -> Iterator[Policy]:
    """Every policy among the objects that may change a pod; of very many the last as one.

    `webhooks` are ends of the names of those whose injectors are known, which are no policies.
    """
    found = _policies(by_kind, tuple(webhooks))
    yield from islice(found, MOST_POLICIES)
    others = list(found)
    if others:
        yield others[0]._replace(
            name=f"{others[0].name} and {len(others) - 1} more policies",
            anything=True,
            selects=lambda _: True,
        )


def _policies(
    by_kind: Mapping[tuple[str, str], tuple[KubeObject, ...]], known: tuple[str, ...]
) -> Iterator[Policy]:
    for kind, read in _KINDS.items():
        for thing in by_kind.get(kind, ()):
            yield from read(thing)
    for thing in by_kind.get((_ADMISSION, "MutatingWebhookConfiguration"), ()):
        yield from _webhook_configuration(thing, known)


def _webhook_configuration(thing: KubeObject, known: tuple[str, ...]) -> Iterator[Policy]:
    for index, webhook in _entries(thing.data.get("webhooks")):
        name = text(webhook.get("name"))
        if name.endswith(known) or not _concerns_pods(webhook.get("rules")):
            continue
        place = thing.at(("webhooks", index))
        does = f"its webhook {name} is called for every new pod that it selects"
        yield _policy(thing, does, place, _selectors(webhook))


def _admission_policy(thing: KubeObject) -> Iterator[Policy]:
    constraints = mapping(get(thing.data, ("spec", "matchConstraints")))
    if _concerns_pods(constraints.get("resourceRules")):
        does = "it changes new pods that it selects"
        yield _policy(thing, does, thing.at(("spec",)), _selectors(constraints))


def _concerns_pods(rules: object) -> bool:
    return any(
        {"*", ""} & {*_texts(rule, "apiGroups")}
        and any(name in ("*", "*/*", "pods") for name in _texts(rule, "resources"))
        and {"*", "CREATE"} & {*_texts(rule, "operations")}
        for _, rule in _entries(rules)
    )


def _selectors(owner: Fields) -> Callable[[Target], bool]:
    def selects(target: Target) -> bool:
        return _selected(owner.get("objectSelector"), target.labels) and _in_namespaces(
            owner.get("namespaceSelector"), target
        )

    return selects


def _selected(selector: object, labels: Mapping[str, str]) -> bool:
    """Whether a LabelSelector may select the labels; one that cannot be read may."""
    tests = label_selector(selector)
    return tests is None or matches(tests, labels)


def _in_namespaces(selector: object, target: Target) -> bool:
    """Whether a LabelSelector may select the namespace; of one that is not there only its name."""
    named = {_NAME: target.namespace}
    if target.home is not None:
        return _selected(selector, {**target.home.labels, **named})
    tests = label_selector(selector) or ()
    return matches(tuple(test for test in tests if test.key == _NAME), named)


def _policy(
    thing: KubeObject, does: str, place: Place, selects: Callable[[Target], bool]
) -> Policy:
    return Policy(f"{thing.kind} {thing.name}", does, place, True, selects)


def _kyverno(thing: KubeObject) -> Iterator[Policy]:
    for index, rule in _entries(get(thing.data, ("spec", "rules"))):
        mutate = mapping(rule.get("mutate"))
        if not mutate or "targets" in mutate or not _touches(mutate):
            continue
        path: Path = ("spec", "rules", index, "mutate")
        does = f"its rule {text(rule.get('name'))!r} sets what decides about pods"
        yield _policy(
            thing, does, thing.at(path), _kyverno_match(thing, mapping(rule.get("match")))
        )


def _kyverno_match(thing: KubeObject, match: Fields) -> Callable[[Target], bool]:
    namespaced = thing.namespace if thing.kind == "Policy" else None

    def selects(target: Target) -> bool:
        if namespaced not in (None, target.namespace):
            return False
        any_of = [mapping(each.get("resources")) for _, each in _entries(match.get("any"))]
        all_of = [mapping(each.get("resources")) for _, each in _entries(match.get("all"))]
        if "resources" in match:
            all_of.append(mapping(match["resources"]))
        fitting = (not any_of or any(_fits(each, target) for each in any_of)) and all(
            _fits(each, target) for each in all_of
        )
        return fitting and bool(any_of or all_of)

    return selects


def _fits(resources: Fields, target: Target) -> bool:
    """Whether a Kyverno resource filter may take the pod, or the workload that makes it."""
    kinds = [kind.rpartition("/")[2] for kind in _texts(resources, "kinds")]
    if kinds and not {"*", "Pod", target.kind} & {*kinds}:
        return False
    namespaces = list(_texts(resources, "namespaces"))
    if namespaces and not any(fnmatchcase(target.namespace, each) for each in namespaces):
        return False
    wild = "*" in str(resources.get("selector")) or "?" in str(resources.get("selector"))
    if "Pod" in kinds and not wild and not _selected(resources.get("selector"), target.labels):
        return False
    return _in_namespaces(resources.get("namespaceSelector"), target)


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


def _touches(value: object, depth: int = 40) -> bool:
    """Whether a Kyverno mutation sets a field that decides about class, admission or rank.

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


def _adds_containers(thing: KubeObject, *fields: str) -> bool:
    return any(any(_entries(get(thing.data, ("spec", field)))) for field in fields)


def _pod_default(thing: KubeObject) -> Iterator[Policy]:
    if _adds_containers(thing, "initContainers", "sidecars"):
        selector = get(thing.data, ("spec", "selector"))

        def selects(target: Target) -> bool:
            same = thing.namespace in (None, target.namespace)
            return same and _selected(selector, target.labels)

        does = "it adds containers to pods of its selector"
        yield Policy(f"PodDefault {thing.name}", does, thing.at(("spec",)), False, selects)


def _sidecar_set(thing: KubeObject) -> Iterator[Policy]:
    if _adds_containers(thing, "initContainers", "containers"):
        spec = mapping(thing.data.get("spec"))

        def selects(target: Target) -> bool:
            same = text(spec.get("namespace")) in ("", target.namespace)
            labels = _selected(spec.get("selector"), target.labels)
            return same and labels and _in_namespaces(spec.get("namespaceSelector"), target)

        does = "it adds containers to pods of its selector"
        yield Policy(f"SidecarSet {thing.name}", does, thing.at(("spec",)), False, selects)


def _entries(value: object) -> Iterator[tuple[int, Fields]]:
    for index, item in enumerate(sequence(value)):
        if isinstance(item, dict):
            yield index, item


def _texts(owner: Fields, key: str) -> Iterator[str]:
    yield from (item for item in sequence(owner.get(key)) if isinstance(item, str))


_KINDS: Mapping[tuple[str, str], _Reader] = {
    (_ADMISSION, "MutatingAdmissionPolicy"): _admission_policy,
    ("policies.kyverno.io", "MutatingPolicy"): _admission_policy,
    ("kyverno.io", "ClusterPolicy"): _kyverno,
    ("kyverno.io", "Policy"): _kyverno,
    ("kubeflow.org", "PodDefault"): _pod_default,
    ("apps.kruise.io", "SidecarSet"): _sidecar_set,
}

POLICY_KINDS = frozenset({*_KINDS, (_ADMISSION, "MutatingWebhookConfiguration")})
"""Group and kind of everything that may be a policy."""
