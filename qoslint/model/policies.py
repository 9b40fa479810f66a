"""Mutating policies of a repository: what may change pods on their way, in ways of its own.

What they do is written in languages that are not evaluated here. So a policy is taken to act upon
every pod that it is not sure to leave alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import TypeAlias

from qoslint.finding import Place
from qoslint.model.admissionrequest import (
    AdmissionRequest,
    Policy,
    asks_labels,
    concerns_pods,
    entries,
    may_select,
)
from qoslint.model.kyverno import mutating_rules
from qoslint.model.objects import Fields, KubeObject, mapping, text
from qoslint.span import value_at

_ADMISSION = "admissionregistration.k8s.io"

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
            asks_namespaces=False,
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
    for index, webhook in entries(thing.data.get("webhooks")):
        name = text(webhook.get("name"))
        if name.endswith(known) or not concerns_pods(webhook.get("rules")):
            continue
        does = f"its webhook {name} is called for every new pod that it selects"
        yield _selecting(thing, does, thing.at(("webhooks", index)), webhook)


def _admission_policy(thing: KubeObject) -> Iterator[Policy]:
    constraints = mapping(value_at(thing.data, ("spec", "matchConstraints")))
    if concerns_pods(constraints.get("resourceRules")):
        does = "it changes new pods that it selects"
        yield _selecting(thing, does, thing.at(("spec",)), constraints)


def _selecting(thing: KubeObject, does: str, place: Place, selectors: Fields) -> Policy:
    of_pods = selectors.get("objectSelector")
    of_namespaces = selectors.get("namespaceSelector")

    def selects(request: AdmissionRequest) -> bool:
        return may_select(of_pods, request.labels) and may_select(
            of_namespaces, request.namespace_labels
        )

    asks_namespaces = asks_labels(of_namespaces)
    return Policy(f"{thing.kind} {thing.name}", does, place, True, selects, asks_namespaces)


def _adds_containers(thing: KubeObject, *fields: str) -> bool:
    return any(any(entries(value_at(thing.data, ("spec", field)))) for field in fields)


def _pod_default(thing: KubeObject) -> Iterator[Policy]:
    if _adds_containers(thing, "initContainers", "sidecars"):
        selector = value_at(thing.data, ("spec", "selector"))

        def selects(request: AdmissionRequest) -> bool:
            same = thing.namespace in (None, request.namespace)
            return same and may_select(selector, request.labels)

        does = "it adds containers to pods of its selector"
        yield Policy(f"PodDefault {thing.name}", does, thing.at(("spec",)), False, selects)


def _sidecar_set(thing: KubeObject) -> Iterator[Policy]:
    if _adds_containers(thing, "initContainers", "containers"):
        spec = mapping(thing.data.get("spec"))
        of_namespaces = spec.get("namespaceSelector")

        def selects(request: AdmissionRequest) -> bool:
            return (
                text(spec.get("namespace")) in ("", request.namespace)
                and may_select(spec.get("selector"), request.labels)
                and may_select(of_namespaces, request.namespace_labels)
            )

        yield Policy(
            name=f"SidecarSet {thing.name}",
            does="it adds containers to pods of its selector",
            place=thing.at(("spec",)),
            anything=False,
            selects=selects,
            asks_namespaces=asks_labels(of_namespaces),
        )


_KINDS: Mapping[tuple[str, str], _Reader] = {
    (_ADMISSION, "MutatingAdmissionPolicy"): _admission_policy,
    ("policies.kyverno.io", "MutatingPolicy"): _admission_policy,
    ("kyverno.io", "ClusterPolicy"): mutating_rules,
    ("kyverno.io", "Policy"): mutating_rules,
    ("kubeflow.org", "PodDefault"): _pod_default,
    ("apps.kruise.io", "SidecarSet"): _sidecar_set,
}

POLICY_KINDS = frozenset({*_KINDS, (_ADMISSION, "MutatingWebhookConfiguration")})
"""Group and kind of everything that may be a policy."""
