"""Resource names and quantities: what containers, overheads and pods may ask for.

Mirrors `pkg/apis/core/validation/validation.go` (ValidateContainerResourceRequirements and what it
calls) and `pkg/apis/core/helper/helpers.go`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from qoslint.kernel.pod import (
    CPU,
    EPHEMERAL_STORAGE,
    HUGEPAGES_PREFIX,
    MEMORY,
    ResourceList,
    Resources,
    is_hugepage,
)
from qoslint.kernel.quantity import Quantity, QuantityError, parse
from qoslint.kernel.validation.field import (
    ROOT,
    Field,
    FieldError,
    duplicate,
    forbidden,
    invalid,
    not_found,
    required,
)
from qoslint.kernel.validation.names import is_qualified_name

_COUNTS = frozenset(
    (
        "pods",
        "resourcequotas",
        "services",
        "replicationcontrollers",
        "secrets",
        "configmaps",
        "persistentvolumeclaims",
        "services.nodeports",
        "services.loadbalancers",
    )
)
_COMPUTE = (CPU, MEMORY, EPHEMERAL_STORAGE)
_STANDARD = frozenset(
    (
        *_COUNTS,
        *_COMPUTE,
        *(f"requests.{name}" for name in _COMPUTE),
        *(f"limits.{name}" for name in _COMPUTE),
        "storage",
        "requests.storage",
    )
)
_STANDARD_QUOTA = _STANDARD - {"storage"}
_REQUESTS_PREFIX = "requests."
_LISTED_CLAIMS = 100
_REMEMBERED = 4096


def is_native_resource(name: str) -> bool:
    """Whether Kubernetes itself defines the resource (`helpers.go IsNativeResource`)."""
    return "/" not in name or "kubernetes.io/" in name


@lru_cache(maxsize=_REMEMBERED)
def is_overcommit_allowed(name: str) -> bool:
    """Whether a request may be below its limit (`helpers.go IsOvercommitAllowed`)."""
    return is_native_resource(name) and not is_hugepage(name)


@lru_cache(maxsize=_REMEMBERED)
def is_extended_resource_name(name: str) -> bool:
    """Whether the name can be a device's (`helpers.go IsExtendedResourceName`)."""
    if is_native_resource(name) or name.startswith(_REQUESTS_PREFIX):
        return False
    return not is_qualified_name(_REQUESTS_PREFIX + name)


def is_standard_resource_name(name: str) -> bool:
    """Whether a name without a domain is known at all (`helpers.go IsStandardResourceName`)."""
    return name in _STANDARD or _is_quota_hugepage(name)


def is_standard_quota_resource_name(name: str) -> bool:
    """Whether quotas know a name without a domain (`helpers.go IsStandardQuotaResourceName`)."""
    return name in _STANDARD_QUOTA or _is_quota_hugepage(name)


def _is_quota_hugepage(name: str) -> bool:
    return name.removeprefix(_REQUESTS_PREFIX).startswith(HUGEPAGES_PREFIX)


@lru_cache(maxsize=_REMEMBERED)
def resource_name_errors(name: str) -> tuple[str, ...]:
    """What is wrong with a resource's name anywhere (`validateResourceName`)."""
    syntax = is_qualified_name(name)
    if syntax or "/" in name or is_standard_resource_name(name):
        return syntax
    return ("must be a standard resource type or fully qualified",)


@lru_cache(maxsize=_REMEMBERED)
def container_resource_name_errors(name: str) -> tuple[str, ...]:
    """What is wrong with a resource's name in a container (`validateContainerResourceName`)."""
    errors = resource_name_errors(name)
    if "/" not in name:
        if name not in _COMPUTE and not is_hugepage(name):
            return (*errors, "must be a standard resource for containers")
    elif not is_native_resource(name) and not is_extended_resource_name(name):
        return (*errors, "doesn't follow extended resource name standard")
    return errors


def amount_errors(name: str, quantity: Quantity) -> Iterator[str]:
    """What is wrong with the amount of any resource (`ValidateResourceQuantityValue`)."""
    if quantity.nanos < 0:
        yield "must be greater than or equal to 0"
    whole_only = name in _COUNTS or is_extended_resource_name(name)
    if whole_only and quantity.milli_value() % 1000:
        yield "must be an integer"


def validate_resource_requirements(
    resources: Resources, claims: frozenset[str], field: Field
) -> Iterator[FieldError]:
    """What is wrong with a container's resources (`ValidateContainerResourceRequirements`).

    `claims` are the names in the pod's `resourceClaims`.
    """
    for key, listed in (("limits", resources.limits), ("requests", resources.requests)):
        if listed:
            where = field.child(key)
            yield from _validate_names(listed, where)
            yield from validate_amounts(listed, where)
    yield from validate_requests_against_limits(resources, field)
    yield from require_cpu_or_memory(resources, field)
    if resources.claims:
        yield from _validate_claims(resources, claims, field)


@lru_cache(maxsize=_REMEMBERED)
def are_valid_resources(resources: Resources, claims: tuple[str, ...]) -> bool:
    """Whether nothing is wrong with a container's resources, which many containers share."""
    errors = validate_resource_requirements(resources, frozenset(claims), ROOT)
    return next(errors, None) is None


def validate_overhead(overhead: ResourceList, field: Field) -> Iterator[FieldError]:
    """What is wrong with an overhead, checked and printed as limits (`validateOverhead`)."""
    limits = field.printed_as(field.child("limits"))
    yield from _validate_names(overhead, limits)
    yield from validate_amounts(overhead, limits)
    yield from require_cpu_or_memory(Resources(limits=overhead), field)


def _validate_names(resources: ResourceList, field: Field) -> Iterator[FieldError]:
    for name in resources:
        for message in container_resource_name_errors(name):
            yield invalid(field.key(name), name, message)


def validate_amounts(resources: ResourceList, field: Field) -> Iterator[FieldError]:
    """What is wrong with the amounts of a container or pod, huge pages included."""
    for name, quantity in resources.items():
        if name in _COMPUTE and quantity.nanos >= 0:  # the usual ones may have any fraction
            continue
        for message in amount_errors(name, quantity):
            yield invalid(field.key(name), str(quantity), message)
        if is_hugepage(name) and not _is_divisible(name, quantity):
            text = str(quantity)
            detail = f"{text} is not positive integer multiple of {name}"
            yield invalid(field.key(name), text, detail)


def _is_divisible(name: str, quantity: Quantity) -> bool:
    """Whether it is a number of whole pages (`helpers.go IsHugePageResourceValueDivisible`)."""
    try:
        page = parse(name.removeprefix(HUGEPAGES_PREFIX))
    except QuantityError:
        return False
    if page.sign <= 0 or page.milli_value() % 1000 or page.value() == 0:
        return False
    return quantity.value() % page.value() == 0


def validate_requests_against_limits(resources: Resources, field: Field) -> Iterator[FieldError]:
    """No request may be above its limit; some must be equal to it."""
    for name, request in resources.requests.items():
        limit = resources.limits.get(name)
        if limit is not None:
            if bound := _broken_bound(name, request, limit):
                requests = field.child("requests")
                detail = f"must be {bound} {name} limit of {limit}"
                yield invalid(requests.key(name).printed_as(requests), str(request), detail)
        elif not is_overcommit_allowed(name):
            limits = field.child("limits")
            detail = "Limit must be set for non overcommitable resources"
            yield required(limits.key(name).printed_as(limits), detail)


def _broken_bound(name: str, request: Quantity, limit: Quantity) -> str | None:
    """What the request must be compared with its limit, if it is not."""
    if request.nanos != limit.nanos and not is_overcommit_allowed(name):
        return "equal to"
    return "less than or equal to" if request.nanos > limit.nanos else None


def require_cpu_or_memory(resources: Resources, field: Field) -> Iterator[FieldError]:
    """Huge pages alone are refused."""
    names = resources.requests.keys() | resources.limits.keys()
    if names.isdisjoint((CPU, MEMORY)) and any(map(is_hugepage, names)):
        yield forbidden(field, "HugePages require cpu or memory")


def _validate_claims(
    resources: Resources, claims: frozenset[str], field: Field
) -> Iterator[FieldError]:
    seen: set[tuple[str, str]] = set()
    in_part: set[str] = set()
    for index, claim in enumerate(resources.claims):
        where = field.child("claims").item(index)
        if not claim.name:
            yield required(where)
            continue
        # A claim is used whole, or by several of its requests, each once.
        if (claim.name, "") in seen or (not claim.request and claim.name in in_part):
            yield duplicate(where, claim.name)
        elif claim in seen:
            yield duplicate(where, f"{claim.name}/{claim.request}")
        seen.add(claim)
        in_part.add(claim.name)
        if claim.name not in claims:
            yield not_found(where, claim.name, _known_claims(claims))


def _known_claims(claims: frozenset[str]) -> str:
    detail = "must be one of the names in pod.spec.resourceClaims"
    if not claims:
        return f"{detail} which is empty"
    if len(claims) > _LISTED_CLAIMS:  # Kubernetes lists them all, in every message
        return detail
    return f"{detail}: {', '.join(sorted(claims))}"
