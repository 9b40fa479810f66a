"""A PodSpec's JSON as a Pod, typed as the API server's decoder types it.

Mirrors the fields of `staging/src/k8s.io/api/core/v1/types.go PodSpec` that a Pod keeps. Fields
that it does not keep are not looked at, so they never refuse a pod.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from qoslint.kernel.jsonvalue import (
    each,
    int32,
    int64,
    items,
    mapping,
    optional_mapping,
    optional_string,
    string,
    string_map,
    strings,
)
from qoslint.kernel.metadata import MIRROR_ANNOTATION
from qoslint.kernel.pod import (
    Container,
    ContainerType,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    Path,
    Pod,
    ResizePolicy,
    ResourceClaim,
    ResourceList,
    Resources,
    Toleration,
    Volume,
)
from qoslint.kernel.resourcelist import decode_quantity, decode_resource_list

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
_NO_ANNOTATIONS: Mapping[str, str] = MappingProxyType({})


def decode_pod_spec(spec: object, annotations: Mapping[str, str] = _NO_ANNOTATIONS) -> Pod:
    """The pod that a PodSpec describes, as authored: nothing is defaulted.

    Of the pod's annotations only the mirror pod's has an effect. DecodeError, with its path in the
    spec, for the first value that cannot be read.
    """
    data = mapping(spec, ())
    affinity = mapping(data.get("affinity"), ("affinity",))
    return Pod(
        containers=each(data, "containers", _container),
        init_containers=each(data, "initContainers", _container),
        ephemeral_containers=_names(data, "ephemeralContainers"),
        resources=_pod_resources(data),
        overhead=_overhead(data),
        priority_class_name=string(data, "priorityClassName"),
        priority=int32(data, "priority"),
        preemption_policy=optional_string(data, "preemptionPolicy"),
        runtime_class_name=optional_string(data, "runtimeClassName"),
        restart_policy=string(data, "restartPolicy") or "Always",
        node_selector=tuple(sorted(string_map(data, "nodeSelector").items())),
        tolerations=decode_tolerations(data, ()),
        required_node_affinity=_required_node_affinity(affinity),
        cross_namespace_affinity=any(list(_other_namespaces(affinity))),
        volumes=each(data, "volumes", _volume),
        resource_claims=_names(data, "resourceClaims"),
        os=_os(data),
        termination_grace_period_seconds=int64(data, "terminationGracePeriodSeconds"),
        active_deadline_seconds=int64(data, "activeDeadlineSeconds"),
        node_name=string(data, "nodeName"),
        mirror=MIRROR_ANNOTATION in annotations,
    )


def decode_tolerations(data: Mapping[str, object], path: Path) -> tuple[Toleration, ...]:
    """The `tolerations` of the object at `path`; DecodeError for what cannot be read."""
    return each(data, "tolerations", _toleration, path)


def _container(value: object, path: Path) -> Container:
    data = mapping(value, path)
    restart_policy = optional_string(data, "restartPolicy", path)
    init = path[0] == "initContainers"
    init_type = ContainerType.SIDECAR if restart_policy == "Always" else ContainerType.INIT
    return Container(
        name=string(data, "name", path),
        type=init_type if init else ContainerType.CONTAINER,
        resources=_resources(data.get("resources"), (*path, "resources")),
        image=string(data, "image", path),
        restart_policy=restart_policy,
        resize_policy=each(data, "resizePolicy", _resize_policy, path),
        protocols=each(data, "ports", _protocol, path),
    )


def _overhead(data: Mapping[str, object]) -> ResourceList | None:
    return None if data.get("overhead") is None else decode_resource_list(data, "overhead")


def _resources(value: object, path: Path) -> Resources:
    if value is None:
        return Resources()
    data = mapping(value, path)
    return Resources(
        requests=decode_resource_list(data, "requests", path),
        limits=decode_resource_list(data, "limits", path),
        claims=each(data, "claims", _claim, path),
    )


def _pod_resources(data: Mapping[str, object]) -> Resources | None:
    value = data.get("resources")
    return None if value is None else _resources(value, ("resources",))


def _claim(value: object, path: Path) -> ResourceClaim:
    data = mapping(value, path)
    name = string(data, "name", path)
    return ResourceClaim(name, string(data, "request", path))


def _resize_policy(value: object, path: Path) -> ResizePolicy:
    data = mapping(value, path)
    return ResizePolicy(
        string(data, "resourceName", path),
        string(data, "restartPolicy", path),
    )


def _protocol(value: object, path: Path) -> str:
    return string(mapping(value, path), "protocol", path)


def _names(data: Mapping[str, object], key: str) -> tuple[str, ...]:
    return each(data, key, _name)


def _name(value: object, path: Path) -> str:
    return string(mapping(value, path), "name", path)


def _os(data: Mapping[str, object]) -> str | None:
    os = optional_mapping(data.get("os"), ("os",))
    return None if os is None else string(os, "name", ("os",))


def _toleration(value: object, path: Path) -> Toleration:
    data = mapping(value, path)
    return Toleration(
        key=string(data, "key", path),
        operator=string(data, "operator", path),
        value=string(data, "value", path),
        effect=string(data, "effect", path),
        toleration_seconds=int64(data, "tolerationSeconds", path),
    )


def _volume(value: object, path: Path) -> Volume:
    data = mapping(value, path)
    name = string(data, "name", path)
    source = next((key for key, item in data.items() if key != "name" and item is not None), "")
    if source != "emptyDir":
        return Volume(name, source)
    where = (*path, "emptyDir")
    empty_dir = mapping(data["emptyDir"], where)
    limit = empty_dir.get("sizeLimit")
    return Volume(
        name,
        source,
        medium=string(empty_dir, "medium", where),
        size_limit=None if limit is None else decode_quantity(empty_dir, "sizeLimit", where),
    )


def _required_node_affinity(affinity: Mapping[str, object]) -> tuple[NodeSelectorTerm, ...] | None:
    if not affinity:
        return None
    path: Path = ("affinity", "nodeAffinity")
    node_affinity = mapping(affinity.get("nodeAffinity"), path)
    path = (*path, _REQUIRED)
    required = optional_mapping(node_affinity.get(_REQUIRED), path)
    if required is None:
        return None
    return each(required, "nodeSelectorTerms", _node_selector_term, path)


def _node_selector_term(value: object, path: Path) -> NodeSelectorTerm:
    data = mapping(value, path)
    return NodeSelectorTerm(
        each(data, "matchExpressions", _node_requirement, path),
        each(data, "matchFields", _node_requirement, path),
    )


def _node_requirement(value: object, path: Path) -> NodeSelectorRequirement:
    data = mapping(value, path)
    return NodeSelectorRequirement(
        string(data, "key", path),
        string(data, "operator", path),
        strings(data, "values", path),
    )


def _other_namespaces(affinity: Mapping[str, object]) -> Iterator[bool]:
    """Whether each term of pod affinity and anti-affinity looks into other namespaces.

    `pkg/quota/v1/evaluator/core/pods.go usesCrossNamespacePodAffinity`.
    """
    for kind in ("podAffinity", "podAntiAffinity") if affinity else ():
        path: Path = ("affinity", kind)
        data = mapping(affinity.get(kind), path)
        for where, item in items(data, _REQUIRED, path):
            yield _names_namespaces(mapping(item, where))
        for where, item in items(data, _PREFERRED, path):
            inner = (*where, "podAffinityTerm")
            yield _names_namespaces(mapping(mapping(item, where).get("podAffinityTerm"), inner))


def _names_namespaces(term: Mapping[str, object]) -> bool:
    return bool(term.get("namespaces")) or term.get("namespaceSelector") is not None
