"""Admission requests: which new pods webhooks and mutating policies select."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from qoslint.finding import Place
from qoslint.model.objects import Fields, KubeObject, sequence
from qoslint.model.selector import label_selector, matches

_NAME = "kubernetes.io/metadata.name"
"""The label that every namespace has; its value is the namespace's name."""


class AdmissionRequest(NamedTuple):
    """A new pod, as webhooks and policies select it.

    `home` is the pod's Namespace. One that is not in the files is taken to have no label but the
    one that every namespace has.
    """

    kind: str
    """The kind of the object that makes the pod."""
    labels: Mapping[str, str]
    namespace: str
    home: KubeObject | None

    @property
    def namespace_labels(self) -> Mapping[str, str]:
        """The labels of the namespace."""
        return {**(self.home.labels if self.home else {}), _NAME: self.namespace}


class Policy(NamedTuple):
    """Something that may change pods: its name, what it may do, and for which pods."""

    name: str
    does: str
    """What was seen, as a clause."""
    place: Place
    anything: bool
    """Whether it may change all of a pod, rather than only add containers."""
    selects: Callable[[AdmissionRequest], bool]
    asks_namespaces: bool = False
    """Whether it selects by labels of namespaces, other than their name."""


def may_select(selector: object, labels: Mapping[str, str]) -> bool:
    """Whether a LabelSelector may select the labels; one that cannot be read may."""
    tests = label_selector(selector)
    return tests is None or matches(tests, labels)


def asks_labels(selector: object) -> bool:
    """Whether a LabelSelector for namespaces asks for more than their name."""
    return any(test.key != _NAME for test in label_selector(selector) or ())


def concerns_pods(rules: object) -> bool:
    """Whether rules of a webhook or an admission policy are for new pods.

    Mirrors `staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules/rules.go
    Matcher.Matches`.
    """
    return any(
        {"*", ""} & {*texts(rule, "apiGroups")}
        and any(name in ("*", "*/*", "pods") for name in texts(rule, "resources"))
        and {"*", "CREATE"} & {*texts(rule, "operations")}
        for _, rule in entries(rules)
    )


def entries(value: object) -> Iterator[tuple[int, Fields]]:
    """The objects of a list, each with its index."""
    for index, item in enumerate(sequence(value)):
        if isinstance(item, dict):
            yield index, item


def texts(owner: Fields, key: str) -> Iterator[str]:
    """The strings of a list that is a field."""
    yield from (item for item in sequence(owner.get(key)) if isinstance(item, str))
