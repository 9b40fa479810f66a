"""Effective pods: what the API server makes of each workload's pod template, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from qoslint.finding import OBJECT, Part, Place
from qoslint.kernel.admission import admit, admit_workload
from qoslint.kernel.decode import decode_pod_spec
from qoslint.kernel.features import Features
from qoslint.kernel.jsonvalue import DecodeError
from qoslint.kernel.outcome import Outcome, Rejection, Stage
from qoslint.kernel.pod import Container, Pod
from qoslint.kernel.qos import QOSClass
from qoslint.kernel.workload import BarePod, decode_workload, template_of
from qoslint.kernel.workload import Workload as KernelWorkload
from qoslint.model.cluster import Cluster
from qoslint.model.injection import NOTHING, Asked, Decision
from qoslint.model.objects import get, shortened
from qoslint.model.placeholders import holding
from qoslint.model.refusals import Reason, Refusal, reason
from qoslint.model.scopes import NamespaceScope
from qoslint.model.step import Step, name_of, order_phrase, place_of, step
from qoslint.model.workloads import KUSTOMIZED, PATCHED, REMOVED_API, Workload
from qoslint.span import Path, field_path

_DECIDING = ("LimitRange", "ResourceQuota")
_DECIDING_CLASS = ("LimitRange", "PodLevelResources")


@dataclass(frozen=True, slots=True, eq=False)
class Effective:
    """A pod after defaulting and admission: one value for all equal pods of a namespace."""

    authored: Pod
    given: NamespaceScope
    outcomes: tuple[Outcome, ...]
    """Every result that an order which Kubernetes leaves undefined allows."""
    shown: Outcome
    """The first outcome in which the pod is not refused, or the first if all refuse it."""
    namespace: str
    injection: Decision = NOTHING

    @property
    def steps(self) -> tuple[Step, ...]:
        """The changes of the shown outcome, in the order in which they happen."""
        return tuple(step(change, self.given, self.namespace) for change in self.shown.changes)

    @property
    def pod(self) -> Pod:
        """The effective pod of the shown outcome, as far as it got."""
        return self.shown.pod

    @property
    def injected(self) -> tuple[tuple[Path, str], ...]:
        """The path of each container that an injector added, and the injector's name."""
        paths = (path for path, _ in self.pod.containers_with_paths())
        origins = zip(paths, self.shown.origins, strict=False)
        return tuple((path, origin.by) for path, origin in origins if origin.authored is None)

    @property
    def admitted(self) -> bool | None:
        """Whether the pod is created; None if that is unknown or depends on an undefined order."""
        answers = {outcome.admitted for outcome in self.outcomes}
        if len(answers) > 1 or (self.injection.uncertain and self._may_differ(*answers)):
            return None
        return answers.pop()

    def _may_differ(self, admitted: bool | None) -> bool:
        """Whether what is not known of injection could change the answer of admission."""
        if any(each.anything for each in self.injection.uncertain):
            return True
        scope, pod = self.given.scope, self.authored
        bounded = scope.limit_ranges or scope.quotas or pod.resources is not None
        return admitted is not False and bool(bounded)

    @property
    def classes(self) -> tuple[QOSClass, ...]:
        """The classes that the pod can have if it is admitted, sorted.

        More containers can take a pod out of both classes that ask something of each container.
        """
        found = {item.qos for item in self.outcomes if item.qos and item.admitted is not False}
        if any(each.anything for each in self.injection.uncertain):
            found = set(QOSClass)
        elif found and self.injection.uncertain:
            found.add(QOSClass.BURSTABLE)
        return tuple(sorted(found))


@dataclass(frozen=True, slots=True, eq=False)
class Admitted:
    """A workload with what becomes of its pods.

    `effective` is None if the workload itself is refused, or if what its pods are is not known.
    """

    workload: Workload
    cluster: str
    namespace: str
    refusals: tuple[Refusal, ...] = ()
    effective: Effective | None = None
    hidden: tuple[str, ...] = ()
    """Why it is not known what the pods are."""

    @property
    def admitted(self) -> bool | None:
        """Whether its pods are created; None if that is unknown."""
        if self.effective:
            return self.effective.admitted
        return False if self.refusals else None

    @property
    def qos(self) -> QOSClass | None:
        """The class of its pods; None if they are refused, or if it is not known."""
        if self.effective is None or len(self.effective.classes) > 1:
            return None
        return class_of(self.effective.outcomes)

    @property
    def unknowns(self) -> tuple[str, ...]:
        """What the answer depends on and the repository does not hold."""
        if not self.effective:
            return self.hidden
        changing = (
            f"{'mutation' if each.anything else 'injection'} by {each.by}"
            for each in self.effective.injection.uncertain
        )
        return (
            *(f"{item.kind} {item.name}" for item in self.effective.shown.unknowns),
            *dict.fromkeys(changing),
        )

    def at(self, path: Path = (), part: Part = Part.ENTRY) -> Place:
        """The place of a field of the effective pod, as far as the workload states it."""
        path = self.effective.shown.authored(path) if self.effective else path
        return self.workload.at(path, part)

    def place_of(self, asked: Asked) -> Place:
        """Where the injection is asked for."""
        if asked.cause is not None:
            return asked.cause
        metadata = self.workload.metadata
        if not asked.field or metadata is None:
            return self.workload.at((), Part.KEY)
        return self.workload.object.at((*metadata, *asked.field))

    @property
    def pods(self) -> str:
        """The pods in the middle of a sentence, with `OBJECT` for the workload's name."""
        return OBJECT if self.workload.object.kind == "Pod" else f"every pod of {OBJECT}"

    @property
    def label(self) -> str:
        """The workload as people name it: `Deployment shop/api`."""
        thing = self.workload.object
        return shortened(f"{thing.kind} {self.namespace}/{thing.name}")


def class_of(outcomes: Iterable[Outcome]) -> QOSClass | None:
    """The class of a pod that is admitted; None if it is refused, or if the class is not known."""
    possible = [outcome for outcome in outcomes if outcome.admitted is not False]
    unknowns = (unknown for outcome in possible for unknown in outcome.unknowns)
    if any(unknown.kind in _DECIDING_CLASS for unknown in unknowns):
        return None
    classes = {outcome.qos for outcome in possible}
    return classes.pop() if len(classes) == 1 else None


def admit_cluster(cluster: Cluster) -> Iterator[Admitted]:
    """Each workload of the cluster with what becomes of its pods, in the cluster's order."""

    @cache
    def effective(
        authored: Pod,
        metadata: tuple[Rejection, ...],
        given: NamespaceScope,
        namespace: str,
        injection: Decision,
    ) -> Effective:
        outcomes = admit(authored, given.scope, metadata, injection.injections)
        shown = next((each for each in outcomes if each.admitted is not False), outcomes[0])
        return Effective(authored, given, outcomes, shown, namespace, injection)

    def classes_elsewhere(
        workload: Workload, pod: Pod, metadata: tuple[Rejection, ...]
    ) -> Iterator[tuple[QOSClass, ...]]:
        for other in cluster.other_namespaces(workload.object):
            injection = cluster.webhooks.decide(workload, other)
            given = cluster.scope_elsewhere(workload.object, other)
            yield effective(pod, metadata, given, other, injection).classes

    for workload in cluster.workloads:
        namespace = cluster.namespace_of(workload.object)
        given = cluster.scope_of(workload.object)
        if hidden := tuple(_hidden(workload, given)):
            yield Admitted(workload, cluster.name, namespace, hidden=hidden)
            continue
        pod, rejections = _pod_of(workload, cluster.features)
        if pod is None:
            refusals = tuple(_object_refusals(workload, rejections))
            yield Admitted(workload, cluster.name, namespace, refusals)
        else:
            injection = cluster.webhooks.decide(workload, namespace)
            made = effective(pod, rejections, given, namespace, injection)
            if any(
                elsewhere != made.classes
                for elsewhere in classes_elsewhere(workload, pod, rejections)
            ):
                hidden = ("the namespace, which decides the class and is not the one in the file",)
                yield Admitted(workload, cluster.name, namespace, hidden=hidden)
                continue
            refusals = tuple(_pod_refusals(workload, made, rejections, namespace))
            yield Admitted(workload, cluster.name, namespace, refusals, made)


def without_injectors(effective: Effective) -> tuple[Outcome, ...]:
    """Every outcome of creating the pod if no injector acted upon it."""
    return admit(effective.authored, effective.given.scope)


def _hidden(workload: Workload, given: NamespaceScope) -> Iterator[str]:
    """Why nothing can be said of the pods: values that something else fills in later."""
    for path in workload.unresolved:
        yield f"placeholder in {field_path(path)}"
    for item in given.invalid:
        if item.unresolved and item.object.kind in _DECIDING:
            yield f"placeholder in {item.object.kind} {item.object.name}"
    if PATCHED in workload.tags:
        yield "resources that a kustomize patch changes"
    if workload.custom and not workload.pod_spec.get("containers"):
        yield "containers that the controller adds"


def _pod_of(workload: Workload, features: Features) -> tuple[Pod | None, tuple[Rejection, ...]]:
    """The pod that the object asks for, or None and why the API server refuses the object.

    A pod's own metadata is only validated with its spec, after the mutating plugins: what is wrong
    with it comes with the pod.
    """
    thing = workload.object
    if REMOVED_API in workload.tags:
        message = f'no matches for kind "{thing.kind}" in version "{thing.api_version}"'
        return None, (Rejection(Stage.DECODE, message, ("apiVersion",)),)
    made, found = _decoded(workload, features)
    rejections = tuple(item for item in found if not _may_be_filled_in(item, workload))
    if isinstance(made, BarePod) and made.template is None:
        return made.spec, rejections
    if rejections:
        return None, rejections
    template = None if made is None else template_of(made)
    return _embedded_pod(workload) if template is None else (template.spec, ())


def _decoded(
    workload: Workload, features: Features
) -> tuple[KernelWorkload | None, tuple[Rejection, ...]]:
    """The object as the API server decodes it, None for other kinds, and why it is refused."""
    try:
        made = decode_workload(workload.object.data)
    except DecodeError as error:
        return None, (Rejection(Stage.DECODE, error.message, error.path),)
    return made, () if made is None else admit_workload(made, features)


def _may_be_filled_in(rejection: Rejection, workload: Workload) -> bool:
    """Whether the author leaves the field to something that runs before the API server.

    A kustomization adds selectors and labels, a template engine replaces placeholders.
    """
    if rejection.by is Stage.VALIDATION and KUSTOMIZED in workload.tags:
        return True
    value = get(workload.object.data, rejection.path)
    return next(holding(value), None) is not None


def _embedded_pod(workload: Workload) -> tuple[Pod | None, tuple[Rejection, ...]]:
    """The pod of an object that Kubernetes does not decode as a whole, or why it cannot be read."""
    try:
        pod = decode_pod_spec(workload.pod_spec, workload.pod_annotations)
        return (_completed(pod) if workload.custom else pod), ()
    except DecodeError as error:
        path = (*workload.template, *error.path)
        return None, (Rejection(Stage.DECODE, error.message, path),)


def _completed(pod: Pod) -> Pod:
    """The pod as a controller of a custom kind may make it: names and images are often its own."""

    def complete(containers: tuple[Container, ...], kind: str) -> tuple[Container, ...]:
        return tuple(
            each._replace(image=each.image or "-", name=each.name or f"{kind}-{index}")
            for index, each in enumerate(containers)
        )

    return pod._replace(
        containers=complete(pod.containers, "container"),
        init_containers=complete(pod.init_containers, "init"),
    )


def _object_refusals(workload: Workload, found: tuple[Rejection, ...]) -> Iterator[Refusal]:
    for rejection in found:
        kind = reason(rejection, rejection.path, workload)
        yield Refusal(rejection.by, rejection.message, rejection.path, kind)


def _pod_refusals(
    workload: Workload, effective: Effective, metadata: tuple[Rejection, ...], namespace: str
) -> Iterator[Refusal]:
    """Why the pods are refused; where only some orders refuse them, under which."""
    given = effective.given
    always = all(outcome.admitted is False for outcome in effective.outcomes)
    changing = [each.by for each in effective.injection.uncertain if each.anything]
    unless = f", unless {' or '.join(changing)} changes the pod" if changing else ""
    refused = any(outcome.rejections for outcome in effective.outcomes)
    injected = refused and _is_injected(effective)
    for outcome in effective.outcomes[:1] if always else effective.outcomes:
        condition = unless if always else f", if {order_phrase(outcome, given)}{unless}"
        for rejection in outcome.rejections:
            of_metadata = rejection in metadata
            inside = outcome.authored(rejection.path)
            path = rejection.path if of_metadata else (*workload.template, *inside)
            cause = rejection.cause
            yield Refusal(
                rejection.by,
                f"{rejection.message}{condition}",
                path,
                Reason.INJECTED if injected else reason(rejection, path, workload),
                place_of(cause, given) if cause else None,
                name_of(cause, given, namespace) if cause else "",
                condition,
                _container_at(rejection.path, outcome),
            )


def _is_injected(effective: Effective) -> bool:
    """Whether the pod is only refused for what injectors do to it."""
    if not effective.injection.acting:
        return False
    return all(outcome.admitted is not False for outcome in without_injectors(effective))


def _container_at(path: Path, outcome: Outcome) -> str:
    """The name of the container that an injector added, if the path leads into one."""
    origin = outcome.origin(path)
    if origin is None or origin.authored is not None:
        return ""
    return next(
        each.name for where, each in outcome.pod.containers_with_paths() if where == path[:2]
    )
