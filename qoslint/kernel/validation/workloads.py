"""Pod templates and the controllers that make pods of them.

Mirrors `pkg/apis/core/validation/validation.go` (ValidatePodTemplateSpec,
ValidateReplicationController) and `pkg/apis/apps/validation/validation.go`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from qoslint.kernel.defaults import default_template
from qoslint.kernel.features import Features
from qoslint.kernel.metadata import (
    validate_annotations,
    validate_mirror_annotation,
    validate_object_meta,
)
from qoslint.kernel.pod import Path
from qoslint.kernel.validation.field import (
    ROOT,
    Field,
    FieldError,
    forbidden,
    invalid,
    not_supported,
    required,
)
from qoslint.kernel.validation.labels import (
    LabelSelector,
    validate_label_selector,
    validate_labels,
)
from qoslint.kernel.validation.names import is_dns1123_label, is_dns1123_subdomain
from qoslint.kernel.validation.pod import validate_pod_spec
from qoslint.kernel.workload import BarePod, Controller, PodTemplate

_METADATA = ROOT.child("metadata")
_SPEC = ROOT.child("spec")
_SELECTOR = _SPEC.child("selector")
_STRATEGY = _SPEC.child("strategy")
_UPDATE_STRATEGY = _SPEC.child("updateStrategy")

_ROLLING_UPDATE = "RollingUpdate"
_STRATEGIES = {
    "Deployment": ("Recreate", _ROLLING_UPDATE),
    "StatefulSet": (_ROLLING_UPDATE, "OnDelete"),
    "DaemonSet": (_ROLLING_UPDATE, "OnDelete"),
}
_POD_MANAGEMENT_POLICIES = ("OrderedReady", "Parallel")
_EMPTY_SELECTOR = {
    "Deployment": "deployment",
    "ReplicaSet": "deployment",  # Kubernetes' own slip
    "StatefulSet": "statefulset",
    "DaemonSet": "daemonset",
}


def validate_template(template: PodTemplate, features: Features) -> Iterator[FieldError]:
    """What is wrong with a pod template (`ValidatePodTemplateSpec`)."""
    yield from _validate_template_metadata(template)
    spec = _template_fields(template.path).spec
    yield from validate_pod_spec(default_template(template.spec, features), features, spec)
    if template.spec.ephemeral_containers:
        detail = "ephemeral containers not allowed in pod template"
        yield forbidden(spec.child("ephemeralContainers"), detail)


def _validate_template_metadata(template: PodTemplate) -> Iterator[FieldError]:
    fields = _template_fields(template.path)
    yield from validate_labels(template.metadata.labels, fields.labels)
    yield from validate_annotations(template.metadata.annotations, fields.annotations)
    yield from validate_mirror_annotation(
        dict(template.metadata.annotations), template.spec.node_name, fields.annotations
    )


class _TemplateFields(NamedTuple):
    """The fields of a pod template; Kubernetes prints its metadata's as if they stood beside it."""

    labels: Field
    annotations: Field
    spec: Field


@lru_cache(maxsize=16)
def _template_fields(path: Path) -> _TemplateFields:
    """The fields of a template at a path, of which there is one for each kind of object."""
    field = ROOT.at(path)
    metadata = field.child("metadata")
    return _TemplateFields(
        metadata.child("labels").printed_as(field.child("labels")),
        metadata.child("annotations").printed_as(field.child("annotations")),
        field.child("spec"),
    )


def validate_bare_pod(pod: BarePod, features: Features) -> Iterator[FieldError]:
    """What is wrong with a Pod outside its spec, or with a PodTemplate object."""
    yield from validate_object_meta(pod.metadata, _METADATA, is_dns1123_subdomain)
    if pod.template is not None:
        yield from validate_template(pod.template, features)
    else:
        annotations, node_name = dict(pod.metadata.annotations), pod.spec.node_name
        where = _METADATA.child("annotations")
        yield from validate_mirror_annotation(annotations, node_name, where)


def validate_counts(counts: Mapping[str, int | None], spec: Field) -> Iterator[FieldError]:
    """No number of a spec may be negative (`ValidateNonnegativeField`)."""
    for name, value in counts.items():
        if value is not None and value < 0:
            yield invalid(spec.child(name), value, "must be greater than or equal to 0")


def validate_controller(controller: Controller, features: Features) -> Iterator[FieldError]:
    """What is wrong with a controller of any kind but Job and CronJob."""
    is_name = is_dns1123_label if controller.kind == "StatefulSet" else is_dns1123_subdomain
    yield from validate_object_meta(controller.metadata, _METADATA, is_name)
    yield from validate_counts(controller.counts, _SPEC)
    yield from _validate_words(controller)
    if controller.template is None:
        yield required(_SPEC.child("template"))
        return
    unusable = list(_validate_selector(controller))
    yield from unusable
    # With a selector that cannot be read, the other kinds look no further.
    if not unusable or controller.kind == "DaemonSet":
        yield from _validate_matching_labels(controller, controller.template)
        yield from _validate_pods(controller, controller.template, features)
    if not unusable or controller.kind in ("DaemonSet", "StatefulSet"):
        yield from _validate_always(controller.kind, controller.template)
    if controller.selector is None and controller.kind != "DaemonSet":
        yield required(_SELECTOR)
    elif controller.selector == LabelSelector():
        yield _empty_selector(controller.kind)


def _validate_selector(controller: Controller) -> Iterator[FieldError]:
    """What makes a selector unreadable; a ReplicationController's is not checked."""
    selector = controller.selector
    if selector is None or controller.kind == "ReplicationController":
        return
    errors = list(validate_label_selector(selector, _SELECTOR))
    yield from errors
    if errors and controller.kind != "DaemonSet":
        detail = "" if controller.kind == "StatefulSet" else "invalid label selector"
        yield invalid(_SELECTOR, selector.json(), detail)


def _empty_selector(kind: str) -> FieldError:
    """A selector that would select every pod."""
    if kind == "ReplicationController":
        return required(_SELECTOR)
    return invalid(_SELECTOR, {}, f"empty selector is invalid for {_EMPTY_SELECTOR[kind]}")


def _validate_matching_labels(
    controller: Controller, template: PodTemplate
) -> Iterator[FieldError]:
    """A controller must select its own pods; without a selector it selects none."""
    selector, labels = controller.selector, dict(template.metadata.labels)
    if selector is None or not selector.matches(labels):
        field = ROOT.at(template.path).child("metadata").child("labels")
        yield invalid(field, labels or None, "`selector` does not match template `labels`")


def _validate_pods(
    controller: Controller, template: PodTemplate, features: Features
) -> Iterator[FieldError]:
    """The template; up to v1.33 a StatefulSet is stored with any pod spec."""
    if controller.kind == "StatefulSet" and not features.since(34):
        yield from _validate_template_metadata(template)
    else:
        yield from validate_template(template, features)


def _validate_always(kind: str, template: PodTemplate) -> Iterator[FieldError]:
    """Pods that are kept running must restart always, without a deadline."""
    spec = _template_fields(template.path).spec
    if template.spec.restart_policy != "Always":
        yield not_supported(spec.child("restartPolicy"), template.spec.restart_policy, ("Always",))
    if template.spec.active_deadline_seconds is not None:
        owner = "ReplicaSet" if kind == "Deployment" else kind
        detail = f"activeDeadlineSeconds in {owner} is not Supported"
        yield forbidden(spec.child("activeDeadlineSeconds"), detail)


def _validate_words(controller: Controller) -> Iterator[FieldError]:
    """Strategies and policies; parameters of a rolling update are not looked at."""
    kind, strategy = controller.kind, controller.strategy
    supported = _STRATEGIES.get(kind, (strategy,))
    field = _STRATEGY if kind == "Deployment" else _UPDATE_STRATEGY
    if strategy not in supported and kind == "StatefulSet":
        yield invalid(field, strategy, f"must be '{_ROLLING_UPDATE}' or 'OnDelete'")
    elif strategy not in supported:
        yield not_supported(field, strategy, supported)
    if kind == "Deployment" and strategy == "Recreate" and controller.rolling_update:
        detail = "may not be specified when strategy `type` is 'Recreate'"
        yield forbidden(field.child("rollingUpdate"), detail)
    policy = controller.pod_management_policy
    if kind == "StatefulSet" and policy not in _POD_MANAGEMENT_POLICIES:
        detail = "must be 'OrderedReady' or 'Parallel'"
        yield invalid(_SPEC.child("podManagementPolicy"), policy, detail)
