"""Injectors: what a mutating webhook adds to which pods, as data.

The shipped ones are `qoslint/data/injectors/*.yaml`; settings and plugins add their own.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from qoslint.kernel.pod import ContainerType, ResourceList, Resources
from qoslint.kernel.quantity import Quantity, QuantityError, from_json
from qoslint.model.kinds import Pattern, pattern
from qoslint.model.objects import KubeObject
from qoslint.model.selector import Selector, requirement
from qoslint.package_data import data
from qoslint.schema import Json
from qoslint.source.document import load
from qoslint.span import Path, value_at

Field: TypeAlias = tuple[str, str]
"""A value of a container's size: `requests` or `limits`, and the resource."""


class InjectorError(ValueError):
    """A value of a profile that cannot be; the message reads on from the path of the value."""

    def __init__(self, path: Path, message: str) -> None:
        """Name the value by its path in the profile."""
        super().__init__(message)
        self.path = path
        self.message = message


class Condition(NamedTuple):
    """What a pod and its namespace must be like; everything that is given must hold."""

    labels: Selector = ()
    annotations: Selector = ()
    namespace_labels: Selector = ()
    namespace_annotations: Selector = ()
    namespaces: tuple[str, ...] = ()
    containers: tuple[str, ...] = ()
    host_network: bool | None = None


class SelectionRule(NamedTuple):
    """Whether pods of a condition are acted upon."""

    inject: bool
    condition: Condition


class Unclear(NamedTuple):
    """Pods that are acted upon in a way that is not known, and why, as a clause."""

    condition: Condition
    because: str


class Values(NamedTuple):
    """Objects that hold the size of a container, under the path `resources`.

    `drops_list`: a value there leaves none of the default requests, or limits. Without an object
    that is `required` nothing is known of the size. `named_by` is an annotation that may name the
    object, as `name` or `namespace/name`.
    """

    group: str
    kind: str
    resources: Pattern
    where: tuple[tuple[Pattern, str], ...] = ()
    same_namespace: bool = False
    required: bool = False
    drops_list: bool = False
    named_by: str = ""

    def holds(self, thing: KubeObject) -> bool:
        """Whether the object may hold the size."""
        same = (thing.group, thing.kind) == (self.group, self.kind)
        return same and all(value_at(thing.data, path) == text for path, text in self.where)


class InjectedContainer(NamedTuple):
    """A container that an injector adds, if one of the conditions holds or there are none.

    `drops_all`: one annotation is enough to leave none of the default sizes.
    """

    name: str
    type: ContainerType
    first: bool
    merges: bool
    when: tuple[Condition, ...]
    resources: Resources
    annotations: tuple[tuple[str, Field], ...]
    drops_all: bool
    values: tuple[Values, ...]

    def annotation(self, field: Field) -> str | None:
        """The annotation that sets the field, if there is one."""
        return next((key for key, sets in self.annotations if sets == field), None)


@dataclass(frozen=True, slots=True, eq=False)
class Injector:
    """An injector profile; `inherits` names the annotations that count on the namespace too."""

    name: str
    product: str
    selection: tuple[SelectionRule, ...]
    unclear: tuple[Unclear, ...]
    containers: tuple[InjectedContainer, ...]
    priority_class_name: str
    inherits: tuple[str, ...]
    ignores_unreadable: bool
    empty_unsets: bool

    @property
    def values(self) -> frozenset[Values]:
        """Where objects hold sizes of its containers."""
        return frozenset(values for each in self.containers for values in each.values)


def known_injectors(extra: Iterable[Mapping[str, Json]] = ()) -> Mapping[str, Injector]:
    """The shipped injectors by name, and those of the `extra` profiles, which win.

    The extra profiles are valid by `schemas/injector.schema.json`. Raises InjectorError.
    """
    own = map(read_injector, extra)
    return MappingProxyType({each.name: each for each in (*_shipped(), *own)})


@functools.cache
def _shipped() -> tuple[Injector, ...]:
    return tuple(map(_read_file, sorted(data("injectors").glob("*.yaml"))))


def _read_file(page: Json) -> Injector:
    profile: Json = load(page.read_text("utf-8"))
    return read_injector(profile)


def read_injector(profile: Mapping[str, Json]) -> Injector:
    """The injector of a profile that is valid by its schema; raises InjectorError."""
    return Injector(
        name=profile["name"],
        product=profile.get("product", profile["name"]),
        selection=tuple(SelectionRule(e["inject"], _condition(e)) for e in profile["selection"]),
        unclear=tuple(Unclear(_condition(e), e["because"]) for e in profile.get("unclear", ())),
        containers=tuple(
            _container(entry, ("containers", index))
            for index, entry in enumerate(profile["containers"])
        ),
        priority_class_name=profile.get("priorityClassName", ""),
        inherits=tuple(profile.get("inherits", ())),
        ignores_unreadable=profile.get("unreadable") == "ignored",
        empty_unsets=profile.get("empty") == "unset",
    )


def _condition(entry: Mapping[str, Json]) -> Condition:
    def selector(key: str) -> Selector:
        return tuple(map(requirement, entry.get(key, ())))

    return Condition(
        labels=selector("labels"),
        annotations=selector("annotations"),
        namespace_labels=selector("namespaceLabels"),
        namespace_annotations=selector("namespaceAnnotations"),
        namespaces=tuple(entry.get("namespaces", ())),
        containers=tuple(entry.get("containers", ())),
        host_network=entry.get("hostNetwork"),
    )


def _container(entry: Mapping[str, Json], path: Path) -> InjectedContainer:
    init = entry["in"] == "initContainers"
    sidecar = entry.get("restartPolicy") == "Always"
    if sidecar and not init:
        raise InjectorError((*path, "restartPolicy"), "makes a sidecar only of an init container")
    init_type = ContainerType.SIDECAR if sidecar else ContainerType.INIT
    where = (*path, "resources")
    resources = entry.get("resources", {})
    return InjectedContainer(
        name=entry["name"],
        type=init_type if init else ContainerType.CONTAINER,
        first=entry.get("at") == "first",
        merges=entry.get("merges", False),
        when=tuple(map(_condition, entry.get("when", ()))),
        resources=Resources(
            ResourceList(_quantities(resources.get("requests", {}), (*where, "requests"))),
            ResourceList(_quantities(resources.get("limits", {}), (*where, "limits"))),
        ),
        annotations=tuple(_annotations(entry.get("annotations", {}))),
        drops_all=entry.get("drops") == "all",
        values=tuple(map(_values, entry.get("values", ()))),
    )


def _quantities(entries: Mapping[str, Json], path: Path) -> Iterator[tuple[str, Quantity]]:
    for name, value in entries.items():
        try:
            yield name, from_json(value)
        except QuantityError as error:
            raise InjectorError((*path, name), f"is no quantity: {error}") from error


def _annotations(entries: Mapping[str, str]) -> Iterator[tuple[str, Field]]:
    for key, field in entries.items():
        owner, _, resource = field.strip().partition(".")
        yield key, (owner, resource)


def _values(entry: Mapping[str, Json]) -> Values:
    return Values(
        group=entry["group"],
        kind=entry["kind"],
        resources=pattern(entry["resources"]),
        where=tuple((pattern(path), wanted) for path, wanted in entry.get("where", {}).items()),
        same_namespace=entry.get("sameNamespace", False),
        required=entry.get("required", False),
        drops_list=entry.get("drops") == "list",
        named_by=entry.get("namedBy", ""),
    )
