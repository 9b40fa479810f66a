"""What scales workloads: between how many and how many pods.

`staging/src/k8s.io/api/autoscaling/v2/types.go HorizontalPodAutoscalerSpec`, and the ScaledObject
of KEDA, `apis/keda/v1alpha1/scaledobject_types.go`, which makes a HorizontalPodAutoscaler.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from qoslint.kernel.amount import MAX_INT32
from qoslint.model.objects import KubeObject, mapping, text
from qoslint.span import Path

Name: TypeAlias = tuple[str, str, str]
"""Namespace, kind and name of a workload."""


class Scaler(NamedTuple):
    """An object that sets the replicas of a workload. No number that it states is negative."""

    object: KubeObject
    target: tuple[str, str]
    """Kind and name, in its own namespace."""
    least: int
    """The fewest pods that it leaves; 0 where that is not known."""
    most: int | None
    """The most that it asks for; None where that is not known."""
    path: Path
    """Where it states the most."""


class _Fields(NamedTuple):
    least: str
    default_least: int
    most: str
    default_most: int | None
    default_kind: str = ""


_FIELDS: Mapping[tuple[str, str], _Fields] = MappingProxyType(
    {
        ("autoscaling", "HorizontalPodAutoscaler"): _Fields("minReplicas", 1, "maxReplicas", None),
        ("keda.sh", "ScaledObject"): _Fields(
            "minReplicaCount", 0, "maxReplicaCount", 100, "Deployment"
        ),
    }
)

SCALER_KINDS = tuple(_FIELDS)
"""By API group and kind."""


def scalers(objects: Iterable[KubeObject], namespace: str) -> Mapping[Name, list[Scaler]]:
    """What scales each workload; `namespace` is that of objects that name none."""
    found: dict[Name, list[Scaler]] = {}
    for thing in objects:
        scaler = _scaler(thing)
        found.setdefault((thing.namespace or namespace, *scaler.target), []).append(scaler)
    return found


def _scaler(thing: KubeObject) -> Scaler:
    fields = _FIELDS[thing.group, thing.kind]
    spec = mapping(thing.data.get("spec"))
    target = mapping(spec.get("scaleTargetRef"))
    kind = text(target.get("kind")) or fields.default_kind
    fewest = [_number(spec.get(fields.least, fields.default_least)) or 0]
    if "idleReplicaCount" in spec:
        fewest.append(_number(spec["idleReplicaCount"]) or 0)
    return Scaler(
        object=thing,
        target=(kind, text(target.get("name"))),
        least=min(fewest),
        most=_number(spec.get(fields.most, fields.default_most)),
        path=("spec", fields.most),
    )


def _number(value: object) -> int | None:
    """The number of pods; None if it is none, or none that fits the int32 of the field."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_INT32:
        return value
    return None
