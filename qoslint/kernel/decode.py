"""A PodSpec's JSON as a Pod, typed as the API server's decoder types it.

Mirrors the fields of `staging/src/k8s.io/api/core/v1/types.go PodSpec` that a Pod keeps. Fields
that it does not keep are not looked at, so they never refuse a pod.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from qoslint.kernel.jsonvalue import (
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
    overhead = data.get("overhead")
    return Pod(
        containers=tuple(_containers(data, "containers")),
        init_containers=tuple(_containers(data, "initContainers")),
        ephemeral_containers=_names(data, "ephemeralContainers"),
        resources=_pod_resources(data),
        overhead=None if overhead is None else decode_resource_list(overhead, ("overhead",)),
        priority_class_name=string(data.get("priorityClassName"), ("priorityClassName",)),
        priority=int32(data.get("priority"), ("priority",)),
        preemption_policy=optional_string(data.get("preemptionPolicy"), ("preemptionPolicy",)),
        runtime_class_name=optional_string(data.get("runtimeClassName"), ("runtimeClassName",)),
        restart_policy=string(data.get("restartPolicy"), ("restartPolicy",)) or "Always",
        node_selector=tuple(
            sorted(string_map(data.get("nodeSelector"), ("nodeSelector",)).items())
        ),
        tolerations=decode_tolerations(data.get("tolerations"), ("tolerations",)),
        required_node_affinity=_required_node_affinity(affinity),
        cross_namespace_affinity=any(list(_other_namespaces(affinity))),
        volumes=tuple(
            _volume(item, path) for path, item in items(data.get("volumes"), ("volumes",))
        ),
        resource_claims=_names(data, "resourceClaims"),
        os=_os(data),
        termination_grace_period_seconds=_seconds(data, "terminationGracePeriodSeconds"),
        active_deadline_seconds=_seconds(data, "activeDeadlineSeconds"),
        node_name=string(data.get("nodeName"), ("nodeName",)),
        mirror=MIRROR_ANNOTATION in annotations,
    )


def decode_tolerations(value: object, path: Path) -> tuple[Toleration, ...]:
    """The tolerations at `path`; DecodeError for what cannot be read."""
    return tuple(_toleration(item, where) for where, item in items(value, path))


def _containers(data: Mapping[str, object], key: str) -> Iterator[Container]:
    for path, item in items(data.get(key), (key,)):
        yield _container(mapping(item, path), path, key == "initContainers")


def _container(data: Mapping[str, object], path: Path, init: bool) -> Container:
    restart_policy = optional_string(data.get("restartPolicy"), (*path, "restartPolicy"))
    init_type = ContainerType.SIDECAR if restart_policy == "Always" else ContainerType.INIT
    return Container(
        name=string(data.get("name"), (*path, "name")),
        type=init_type if init else ContainerType.CONTAINER,
        resources=_resources(data.get("resources"), (*path, "resources")),
        image=string(data.get("image"), (*path, "image")),
        restart_policy=restart_policy,
        resize_policy=tuple(
            _resize_policy(item, where)
            for where, item in items(data.get("resizePolicy"), (*path, "resizePolicy"))
        ),
    )


def _resources(value: object, path: Path) -> Resources:
    data = mapping(value, path)
    return Resources(
        requests=decode_resource_list(data.get("requests"), (*path, "requests")),
        limits=decode_resource_list(data.get("limits"), (*path, "limits")),
        claims=tuple(
            _claim(item, where) for where, item in items(data.get("claims"), (*path, "claims"))
        ),
    )


def _pod_resources(data: Mapping[str, object]) -> Resources | None:
    value = data.get("resources")
    return None if value is None else _resources(value, ("resources",))


def _claim(value: object, path: Path) -> ResourceClaim:
    data = mapping(value, path)
    name = string(data.get("name"), (*path, "name"))
    return ResourceClaim(name, string(data.get("request"), (*path, "request")))


def _resize_policy(value: object, path: Path) -> ResizePolicy:
    data = mapping(value, path)
    return ResizePolicy(
        string(data.get("resourceName"), (*path, "resourceName")),
        string(data.get("restartPolicy"), (*path, "restartPolicy")),
    )


def _names(data: Mapping[str, object], key: str) -> tuple[str, ...]:
    return tuple(
        string(mapping(item, path).get("name"), (*path, "name"))
        for path, item in items(data.get(key), (key,))
    )


def _seconds(data: Mapping[str, object], key: str) -> int | None:
    return int64(data.get(key), (key,))


def _os(data: Mapping[str, object]) -> str | None:
    os = optional_mapping(data.get("os"), ("os",))
    return None if os is None else string(os.get("name"), ("os", "name"))


def _toleration(value: object, path: Path) -> Toleration:
    data = mapping(value, path)
    return Toleration(
        key=string(data.get("key"), (*path, "key")),
        operator=string(data.get("operator"), (*path, "operator")),
        value=string(data.get("value"), (*path, "value")),
        effect=string(data.get("effect"), (*path, "effect")),
        toleration_seconds=int64(data.get("tolerationSeconds"), (*path, "tolerationSeconds")),
    )


def _volume(value: object, path: Path) -> Volume:
    data = mapping(value, path)
    name = string(data.get("name"), (*path, "name"))
    source = next((key for key, item in data.items() if key != "name" and item is not None), "")
    if source != "emptyDir":
        return Volume(name, source)
    where = (*path, "emptyDir")
    empty_dir = mapping(data["emptyDir"], where)
    limit = empty_dir.get("sizeLimit")
    return Volume(
        name,
        source,
        medium=string(empty_dir.get("medium"), (*where, "medium")),
        size_limit=None if limit is None else decode_quantity(limit, (*where, "sizeLimit")),
    )


def _required_node_affinity(affinity: Mapping[str, object]) -> tuple[NodeSelectorTerm, ...] | None:
    path: Path = ("affinity", "nodeAffinity")
    node_affinity = mapping(affinity.get("nodeAffinity"), path)
    path = (*path, _REQUIRED)
    required = optional_mapping(node_affinity.get(_REQUIRED), path)
    if required is None:
        return None
    path = (*path, "nodeSelectorTerms")
    terms = items(required.get("nodeSelectorTerms"), path)
    return tuple(_node_selector_term(item, where) for where, item in terms)


def _node_selector_term(value: object, path: Path) -> NodeSelectorTerm:
    data = mapping(value, path)
    expressions, fields = (
        tuple(_node_requirement(item, where) for where, item in items(data.get(key), (*path, key)))
        for key in ("matchExpressions", "matchFields")
    )
    return NodeSelectorTerm(expressions, fields)


def _node_requirement(value: object, path: Path) -> NodeSelectorRequirement:
    data = mapping(value, path)
    return NodeSelectorRequirement(
        string(data.get("key"), (*path, "key")),
        string(data.get("operator"), (*path, "operator")),
        strings(data.get("values"), (*path, "values")),
    )


def _other_namespaces(affinity: Mapping[str, object]) -> Iterator[bool]:
    """Whether each term of pod affinity and anti-affinity looks into other namespaces.

    `pkg/quota/v1/evaluator/core/pods.go usesCrossNamespacePodAffinity`.
    """
    for kind in ("podAffinity", "podAntiAffinity"):
        data = mapping(affinity.get(kind), ("affinity", kind))
        path: Path = ("affinity", kind, _REQUIRED)
        for where, item in items(data.get(_REQUIRED), path):
            yield _names_namespaces(mapping(item, where))
        path = ("affinity", kind, _PREFERRED)
        for where, item in items(data.get(_PREFERRED), path):
            inner = (*where, "podAffinityTerm")
            yield _names_namespaces(mapping(mapping(item, where).get("podAffinityTerm"), inner))


def _names_namespaces(term: Mapping[str, object]) -> bool:
    return bool(term.get("namespaces")) or term.get("namespaceSelector") is not None
