"""Pods and pod specs, as far as a Pod record holds them.

Mirrors `pkg/apis/core/validation/validation.go` (ValidatePodCreate, ValidatePodSpec). What is not
modelled (most of ports and volumes, probes, security contexts) is never complained about.
"""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.kernel.features import Features
from qoslint.kernel.pod import Pod
from qoslint.kernel.priority import validate_preemption_policy
from qoslint.kernel.validation.containers import validate_containers
from qoslint.kernel.validation.field import (
    POD_SPEC,
    Field,
    FieldError,
    forbidden,
    invalid,
    not_supported,
    required,
)
from qoslint.kernel.validation.labels import validate_labels
from qoslint.kernel.validation.names import is_dns1123_subdomain
from qoslint.kernel.validation.podresources import validate_pod_resources
from qoslint.kernel.validation.resources import validate_overhead

_RESTART_POLICIES = ("Always", "OnFailure", "Never")
_OPERATING_SYSTEMS = ("linux", "windows")
_MAX_INT32 = 2**31 - 1
# What Go's strings.TrimSpace trims.
_SPACES = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)


def validate_pod(pod: Pod, features: Features) -> Iterator[FieldError]:
    """What the API server finds wrong with the spec of a pod that is created."""
    yield from validate_pod_spec(pod, features, POD_SPEC)
    for path, container in pod.containers_with_paths():
        if container.image != container.image.strip(_SPACES):
            field = POD_SPEC.at(path).child("image")
            yield invalid(field, container.image, "must not have leading or trailing whitespace")
    if pod.ephemeral_containers:
        yield forbidden(POD_SPEC.child("ephemeralContainers"), "cannot be set on create")


def validate_pod_spec(pod: Pod, features: Features, spec: Field) -> Iterator[FieldError]:
    """What is wrong with the spec of a pod or of a pod template."""
    yield from validate_containers(pod, features, spec)
    yield from validate_pod_resources(pod, features, spec)
    if pod.restart_policy not in _RESTART_POLICIES:
        yield not_supported(spec.child("restartPolicy"), pod.restart_policy, _RESTART_POLICIES)
    if pod.node_selector:
        yield from validate_labels(pod.node_selector, spec.child("nodeSelector"))
    yield from _validate_active_deadline(pod, spec)
    yield from _validate_names(pod, spec)
    if pod.preemption_policy is not None:
        field = spec.child("preemptionPolicy")
        yield from validate_preemption_policy(pod.preemption_policy, field)
    if pod.overhead is not None:
        yield from validate_overhead(pod.overhead, spec.child("overhead"))
    yield from _validate_os(pod, spec)
    yield from _validate_volumes(pod, spec)


def _validate_active_deadline(pod: Pod, spec: Field) -> Iterator[FieldError]:
    seconds = pod.active_deadline_seconds
    if seconds is not None and not 1 <= seconds <= _MAX_INT32:
        field = spec.child("activeDeadlineSeconds")
        yield invalid(field, seconds, f"must be between 1 and {_MAX_INT32}, inclusive")


def _validate_names(pod: Pod, spec: Field) -> Iterator[FieldError]:
    names = (
        ("nodeName", pod.node_name or None),
        ("priorityClassName", pod.priority_class_name or None),
        ("runtimeClassName", pod.runtime_class_name),
    )
    for key, name in names:
        if name is not None:
            for message in is_dns1123_subdomain(name):
                yield invalid(spec.child(key), name, message)


def _validate_os(pod: Pod, spec: Field) -> Iterator[FieldError]:
    if pod.os == "":
        yield required(spec.child("os").child("name"), "cannot be empty")
    elif pod.os is not None and pod.os not in _OPERATING_SYSTEMS:
        yield not_supported(spec.child("os"), pod.os, _OPERATING_SYSTEMS)


def _validate_volumes(pod: Pod, spec: Field) -> Iterator[FieldError]:
    for index, volume in enumerate(pod.volumes):
        if volume.size_limit is not None and volume.size_limit.sign < 0:
            where = spec.child("volumes").item(index).child("emptyDir").child("sizeLimit")
            yield forbidden(where, "SizeLimit field must be a valid resource quantity")
