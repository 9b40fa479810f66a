"""Effective pods: what the API server makes of each workload's pod template, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from qoslint.finding import Place
from qoslint.kernel.admission import admit, admit_object
from qoslint.kernel.decode import decode_pod_spec
from qoslint.kernel.jsonvalue import DecodeError
from qoslint.kernel.outcome import Cause, Change, Outcome, Rejection, Stage
from qoslint.kernel.pod import Pod
from qoslint.kernel.qos import QOSClass
from qoslint.model.cluster import Cluster
from qoslint.model.objects import get
from qoslint.model.placeholders import holding
from qoslint.model.refusals import Refusal, reason
from qoslint.model.scopes import NamespaceScope, is_namespaced
from qoslint.model.workloads import KUSTOMIZED, REMOVED_API, Workload
from qoslint.span import Path, field_path

_SPEC_OF_POD: Path = ("spec",)


class Step(NamedTuple):
    """One change on the way to the effective pod; `path` leads into the PodSpec.

    `by` names what did it, such as `LimitRange shop/defaults`; `cause` is its authored field.
    """

    stage: Stage
    by: str
    path: Path
    before: str | None
    after: str
    cause: Place | None

    @property
    def field(self) -> str:
        """The field as people name it inside its container: `limits.memory`."""
        inside = self.path[self.path.index("resources") + 1 :] if "resources" in self.path else ()
        return field_path(inside or self.path)


@dataclass(frozen=True, slots=True, eq=False)
class Effective:
    """A pod after defaulting and admission: one value for all equal pods of a namespace."""

    authored: Pod
    given: NamespaceScope
    outcomes: tuple[Outcome, ...]
    """Every result that an order which Kubernetes leaves undefined allows; the first is shown."""
    steps: tuple[Step, ...]
    """The changes of the first outcome, in the order in which they happen."""

    @property
    def pod(self) -> Pod:
        """The effective pod of the first outcome, as far as it got."""
        return self.outcomes[0].pod

    @property
    def admitted(self) -> bool | None:
        """Whether the pod is created; None if that is unknown or depends on an undefined order."""
        answers = {outcome.admitted for outcome in self.outcomes}
        return answers.pop() if len(answers) == 1 else None

    @property
    def classes(self) -> tuple[QOSClass, ...]:
        """The classes that the pod can have if it is admitted, sorted."""
        found = {item.qos for item in self.outcomes if item.qos and item.admitted is not False}
        return tuple(sorted(found))


@dataclass(frozen=True, slots=True, eq=False)
class Admitted:
    """A workload with what becomes of its pods.

    `effective` is None if the workload itself is refused, or if placeholders hide its pods.
    """

    workload: Workload
    cluster: str
    namespace: str
    refusals: tuple[Refusal, ...] = ()
    effective: Effective | None = None

    @property
    def admitted(self) -> bool | None:
        """Whether its pods are created; None if that is unknown."""
        if self.effective:
            return self.effective.admitted
        return False if self.refusals else None

    @property
    def unknowns(self) -> tuple[str, ...]:
        """What the answer depends on and the repository does not hold."""
        if self.effective:
            return tuple(f"{item.kind} {item.name}" for item in self.effective.outcomes[0].unknowns)
        return tuple(f"placeholder in {field_path(path)}" for path in self.workload.unresolved)

    @property
    def pods(self) -> str:
        """The pods in the middle of a sentence; `{object}` stands for the workload's name."""
        return "{object}" if self.workload.object.kind == "Pod" else "every pod of {object}"

    @property
    def label(self) -> str:
        """The workload as people name it: `Deployment shop/api`."""
        thing = self.workload.object
        return f"{thing.kind} {self.namespace}/{thing.name}"


def admit_cluster(cluster: Cluster) -> Iterator[Admitted]:
    """Each workload of the cluster with what becomes of its pods, in the cluster's order."""

    @cache
    def effective(
        authored: Pod, metadata: tuple[Rejection, ...], given: NamespaceScope, namespace: str
    ) -> Effective:
        outcomes = admit(authored, given.scope, metadata)
        steps = tuple(_step(change, given, namespace) for change in outcomes[0].changes)
        return Effective(authored, given, outcomes, steps)

    for workload in cluster.workloads:
        namespace = cluster.namespace_of(workload.object)
        if workload.unresolved:
            yield Admitted(workload, cluster.name, namespace)
            continue
        rejections = _object_rejections(workload, cluster)
        pod, undecoded = _decoded(workload)
        # A pod's own metadata is only validated with its spec, after the mutating plugins.
        is_pod = workload.template == _SPEC_OF_POD and not any(map(_is_decoding, rejections))
        if pod is None or (rejections and not is_pod):
            refusals = tuple(_object_refusals(workload, rejections or undecoded))
            yield Admitted(workload, cluster.name, namespace, refusals)
        else:
            made = effective(pod, rejections, cluster.scope_of(workload.object), namespace)
            refusals = tuple(_pod_refusals(workload, made, rejections, namespace))
            yield Admitted(workload, cluster.name, namespace, refusals, made)


def _object_rejections(workload: Workload, cluster: Cluster) -> tuple[Rejection, ...]:
    """Why the API server refuses the object itself."""
    thing = workload.object
    if REMOVED_API in workload.tags:
        message = f'no matches for kind "{thing.kind}" in version "{thing.api_version}"'
        return (Rejection(Stage.DECODE, message, ("apiVersion",)),)
    return tuple(
        rejection
        for rejection in admit_object(thing.data, cluster.features)
        if not _may_be_filled_in(rejection, workload)
    )


def _may_be_filled_in(rejection: Rejection, workload: Workload) -> bool:
    """Whether the author leaves the field to something that runs before the API server.

    A kustomization adds selectors and labels, a template engine replaces placeholders.
    """
    if rejection.by is Stage.VALIDATION and KUSTOMIZED in workload.tags:
        return True
    value = get(workload.object.data, rejection.path)
    return next(holding(value), None) is not None


def _decoded(workload: Workload) -> tuple[Pod | None, tuple[Rejection, ...]]:
    """The pod that the object asks for, or why it cannot be read."""
    try:
        pod = decode_pod_spec(workload.pod_spec, workload.pod_annotations)
        return (_with_images(pod) if workload.custom else pod), ()
    except DecodeError as error:
        path = (*workload.template, *error.path)
        return None, (Rejection(Stage.DECODE, error.message, path),)


def _with_images(pod: Pod) -> Pod:
    """The pod as a controller of a custom kind may make it: images are often its own to choose."""
    return replace(
        pod,
        containers=tuple(replace(each, image=each.image or "-") for each in pod.containers),
        init_containers=tuple(
            replace(each, image=each.image or "-") for each in pod.init_containers
        ),
    )


def _is_decoding(rejection: Rejection) -> bool:
    return rejection.by is Stage.DECODE


def _object_refusals(workload: Workload, found: tuple[Rejection, ...]) -> Iterator[Refusal]:
    for rejection in found:
        kind = reason(rejection, rejection.path, workload)
        yield Refusal(rejection.by, rejection.message, rejection.path, kind)


def _pod_refusals(
    workload: Workload, effective: Effective, metadata: tuple[Rejection, ...], namespace: str
) -> Iterator[Refusal]:
    given = effective.given
    for rejection in effective.outcomes[0].rejections:
        of_metadata = rejection in metadata
        path = rejection.path if of_metadata else (*workload.template, *rejection.path)
        kind = reason(rejection, path, workload)
        cause = rejection.cause
        yield Refusal(
            rejection.by,
            rejection.message,
            path,
            kind,
            place_of(cause, given) if cause else None,
            name_of(cause, given, namespace) if cause else "",
        )


def _step(change: Change, given: NamespaceScope, namespace: str) -> Step:
    cause = change.cause
    by = name_of(cause, given, namespace) if cause else str(change.stage)
    place = place_of(cause, given) if cause else None
    return Step(change.stage, by, change.path, change.before, change.after, place)


def name_of(cause: Cause, given: NamespaceScope, namespace: str) -> str:
    """The object that a cause means, as people name it: `LimitRange shop/defaults`."""
    name = given.object_of(cause).name
    return (
        f"{cause.kind} {namespace}/{name}" if is_namespaced(cause.kind) else f"{cause.kind} {name}"
    )


def order_phrase(outcome: Outcome, given: NamespaceScope) -> str:
    """Under which undefined order an outcome comes about: `LimitRange a before b`."""
    if len(outcome.order) > 1:
        names = (given.limit_ranges[index].name for index in outcome.order)
        return f"LimitRange {' before '.join(names)}"
    if outcome.global_default is not None:
        return f"PriorityClass {given.priority_classes[outcome.global_default].name} as default"
    return "the only order"


def place_of(cause: Cause, given: NamespaceScope) -> Place:
    """The authored field that a cause means."""
    return given.object_of(cause).at(cause.path)
