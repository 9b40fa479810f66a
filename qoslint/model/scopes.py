"""Scopes: the objects that decide about the pods of a namespace, read for the kernel.

An object that the API server would refuse cannot exist in a cluster. It is kept apart with what is
wrong with it, so that a rule can tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from qoslint.kernel.features import Features
from qoslint.kernel.limitrange import LimitRange
from qoslint.kernel.outcome import Cause, Stage
from qoslint.kernel.priority import PriorityClass
from qoslint.kernel.quota import ResourceQuota
from qoslint.kernel.runtimeclass import RuntimeClass
from qoslint.kernel.scope import LoadedScope, ObjectError, Scope, load_scope
from qoslint.model.objects import KubeObject
from qoslint.model.placeholders import holding


class InvalidObject(NamedTuple):
    """An object of a scope kind that the API server refuses, or whose values are not known yet."""

    object: KubeObject
    errors: tuple[ObjectError, ...]
    """In Kubernetes' words; the paths lead into the object."""
    unresolved: bool = False
    """Its fields hold placeholders such as `${CPU}`: a missing value rather than a wrong one."""


@dataclass(frozen=True, slots=True, eq=False)
class NamespaceScope:
    """A kernel scope, and in parallel tuples the objects that its records were read from."""

    scope: Scope
    limit_ranges: tuple[KubeObject, ...] = ()
    priority_classes: tuple[KubeObject, ...] = ()
    runtime_classes: tuple[KubeObject, ...] = ()
    quotas: tuple[KubeObject, ...] = ()
    invalid: tuple[InvalidObject, ...] = ()
    """What was left out of the scope."""

    def object_of(self, cause: Cause) -> KubeObject:
        """The object that a kernel cause means."""
        parallel = {
            "LimitRange": self.limit_ranges,
            "PriorityClass": self.priority_classes,
            "RuntimeClass": self.runtime_classes,
            "ResourceQuota": self.quotas,
        }
        return parallel[cause.kind][cause.index]


_API_VERSIONS = {
    "LimitRange": "v1",
    "ResourceQuota": "v1",
    "PriorityClass": "scheduling.k8s.io/v1",
    "RuntimeClass": "node.k8s.io/v1",
}
_CLUSTER_WIDE = frozenset({"Namespace", "PriorityClass", "RuntimeClass"})


def is_scope_object(obj: KubeObject) -> bool:
    """Whether the object decides about the pods of others, in whatever version it is written."""
    api_version = _API_VERSIONS.get(obj.kind)
    return api_version is not None and obj.group == api_version.rpartition("/")[0]


def is_namespaced(kind: str) -> bool:
    """Whether objects of the kind live in a namespace, as all do that make pods."""
    return kind not in _CLUSTER_WIDE


class _Records(NamedTuple):
    """What the kernel reads of one object; one tuple of the four has one record."""

    limit_ranges: tuple[LimitRange, ...]
    priority_classes: tuple[PriorityClass, ...]
    runtime_classes: tuple[RuntimeClass, ...]
    quotas: tuple[ResourceQuota, ...]


class Reader:
    """Reads each scope object once, however many clusters and namespaces it counts in."""

    def __init__(self) -> None:
        """Start with nothing read."""
        self._read: dict[KubeObject, _Records | InvalidObject] = {}

    def scope(
        self, features: Features, objects: Iterable[KubeObject], *, complete: bool
    ) -> NamespaceScope:
        """The scope that these objects make for a namespace; the caller chose those that count."""
        things = tuple(objects)
        read = [self._records(thing, features) for thing in things]
        valid = [
            (thing, each)
            for thing, each in zip(things, read, strict=True)
            if not isinstance(each, InvalidObject)
        ]
        scope = Scope(
            features,
            tuple(record for _, each in valid for record in each.limit_ranges),
            tuple(record for _, each in valid for record in each.priority_classes),
            tuple(record for _, each in valid for record in each.runtime_classes),
            tuple(record for _, each in valid for record in each.quotas),
            complete,
        )
        return NamespaceScope(
            scope,
            limit_ranges=tuple(thing for thing, each in valid if each.limit_ranges),
            priority_classes=tuple(thing for thing, each in valid if each.priority_classes),
            runtime_classes=tuple(thing for thing, each in valid if each.runtime_classes),
            quotas=tuple(thing for thing, each in valid if each.quotas),
            invalid=tuple(each for each in read if isinstance(each, InvalidObject)),
        )

    def _records(self, thing: KubeObject, features: Features) -> _Records | InvalidObject:
        if thing not in self._read:
            self._read[thing] = _records(thing, features)
        return self._read[thing]


def _records(thing: KubeObject, features: Features) -> _Records | InvalidObject:
    # An old version was dropped from the server long ago; the sentence is kubectl's.
    if thing.api_version != _API_VERSIONS[thing.kind]:
        message = f'no matches for kind "{thing.kind}" in version "{thing.api_version}"'
        error = ObjectError(thing.kind, 0, Stage.DECODE, message, ("apiVersion",))
        return InvalidObject(thing, (error,))
    unresolved = tuple(_unresolved(thing))
    if unresolved:
        return InvalidObject(thing, unresolved, unresolved=True)
    loaded = _loaded(thing, features)
    if loaded.errors:
        return InvalidObject(thing, loaded.errors)
    scope = loaded.scope
    return _Records(scope.limit_ranges, scope.priority_classes, scope.runtime_classes, scope.quotas)


def _unresolved(thing: KubeObject) -> Iterator[ObjectError]:
    message = "A placeholder stands where the value will be."
    for key, value in thing.data.items():
        if key != "metadata":
            for path in holding(value, (key,)):
                yield ObjectError(thing.kind, 0, Stage.DECODE, message, path)


def _loaded(thing: KubeObject, features: Features) -> LoadedScope:
    match thing.kind:
        case "LimitRange":
            return load_scope(features, limit_ranges=[thing.data])
        case "PriorityClass":
            return load_scope(features, priority_classes=[thing.data])
        case "RuntimeClass":
            return load_scope(features, runtime_classes=[thing.data])
    return load_scope(features, quotas=[thing.data])
