"""LimitRange objects: read, defaulted and validated. What they do to pods is `limitranger`.

Mirrors `pkg/apis/core/v1/defaults.go SetDefaults_LimitRangeItem` and
`pkg/apis/core/validation/validation.go ValidateLimitRange` (unchanged in v1.31 to v1.36).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from qoslint.kernel.jsonvalue import each, mapping, string
from qoslint.kernel.metadata import ObjectMeta, decode_object_meta, validate_object_meta
from qoslint.kernel.pod import NO_RESOURCES, Path, ResourceList
from qoslint.kernel.quantity import MAX_MILLI_VALUE, Quantity
from qoslint.kernel.resourcelist import decode_resource_list
from qoslint.kernel.validation.field import (
    ROOT,
    Field,
    FieldError,
    duplicate,
    forbidden,
    invalid,
    required,
)
from qoslint.kernel.validation.names import is_dns1123_subdomain, is_qualified_name
from qoslint.kernel.validation.resources import (
    container_resource_name_errors,
    is_overcommit_allowed,
    resource_name_errors,
)

CONTAINER = "Container"
POD = "Pod"
PERSISTENT_VOLUME_CLAIM = "PersistentVolumeClaim"

_ONE = 10**9


@dataclass(frozen=True, slots=True)
class LimitRangeItem:
    """An item of `spec.limits` after defaulting; the two `given_` lists are as authored."""

    type: str
    max: ResourceList = NO_RESOURCES
    min: ResourceList = NO_RESOURCES
    default: ResourceList = NO_RESOURCES
    default_request: ResourceList = NO_RESOURCES
    max_limit_request_ratio: ResourceList = NO_RESOURCES
    given_default: ResourceList = NO_RESOURCES
    given_default_request: ResourceList = NO_RESOURCES

    def default_source(self, name: str) -> str:
        """The authored key that the default limit of a resource came from."""
        return "default" if name in self.given_default else "max"

    def default_request_source(self, name: str) -> str:
        """The authored key that the default request of a resource came from."""
        if name in self.given_default_request:
            return "defaultRequest"
        return self.default_source(name) if name in self.default else "min"


@dataclass(frozen=True, slots=True)
class LimitRange:
    """A LimitRange as the API server stores it."""

    metadata: ObjectMeta
    limits: tuple[LimitRangeItem, ...] = ()


def decode_limit_range(data: object) -> LimitRange:
    """The LimitRange of a JSON object, defaulted; DecodeError for what cannot be read."""
    root = mapping(data, ())
    spec = mapping(root.get("spec"), ("spec",))
    return LimitRange(
        decode_object_meta(root.get("metadata"), ("metadata",)),
        each(spec, "limits", _decode_item, ("spec",)),
    )


def _decode_item(value: object, path: Path) -> LimitRangeItem:
    data = mapping(value, path)

    def resources(key: str) -> ResourceList:
        return decode_resource_list(data, key, path).rounded_up()

    item = LimitRangeItem(
        type=string(data, "type", path),
        max=resources("max"),
        min=resources("min"),
        given_default=resources("default"),
        given_default_request=resources("defaultRequest"),
        max_limit_request_ratio=resources("maxLimitRequestRatio"),
    )
    return _set_defaults(item)


def _set_defaults(item: LimitRangeItem) -> LimitRangeItem:
    """Fill the defaults of a container's item (`SetDefaults_LimitRangeItem`).

    A missing default takes max; a missing default request takes the default, else min.
    """
    default, default_request = item.given_default, item.given_default_request
    if item.type == CONTAINER:
        default = item.max.with_items(default)
        default_request = item.min.with_items(default).with_items(default_request)
    return replace(item, default=default, default_request=default_request)


def validate_limit_range(limit_range: LimitRange) -> Iterator[FieldError]:
    """What is wrong with a LimitRange; none could exist with it."""
    yield from validate_object_meta(
        limit_range.metadata, ROOT.child("metadata"), is_dns1123_subdomain
    )
    field = ROOT.child("spec").child("limits")
    types: set[str] = set()
    for index, item in enumerate(limit_range.limits):
        where = field.item(index)
        yield from _validate_type(item.type, where.child("type"))
        if item.type in types:
            yield duplicate(where.child("type"), item.type)
        types.add(item.type)
        yield from _validate_item(item, where)


def _validate_type(name: str, field: Field) -> Iterator[FieldError]:
    syntax = [invalid(field, name, message) for message in is_qualified_name(name)]
    yield from syntax
    if not syntax and "/" not in name and name not in (CONTAINER, POD, PERSISTENT_VOLUME_CLAIM):
        yield invalid(field, name, "must be a standard limit type or fully qualified")


def _validate_item(item: LimitRangeItem, field: Field) -> Iterator[FieldError]:
    if item.type == POD:
        for key, given in (("default", item.default), ("defaultRequest", item.default_request)):
            if given:
                yield forbidden(field.child(key), "may not be specified when `type` is 'Pod'")
        item = replace(item, default=NO_RESOURCES, default_request=NO_RESOURCES)
    if item.type == PERSISTENT_VOLUME_CLAIM and "storage" not in {*item.min, *item.max}:
        yield required(
            field.child("limits"),
            "either minimum or maximum storage value is required, but neither was provided",
        )
    yield from _validate_names(item, field)
    for name in sorted({name for _, resources in _lists(item) for name in resources}):
        yield from _compare_bounds(item, name, field)
        yield from _compare_ratio(item, name, field)


def _validate_names(item: LimitRangeItem, field: Field) -> Iterator[FieldError]:
    of_pods = item.type in (POD, CONTAINER)
    name_errors = container_resource_name_errors if of_pods else resource_name_errors
    for key, resources in _lists(item):
        for name in resources:
            for message in name_errors(name):
                yield invalid(field.child(key).key(name), name, message)


def _lists(item: LimitRangeItem) -> Iterator[tuple[str, ResourceList]]:
    yield "max", item.max
    yield "min", item.min
    yield "default", item.default
    yield "defaultRequest", item.default_request
    yield "maxLimitRequestRatio", item.max_limit_request_ratio


def _compare_bounds(item: LimitRangeItem, name: str, field: Field) -> Iterator[FieldError]:
    """The pairs that must not contradict; which of the two is printed is Kubernetes' choice."""
    low, high = item.min.get(name), item.max.get(name)
    default, request = item.default.get(name), item.default_request.get(name)
    in_min, in_default, in_request = (
        field.child(key).key(name) for key in ("min", "default", "defaultRequest")
    )
    if _above(low, high):
        yield invalid(in_min, str(low), f"min value {low} is greater than max value {high}")
    if _above(low, request):
        detail = f"min value {low} is greater than default request value {request}"
        yield invalid(in_request, str(request), detail)
    if _above(request, high):
        detail = f"default request value {request} is greater than max value {high}"
        yield invalid(in_request, str(request), detail)
    if _above(request, default):
        detail = f"default request value {request} is greater than default limit value {default}"
        yield invalid(in_request, str(request), detail)
    if _above(low, default):
        detail = f"min value {low} is greater than default value {default}"
        yield invalid(in_default, str(low), detail)
    if _above(default, high):
        detail = f"default value {default} is greater than max value {high}"
        yield invalid(in_default, str(high), detail)
    if not is_overcommit_allowed(name) and default and request and default.nanos != request.nanos:
        detail = f"default value {default} must equal to defaultRequest value {request} in {name}"
        yield invalid(in_request, str(request), detail)


def _above(a: Quantity | None, b: Quantity | None) -> bool:
    return a is not None and b is not None and a.nanos > b.nanos


def _compare_ratio(item: LimitRangeItem, name: str, field: Field) -> Iterator[FieldError]:
    ratio = item.max_limit_request_ratio.get(name)
    if ratio is None:
        return
    where = field.child("maxLimitRequestRatio").key(name)
    if ratio.nanos < _ONE:
        yield invalid(where, str(ratio), f"ratio {ratio} is less than 1")
    low, high = item.min.get(name), item.max.get(name)
    if low is None or high is None:
        return
    value, possible = _ratio_and_bound(ratio, low, high)
    if value > possible:
        detail = f"ratio {ratio} is greater than max/min = {go_float(possible)}"
        yield invalid(where, str(ratio), detail)


def _ratio_and_bound(ratio: Quantity, low: Quantity, high: Quantity) -> tuple[float, float]:
    """The ratio, and max/min; in floating point, as Kubernetes compares them."""
    if all(quantity.value() < MAX_MILLI_VALUE for quantity in (ratio, low, high)):
        return ratio.milli_value() / 1000, go_divide(high.milli_value(), low.milli_value())
    return float(ratio.value()), go_divide(high.value(), low.value())


def go_divide(dividend: int, divisor: int) -> float:
    """A quotient of two int64 as Go computes it in float64: infinite or NaN for a divisor of 0."""
    if divisor:
        return float(dividend) / float(divisor)
    return math.copysign(math.inf, dividend) if dividend else math.nan


def go_float(value: float) -> str:
    """A float as Go's `%f` prints it."""
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    return f"{value:f}"
