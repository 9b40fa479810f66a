"""Sizes of injected containers: the default, values of the repository, annotations of the pod."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from qoslint.kernel.pod import ResourceList, Resources
from qoslint.kernel.quantity import Quantity, QuantityError, from_json, parse
from qoslint.model.injector import Field, InjectedContainer, Injector, Values
from qoslint.model.objects import KubeObject, mapping
from qoslint.model.placeholders import holding
from qoslint.span import value_at

MOST_OBJECTS = 100
"""More are not looked through: each is looked at for each pod."""

_LISTS = ("requests", "limits")


class UnclearSizeError(ValueError):
    """The size of a container is not known; the message says why, as a clause."""


class Sizing(NamedTuple):
    """What sizes depend on beside the profile."""

    annotations: Mapping[str, str]
    namespace: str
    objects: Mapping[Values, tuple[KubeObject, ...]]
    """The objects of the cluster that may hold sizes, and of which."""


def size(container: InjectedContainer, injector: Injector, sizing: Sizing) -> Resources:
    """The requests and limits that the container gets; raises UnclearSizeError."""
    sizes: dict[Field, Quantity] = {
        (key, name): quantity
        for key, quantities in zip(_LISTS, container.resources[:2], strict=True)
        for name, quantity in quantities.items()
    }
    for values in container.values:
        sizes = _from_objects(sizes, values, sizing)
    given = {key: field for key, field in container.annotations if key in sizing.annotations}
    if given and container.drops_all:
        sizes = {}
    for key, field in given.items():
        _annotated(sizes, key, field, injector, sizing.annotations[key])
    return Resources(_list(sizes, "requests"), _list(sizes, "limits"))


def _list(sizes: Mapping[Field, Quantity], wanted: str) -> ResourceList:
    return ResourceList(
        (name, quantity) for (key, name), quantity in sizes.items() if key == wanted
    )


def _annotated(
    sizes: dict[Field, Quantity], key: str, field: Field, injector: Injector, value: str
) -> None:
    if value == "" and injector.empty_unsets:
        sizes.pop(field, None)
        return
    try:
        sizes[field] = parse(value)
    except QuantityError as error:
        if next(holding(value), None) is not None or not injector.ignores_unreadable:
            raise UnclearSizeError(f"annotation {key} is no quantity") from error


def _from_objects(
    sizes: dict[Field, Quantity], values: Values, sizing: Sizing
) -> dict[Field, Quantity]:
    objects = list(_objects(values, sizing))
    if not objects and values.required:
        raise UnclearSizeError(f"its size stands in {_article(values.kind)} that is not known")
    found = [_overridden(sizes, values, thing) for thing in objects]
    if any(each != found[0] for each in found):
        names = " and ".join(thing.name for thing in objects[:2])
        raise UnclearSizeError(f"{values.kind} {names} give it different sizes")
    return found[0] if found else sizes


def _article(kind: str) -> str:
    return f"an {kind}" if kind[:1] in "AEIOU" else f"a {kind}"


def _objects(values: Values, sizing: Sizing) -> Iterator[KubeObject]:
    named = sizing.annotations.get(values.named_by, "true")
    by_name = named.lower() != "true"
    namespace, _, name = named.rpartition("/")
    candidates = sizing.objects.get(values, ())
    if len(candidates) > MOST_OBJECTS:
        raise UnclearSizeError(f"more than {MOST_OBJECTS} {values.kind}s may hold its size")
    for thing in candidates:
        wanted = (namespace or sizing.namespace) if by_name else sizing.namespace
        if values.same_namespace and thing.namespace not in (None, wanted):
            continue
        if not by_name or thing.name == name:
            yield thing


def _overridden(
    sizes: dict[Field, Quantity], values: Values, thing: KubeObject
) -> dict[Field, Quantity]:
    """The sizes with those of the object on top; a null takes a value away."""
    block = mapping(value_at(thing.data, values.resources))
    merged = dict(sizes)
    for key in _LISTS:
        entries = block.get(key)
        if not isinstance(entries, dict):
            continue
        if values.drops_list:
            merged = {field: each for field, each in merged.items() if field[0] != key}
        for name, value in entries.items():
            merged.pop((key, name), None)
            if value is not None:
                merged[key, name] = _quantity(value, thing)
    return merged


def _quantity(value: object, thing: KubeObject) -> Quantity:
    try:
        return from_json(value)
    except QuantityError as error:
        message = f"{thing.kind} {thing.name} gives it a size that is no quantity"
        raise UnclearSizeError(message) from error
