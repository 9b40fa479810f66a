"""Containers: names, images, resources, restart and resize policies.

Mirrors `pkg/apis/core/validation/validation.go` (validateContainers, validateInitContainers,
validateContainerCommon, validateContainerPorts, validateResizePolicy).
"""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.kernel.features import Features
from qoslint.kernel.pod import CPU, MEMORY, Container, ContainerType, Pod
from qoslint.kernel.validation.field import (
    Field,
    FieldError,
    duplicate,
    forbidden,
    invalid,
    not_supported,
    required,
)
from qoslint.kernel.validation.names import is_dns1123_label
from qoslint.kernel.validation.resources import (
    are_valid_resources,
    validate_resource_requirements,
)

_RESIZE_RESOURCES = (CPU, MEMORY)
_NOT_REQUIRED = "NotRequired"
_RESTART_CONTAINER = "RestartContainer"
_RESIZE_POLICIES = (_NOT_REQUIRED, _RESTART_CONTAINER)
_PORT_PROTOCOLS = ("SCTP", "TCP", "UDP")
_RESTART_POLICIES = ("Always", "Never", "OnFailure")


def validate_containers(pod: Pod, features: Features, spec: Field) -> Iterator[FieldError]:
    """What is wrong with the containers of all types, of a pod or of a template."""
    containers, init_containers = spec.child("containers"), spec.child("initContainers")
    if not pod.containers:
        yield required(containers)
    names: set[str] = set()
    for index, container in enumerate(pod.containers):
        field = containers.item(index)
        yield from _validate_container(container, pod, features, field)
        if container.name in names:
            yield duplicate(field.child("name"), container.name)
        names.add(container.name)
    names.discard("")
    for index, container in enumerate(pod.init_containers):
        field = init_containers.item(index)
        yield from _validate_container(container, pod, features, field)
        if container.name and container.name in names:
            yield duplicate(field.child("name"), container.name)
        names.add(container.name)


def _validate_container(
    container: Container, pod: Pod, features: Features, field: Field
) -> Iterator[FieldError]:
    if not container.name:
        yield required(field.child("name"))
    else:
        for message in is_dns1123_label(container.name):
            yield invalid(field.child("name"), container.name, message)
    if not container.image:
        yield required(field.child("image"))
    for index, protocol in enumerate(container.protocols):
        if protocol and protocol not in _PORT_PROTOCOLS:
            where = field.child("ports").item(index).child("protocol")
            yield not_supported(where, protocol, _PORT_PROTOCOLS)
    if not are_valid_resources(container.resources, pod.resource_claims):
        claims, resources = frozenset(pod.resource_claims), field.child("resources")
        yield from validate_resource_requirements(container.resources, claims, resources)
    if container.resize_policy:
        yield from _validate_resize_policy(container, pod, features, field.child("resizePolicy"))
    if container.restart_policy is not None:
        policy = container.restart_policy
        where = field.child("restartPolicy")
        yield from _validate_restart_policy(policy, container.type, features, where)


def _validate_restart_policy(
    policy: str, kind: ContainerType, features: Features, field: Field
) -> Iterator[FieldError]:
    """A container's own policy: any of three since v1.35, before only `Always` of a sidecar."""
    if features.on("ContainerRestartRules"):
        if policy not in _RESTART_POLICIES:
            yield not_supported(field, policy, _RESTART_POLICIES)
    elif kind is ContainerType.CONTAINER:
        yield forbidden(field, "may not be set for non-init containers")
    elif policy != "Always":
        yield not_supported(field, policy, ("Always",))


def _validate_resize_policy(
    container: Container, pod: Pod, features: Features, field: Field
) -> Iterator[FieldError]:
    seen: set[str] = set()
    for index, policy in enumerate(container.resize_policy):
        where = field.item(index)
        if policy.resource_name in seen:
            yield duplicate(where, policy.resource_name)
        seen.add(policy.resource_name)
        yield from _validate_word(policy.resource_name, _RESIZE_RESOURCES, where, field)
        yield from _validate_word(policy.restart_policy, _RESIZE_POLICIES, where, field)
        if pod.restart_policy == "Never" and policy.restart_policy != _NOT_REQUIRED:
            subject = "pod `restartPolicy`" if features.since(36) else "`restartPolicy`"
            detail = f"must be 'NotRequired' when {subject} is 'Never'"
            yield invalid(where.printed_as(field), policy.restart_policy, detail)
        if features.since(36) and container.type is ContainerType.INIT:
            yield from _validate_plain_init(policy.restart_policy, where.child("restartPolicy"))


def _validate_word(
    word: str, supported: tuple[str, ...], item: Field, field: Field
) -> Iterator[FieldError]:
    if not word:
        yield required(item.printed_as(field))
    elif word not in supported:
        yield not_supported(item.printed_as(field), word, supported)


def _validate_plain_init(policy: str, field: Field) -> Iterator[FieldError]:
    if policy == _RESTART_CONTAINER:
        detail = "must not be set to 'RestartContainer' for non-sidecar initContainers"
        yield invalid(field, policy, detail)
