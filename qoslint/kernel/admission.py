"""What the API server makes of a pod, stage by stage, in its order.

Mirrors the order of `staging/src/k8s.io/apiserver/pkg/endpoints/handlers/create.go`,
`pkg/registry/core/pod/strategy.go` and `pkg/kubeapiserver/options/plugins.go AllOrderedPlugins`.
Webhooks run between `mutate` and `conclude`; what they do to a pod is given as injections.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from qoslint.kernel.defaults import (
    drop_disabled_fields,
    reread_pod,
    resource_changes,
    set_defaults_pod,
)
from qoslint.kernel.features import Features
from qoslint.kernel.injection import Injection, inject
from qoslint.kernel.jsonvalue import DecodeError
from qoslint.kernel.limitrangeorder import MAX_ORDERS, distinct_orders
from qoslint.kernel.limitranger import mutate_pod
from qoslint.kernel.limitranger import validate_pod as validate_limits
from qoslint.kernel.outcome import APIWarning, Cause, Change, Outcome, Rejection, Stage, Unknown
from qoslint.kernel.pod import Pod
from qoslint.kernel.podleveldefaults import default_pod_level_resources_late
from qoslint.kernel.priority import admit_priority, default_classes, set_default_class
from qoslint.kernel.qos import QOSClass, compute_pod_qos
from qoslint.kernel.quotaevaluator import validate_quotas
from qoslint.kernel.runtimeclass import admit_runtime_class, validate_pod_overhead
from qoslint.kernel.scope import Scope
from qoslint.kernel.validation.field import MAX_ERRORS, POD_SPEC, FieldError
from qoslint.kernel.validation.jobs import validate_cron_job, validate_job
from qoslint.kernel.validation.pod import validate_pod
from qoslint.kernel.validation.workloads import validate_bare_pod, validate_controller
from qoslint.kernel.warnings import pod_warnings
from qoslint.kernel.workload import (
    BarePod,
    Controller,
    CronJob,
    Job,
    Workload,
    decode_workload,
)

__all__ = [
    "APIWarning",
    "Cause",
    "Change",
    "Injection",
    "Outcome",
    "Rejection",
    "Scope",
    "Stage",
    "Unknown",
    "admit",
    "admit_object",
    "admit_workload",
    "class_as_authored",
    "conclude",
    "default",
    "mutate",
    "read_static_pod",
    "warnings",
]


def admit(
    pod: Pod,
    scope: Scope,
    metadata: Sequence[Rejection] = (),
    injections: Sequence[Injection] = (),
) -> tuple[Outcome, ...]:
    """Every outcome of creating the pod that an undefined order allows; the scope's order first.

    `metadata` is what validation finds wrong outside the spec: it counts only if the pod gets as
    far as validation. `injections` is what webhooks do to the pod, in their order.
    """
    drafts = mutate(default(pod, scope.features), scope)
    if injections:
        drafts = _mutate_again(drafts, scope, injections)
    return tuple(conclude(draft, scope, metadata) for draft in drafts)


def admit_object(data: object, features: Features) -> tuple[Rejection, ...]:
    """Why the API server refuses an object that makes pods, or the metadata of a Pod object.

    Paths start at the object's root. What becomes of the pods is for `admit` to say; for a kind
    that makes no pods nothing is said.
    """
    try:
        workload = decode_workload(data)
    except DecodeError as error:
        return (Rejection(Stage.DECODE, error.message, error.path),)
    return () if workload is None else admit_workload(workload, features)


def admit_workload(workload: Workload, features: Features) -> tuple[Rejection, ...]:
    """Why the API server refuses an object that could be decoded; as `admit_object`."""
    return tuple(map(_rejection, islice(_object_errors(workload, features), MAX_ERRORS)))


def _object_errors(workload: Workload, features: Features) -> Iterator[FieldError]:
    match workload:
        case Controller():
            return validate_controller(workload, features)
        case Job():
            return validate_job(workload, features)
        case CronJob():
            return validate_cron_job(workload, features)
        case BarePod():
            return validate_bare_pod(workload, features)


def default(pod: Pod, features: Features) -> Outcome:
    """The pod as decoded: fields without effect dropped, missing ones defaulted."""
    decoded, changes = set_defaults_pod(drop_disabled_fields(pod, features), features)
    return Outcome(decoded, changes)


def class_as_authored(pod: Pod, features: Features) -> QOSClass:
    """The class that a decoded pod has if no plugin changes it, admitted or not."""
    return compute_pod_qos(_default_late(default(pod, features), features).pod, features)


def mutate(draft: Outcome, scope: Scope) -> Iterator[Outcome]:
    """The mutating plugins: LimitRanger, Priority, RuntimeClass; one draft for each free choice."""
    orders, complete = distinct_orders(draft.pod, scope.limit_ranges)
    if not complete:
        draft = draft.unsure(Unknown("LimitRange", "order", ()))
    for order in orders:
        for ranged in _choose_default_class(mutate_pod(draft, scope.limit_ranges, order), scope):
            done = admit_priority(ranged, scope.priority_classes, complete=scope.complete)
            if not done.rejections:
                done = admit_runtime_class(done, scope.runtime_classes, complete=scope.complete)
            yield done


def _mutate_again(
    drafts: Iterable[Outcome], scope: Scope, injections: Sequence[Injection]
) -> Iterator[Outcome]:
    """The webhooks, then once more the defaults and the mutating plugins.

    An object that a webhook changed is decoded again, and the plugins before it are reinvoked
    (`staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/mutating/dispatcher.go`,
    `staging/src/k8s.io/apiserver/pkg/admission/reinvocation.go`).
    """
    done = (each for draft in drafts for each in _reinvoked(draft, scope, injections))
    kept = list(islice(done, MAX_ORDERS))
    unsure = next(done, None) is not None
    for each in kept:
        yield each.unsure(Unknown("LimitRange", "order", ())) if unsure else each


def _reinvoked(draft: Outcome, scope: Scope, injections: Sequence[Injection]) -> Iterator[Outcome]:
    if draft.rejections:
        yield draft
        return
    features = scope.features
    injected = inject(draft, injections)
    injected = injected._replace(pod=drop_disabled_fields(injected.pod, features))
    decoded = injected.with_changes(*set_defaults_pod(injected.pod, features))
    for each in mutate(decoded, scope):
        yield each._replace(
            order=draft.order,
            reordered=() if each.order == draft.order else each.order,
            unknowns=tuple(dict.fromkeys(each.unknowns)),
        )


def _choose_default_class(draft: Outcome, scope: Scope) -> Iterator[Outcome]:
    candidates = default_classes(scope.priority_classes)
    if draft.pod.priority_class_name or not candidates:
        yield draft
        return
    for index in candidates:
        yield set_default_class(draft, scope.priority_classes, index)


def conclude(draft: Outcome, scope: Scope, metadata: Sequence[Rejection] = ()) -> Outcome:
    """What follows the mutating plugins: the class, validation, and the validating plugins."""
    if draft.rejections:
        return draft
    classified, qos = _prepare_for_create(draft, scope.features)
    checked = classified.refused(_validate(classified.pod, scope.features, metadata))
    if checked.rejections:
        return checked
    checked = _validate_plugins(checked, qos, scope)
    return checked if checked.rejections else _read_back(checked, scope.features)


def warnings(outcome: Outcome) -> tuple[APIWarning, ...]:
    """What the API server tells the client beside its answer, if validation passes the pod."""
    failed = any(rejection.by is Stage.VALIDATION for rejection in outcome.rejections)
    if outcome.validated is None or failed:
        return ()
    return tuple(pod_warnings(outcome.validated, POD_SPEC))


def _prepare_for_create(draft: Outcome, features: Features) -> tuple[Outcome, QOSClass]:
    """Pod-level defaults where they come late, then the class (`strategy.go PrepareForCreate`)."""
    prepared = _default_late(draft, features)
    qos = compute_pod_qos(prepared.pod, features)
    return prepared._replace(qos=qos, validated=prepared.pod), qos


def _default_late(draft: Outcome, features: Features) -> Outcome:
    if not features.on("PodLevelResourcesFixDefaulting"):
        return draft
    pod, unknowns = default_pod_level_resources_late(draft.pod, features)
    changes = resource_changes(draft.pod, pod)
    return draft._replace(unknowns=(*draft.unknowns, *unknowns)).with_changes(pod, changes)


def _validate(pod: Pod, features: Features, metadata: Sequence[Rejection]) -> Iterator[Rejection]:
    yield from metadata
    yield from map(_rejection, islice(validate_pod(pod, features), MAX_ERRORS))


def _rejection(error: FieldError) -> Rejection:
    return Rejection(Stage.VALIDATION, str(error), error.field.path)


def _validate_plugins(checked: Outcome, qos: QOSClass, scope: Scope) -> Outcome:
    """The validating plugins; the first that refuses ends the request, with all its reasons."""
    pod, features = checked.pod, scope.features
    plugins = (
        validate_limits(pod, scope.limit_ranges, features),
        validate_pod_overhead(pod, scope.runtime_classes),
        validate_quotas(pod, qos, scope.quotas, features),
    )
    for rejections in plugins:
        checked = checked.refused(islice(rejections, MAX_ERRORS))
        if checked.rejections:
            break
    return checked


def _read_back(stored: Outcome, features: Features) -> Outcome:
    """The stored pod as everybody reads it: decoding it applies the defaults again."""
    pod = reread_pod(stored.pod)
    filled = any(change.stage is Stage.LIMIT_RANGER for change in stored.changes)
    if pod is stored.pod and not filled and pod.resources is None and pod.overhead is None:
        return stored  # nothing has come in since the defaults were applied
    return stored.with_changes(*set_defaults_pod(pod, features))


def read_static_pod(pod: Pod, features: Features) -> Outcome:
    """A pod that the kubelet reads from a file or URL: defaulted and validated, never admitted.

    The kubelet computes the class itself (`pkg/kubelet/config/common.go`).
    """
    draft = default(pod._replace(static=True), features)
    classified = draft._replace(qos=compute_pod_qos(draft.pod, features))
    return classified.refused(_validate(classified.pod, features, ()))
