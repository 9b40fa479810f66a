"""Injection: what webhooks do to the pods of a workload, as far as the repository tells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from qoslint.finding import Place
from qoslint.kernel.injection import Added, Injection
from qoslint.kernel.pod import Container, ContainerType
from qoslint.model.admissionrequest import AdmissionRequest, Policy
from qoslint.model.injector import Condition, Injector, SelectionRule, Values, known_injectors
from qoslint.model.objects import Fields, KubeObject
from qoslint.model.podspec import authored_containers
from qoslint.model.selector import Operator, Selector, matches
from qoslint.model.sizes import Sizing, UnclearSizeError, size
from qoslint.model.workloads import Workload
from qoslint.span import Path

HINTS = ("inject", "dapr.io/enabled", "istio.io/rev", "datadoghq.com/")
"""Parts of the labels and annotations that ask for a shipped injector: one is in each. Reading the
profiles takes longer than many a run, and most repositories ask for none."""

WEBHOOKS = (
    "sidecar-injector.istio.io",
    "linkerd-proxy-injector.linkerd.io",
    "vault.hashicorp.com",
    "sidecar-injector.dapr.io",
    "admission.datadoghq.com",
    "mpod.kb.io",
)
"""Ends of the names of the webhooks that the shipped injectors stand for."""


class Asked(NamedTuple):
    """What asks for an injection: a field of the pod's metadata, or of another object."""

    field: Path = ()
    cause: Place | None = None


class Uncertain(NamedTuple):
    """Something that may change the pod, and nothing tells how.

    `by` names it; `why` says what is not known, as a clause.
    """

    by: str
    why: str
    asked: Asked
    anything: bool = False
    """Whether it may change the pod in any way, rather than only add containers."""


class Acting(NamedTuple):
    """An injector that acts upon the pod, what it does, and what asks for it.

    `given` are the annotations of sizes that the pod has, or inherits.
    """

    injector: Injector
    injection: Injection
    asked: Asked
    given: frozenset[str]


class Decision(NamedTuple):
    """What happens to the pods of a workload: what is known of it, and what is not."""

    acting: tuple[Acting, ...] = ()
    uncertain: tuple[Uncertain, ...] = ()

    @property
    def injections(self) -> tuple[Injection, ...]:
        """What the kernel does to the pods."""
        return tuple(each.injection for each in self.acting)


NOTHING = Decision()

_NO_TEXTS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class Webhooks:
    """What of a cluster decides about injection."""

    injectors: tuple[Injector, ...]
    namespaces: Mapping[str, KubeObject]
    objects: Mapping[Values, tuple[KubeObject, ...]]
    """Those that may hold sizes of injected containers, and of which."""
    policies: tuple[Policy, ...]
    complete: bool

    def decide(self, workload: Workload, namespace: str) -> Decision:
        """What happens to the pods that the workload makes in the namespace."""
        labels, annotations = workload.pod_labels, workload.pod_annotations
        home = self.namespaces.get(namespace)
        asked = self.injectors or self.policies or _hinted(labels, annotations, home)
        if not asked or "static" in workload.tags:
            return NOTHING
        pod = _Pod(workload.pod_spec, labels, annotations, namespace, home)
        decisions = [self._decided(injector, pod) for injector in self.injectors]
        declared = {injector.product for injector in self.injectors}
        return Decision(
            tuple(each for decision in decisions for each in decision.acting),
            (
                *(each for decision in decisions for each in decision.uncertain),
                *_undeclared(pod, declared),
                *self._of_policies(AdmissionRequest(workload.object.kind, labels, namespace, home)),
            ),
        )

    def _of_policies(self, request: AdmissionRequest) -> Iterator[Uncertain]:
        for policy in self.policies:
            if policy.selects(request):
                asked = Asked(cause=policy.place)
                yield Uncertain(policy.name, policy.does, asked, policy.anything)

    @property
    def asking_namespaces(self) -> tuple[str, ...]:
        """What looks at namespaces, and takes one that is not there to have none of what it asks.

        Injectors do so in a complete cluster; else what they do in such a namespace is unknown.
        """
        injectors = self.injectors if self.complete else ()
        found = [each.product for each in injectors if _asks_namespaces(each)]
        found += [policy.name for policy in self.policies if policy.asks_namespaces]
        return tuple(dict.fromkeys(found))

    def _decided(self, injector: Injector, pod: _Pod) -> Decision:
        pod = pod.inheriting(injector.inherits)
        rule = pod.rule(injector)
        if rule is None and pod.home is None and not self.complete and _may_ask(injector, pod):
            why = f"Namespace {pod.namespace} decides, which is not in the repository"
            return Decision(uncertain=(Uncertain(injector.product, why, Asked()),))
        if rule is None or not rule.inject:
            return NOTHING
        unclear = (each.because for each in injector.unclear if pod.is_like(each.condition))
        why = next(unclear, "")
        added: tuple[Added, ...] = ()
        if not why:
            sizing = Sizing(pod.annotations, pod.namespace, self.objects)
            try:
                added = tuple(_added(injector, pod, sizing))
            except UnclearSizeError as error:
                why = str(error)
        asked = pod.asked(rule.condition)
        if why:
            return Decision(uncertain=(Uncertain(injector.product, why, asked),))
        injection = Injection(injector.name, added, injector.priority_class_name)
        sizes = (key for each in injector.containers for key, _ in each.annotations)
        given = frozenset(key for key in sizes if key in pod.annotations)
        return Decision((Acting(injector, injection, asked, given),))


def _hinted(labels: Fields, annotations: Fields, home: KubeObject | None) -> bool:
    keys = [*labels, *annotations]
    if home is not None:
        keys += (*home.labels, *home.annotations)
    return any(hint in key for key in keys for hint in HINTS)


def _undeclared(pod: _Pod, declared: set[str]) -> Iterator[Uncertain]:
    """Shipped injectors that the pod or its namespace asks for, and that no setting declares."""
    if not _hinted(pod.labels, pod.annotations, pod.home):
        return
    products = set(declared)
    for injector in known_injectors().values():
        if injector.product in products:
            continue
        inheriting = pod.inheriting(injector.inherits)
        rule = inheriting.rule(injector)
        if rule is not None and rule.inject:
            products.add(injector.product)
            why = "no injector of the settings says what it adds"
            yield Uncertain(injector.product, why, inheriting.asked(rule.condition))


def _added(injector: Injector, pod: _Pod, sizing: Sizing) -> Iterator[Added]:
    for each in injector.containers:
        if each.when and not any(map(pod.is_like, each.when)):
            continue
        container = Container(
            name=each.name,
            type=each.type,
            resources=size(each, injector, sizing),
            image=injector.name,
            restart_policy="Always" if each.type is ContainerType.SIDECAR else None,
        )
        yield Added(container, each.first, each.merges)


class _Pod(NamedTuple):
    """What selection looks at. Nothing is known of the metadata of a namespace without `home`."""

    spec: Fields
    labels: Mapping[str, str]
    annotations: Mapping[str, str]
    namespace: str
    home: KubeObject | None
    inherited: Mapping[str, str] = _NO_TEXTS

    def inheriting(self, keys: Iterable[str]) -> _Pod:
        """The pod with annotations that it has from its namespace."""
        of_home = {} if self.home is None else self.home.annotations
        taken = {k: of_home[k] for k in keys if k in of_home and k not in self.annotations}
        if not taken:
            return self
        return self._replace(annotations={**self.annotations, **taken}, inherited=taken)

    def rule(self, injector: Injector) -> SelectionRule | None:
        """The rule of the injector that decides; None if none does."""
        return next((rule for rule in injector.selection if self.is_like(rule.condition)), None)

    def is_like(self, condition: Condition) -> bool:
        """Whether the pod and its namespace, as far as it is known, fit the condition."""
        home = self.home
        return (
            self.fits(condition)
            and matches(condition.namespace_labels, home.labels if home else {})
            and matches(condition.namespace_annotations, home.annotations if home else {})
        )

    def fits(self, condition: Condition) -> bool:
        """Whether the pod alone fits the condition."""
        return (
            matches(condition.labels, self.labels)
            and matches(condition.annotations, self.annotations)
            and (not condition.namespaces or self.namespace in condition.namespaces)
            and (not condition.containers or not self.names.isdisjoint(condition.containers))
            and condition.host_network in (None, self.spec.get("hostNetwork") is True)
        )

    @property
    def names(self) -> frozenset[object]:
        """The names of its containers."""
        found = (container.get("name") for _, container in authored_containers(self.spec))
        return frozenset(name for name in found if isinstance(name, str))

    def asked(self, condition: Condition) -> Asked:
        """The field of the pod's metadata that makes it fit the condition, or the namespace's."""
        home = self.home
        for key in _present(condition.labels, self.labels):
            return Asked(("labels", key))
        for key in _present(condition.annotations, self.annotations):
            if key in self.inherited and home is not None:
                return Asked(cause=home.at(("metadata", "annotations", key)))
            return Asked(("annotations", key))
        for key in _present(condition.namespace_labels, home.labels if home else {}):
            return Asked(cause=home.at(("metadata", "labels", key)) if home else None)
        for key in _present(condition.namespace_annotations, home.annotations if home else {}):
            return Asked(cause=home.at(("metadata", "annotations", key)) if home else None)
        return Asked()


def _present(selector: Selector, labels: Mapping[str, str]) -> Iterator[str]:
    for test in selector:
        if test.operator is not Operator.DOES_NOT_EXIST and test.key in labels:
            yield test.key


def _may_ask(injector: Injector, pod: _Pod) -> bool:
    """Whether metadata of the namespace, which is not known, could ask for the injection."""
    for rule in injector.selection:
        tests = rule.condition.annotations
        own = tuple(t for t in tests if t.key in pod.annotations or t.key not in injector.inherits)
        may_come = _asks_namespace(rule) or own != tests
        if rule.inject and may_come and pod.fits(rule.condition._replace(annotations=own)):
            return True
    return False


def _asks_namespaces(injector: Injector) -> bool:
    return bool(injector.inherits) or any(map(_asks_namespace, injector.selection))


def _asks_namespace(rule: SelectionRule) -> bool:
    return bool(rule.condition.namespace_labels or rule.condition.namespace_annotations)
