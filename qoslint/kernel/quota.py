"""ResourceQuota objects: read and validated. What they do to pods is `quotaevaluator`.

Mirrors `pkg/apis/core/validation/validation.go ValidateResourceQuota` and
`pkg/apis/core/helper/helpers.go` (unchanged in v1.31 to v1.36).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from qoslint.kernel.jsonvalue import items, mapping, string, strings
from qoslint.kernel.metadata import ObjectMeta, decode_object_meta, validate_object_meta
from qoslint.kernel.pod import CPU, MEMORY, NO_RESOURCES, Path, ResourceList
from qoslint.kernel.resourcelist import decode_resource_list
from qoslint.kernel.validation.field import ROOT, Field, FieldError, invalid, required
from qoslint.kernel.validation.names import is_dns1123_subdomain
from qoslint.kernel.validation.resources import (
    amount_errors,
    is_standard_quota_resource_name,
    resource_name_errors,
)

BEST_EFFORT = "BestEffort"
NOT_BEST_EFFORT = "NotBestEffort"
TERMINATING = "Terminating"
NOT_TERMINATING = "NotTerminating"
PRIORITY_CLASS = "PriorityClass"
CROSS_NAMESPACE_POD_AFFINITY = "CrossNamespacePodAffinity"
VOLUME_ATTRIBUTES_CLASS = "VolumeAttributesClass"

_ON_OFF_SCOPES = (
    BEST_EFFORT,
    NOT_BEST_EFFORT,
    TERMINATING,
    NOT_TERMINATING,
    CROSS_NAMESPACE_POD_AFFINITY,
)
_SCOPES = (*_ON_OFF_SCOPES, PRIORITY_CLASS, VOLUME_ATTRIBUTES_CLASS)
_CONFLICTS = ((BEST_EFFORT, NOT_BEST_EFFORT), (TERMINATING, NOT_TERMINATING))
_COMPUTE = frozenset(
    f"{prefix}{name}" for prefix in ("", "requests.", "limits.") for name in (CPU, MEMORY)
)


@dataclass(frozen=True, slots=True)
class ScopeRequirement:
    """A scope that a pod must be in, or an item of `scopeSelector.matchExpressions`."""

    scope: str
    operator: str = "Exists"
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ResourceQuota:
    """A ResourceQuota as the API server stores it."""

    metadata: ObjectMeta
    hard: ResourceList = NO_RESOURCES
    scopes: tuple[str, ...] = ()
    scope_selector: tuple[ScopeRequirement, ...] = ()

    @property
    def name(self) -> str:
        """The name that rejections tell."""
        return self.metadata.name

    def requirements(self) -> Iterator[ScopeRequirement]:
        """All scopes that a pod must be in, of both fields."""
        for scope in self.scopes:
            yield ScopeRequirement(scope)
        yield from self.scope_selector


def decode_resource_quota(data: object) -> ResourceQuota:
    """The ResourceQuota of a JSON object; DecodeError for what cannot be read."""
    root = mapping(data, ())
    spec = mapping(root.get("spec"), ("spec",))
    selector_path: Path = ("spec", "scopeSelector")
    selector = mapping(spec.get("scopeSelector"), selector_path)
    return ResourceQuota(
        decode_object_meta(root.get("metadata"), ("metadata",)),
        hard=decode_resource_list(spec, "hard", ("spec",)).rounded_up(),
        scopes=strings(spec, "scopes", ("spec",)),
        scope_selector=tuple(
            _decode_requirement(item, path)
            for path, item in items(selector, "matchExpressions", selector_path)
        ),
    )


def _decode_requirement(value: object, path: Path) -> ScopeRequirement:
    data = mapping(value, path)
    return ScopeRequirement(
        string(data, "scopeName", path),
        string(data, "operator", path),
        strings(data, "values", path),
    )


def validate_resource_quota(quota: ResourceQuota) -> Iterator[FieldError]:
    """What is wrong with a ResourceQuota; none could exist with it."""
    yield from validate_object_meta(quota.metadata, ROOT.child("metadata"), is_dns1123_subdomain)
    spec = ROOT.child("spec")
    for name, quantity in quota.hard.items():
        where = spec.child("hard").key(name)
        for message in resource_name_errors(name):
            yield invalid(where, name, message)
        if "/" not in name and not is_standard_quota_resource_name(name):
            yield invalid(where, name, "must be a standard resource for quota")
        for message in amount_errors(name, quantity):
            yield invalid(where, str(quantity), message)
    yield from _validate_scopes(quota, spec.child("scopes"))
    selector = spec.child("scopeSelector").child("matchExpressions")
    yield from _validate_scope_selector(quota, selector)


def _validate_scopes(quota: ResourceQuota, field: Field) -> Iterator[FieldError]:
    for scope in quota.scopes:
        if scope not in _SCOPES:
            yield invalid(field, list(quota.scopes), "unsupported scope")
        if any(not _is_scope_valid_for(scope, name) for name in quota.hard):
            yield invalid(field, list(quota.scopes), "unsupported scope applied to resource")
    yield from _conflicts(quota, frozenset(quota.scopes), field)


def _is_scope_valid_for(scope: str, resource: str) -> bool:
    """Whether a scope can be counted by (`helpers.go IsResourceQuotaScopeValidForResource`)."""
    if not is_standard_quota_resource_name(resource):
        return True
    if scope == BEST_EFFORT:
        return resource == "pods"
    if scope in _SCOPES and scope != VOLUME_ATTRIBUTES_CLASS:
        return resource == "pods" or resource in _COMPUTE
    return True


def _conflicts(quota: ResourceQuota, scopes: frozenset[str], field: Field) -> Iterator[FieldError]:
    for pair in _CONFLICTS:
        if scopes.issuperset(pair):
            yield invalid(field, list(quota.scopes), "conflicting scopes")


def _validate_scope_selector(quota: ResourceQuota, field: Field) -> Iterator[FieldError]:
    for index, requirement in enumerate(quota.scope_selector):
        # Kubernetes prints the list for every item, so only the path tells which one.
        where = field.item(index).printed_as(field)
        if requirement.scope not in _SCOPES:
            yield invalid(where.child("scopeName"), requirement.scope, "unsupported scope")
        if any(not _is_scope_valid_for(requirement.scope, name) for name in quota.hard):
            yield invalid(where, requirement.scope, "unsupported scope applied to resource")
        yield from _validate_operator(requirement, where)
    scopes = frozenset(requirement.scope for requirement in quota.scope_selector)
    yield from _conflicts(quota, scopes, field)


def _validate_operator(requirement: ScopeRequirement, field: Field) -> Iterator[FieldError]:
    operator = field.child("operator")
    if requirement.scope in _ON_OFF_SCOPES and requirement.operator != "Exists":
        yield invalid(
            operator,
            requirement.operator,
            "must be 'Exist' when scope is any of ResourceQuotaScopeTerminating, "
            "ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, "
            "ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity",
        )
    match requirement.operator:
        case "In" | "NotIn":
            if not requirement.values:
                yield required(
                    field.child("values"),
                    "must be at least one value when `operator` is 'In' or 'NotIn' for scope "
                    "selector",
                )
        case "Exists" | "DoesNotExist":
            if requirement.values:
                yield invalid(
                    field.child("values"),
                    list(requirement.values),
                    "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope "
                    "selector",
                )
        case _:
            yield invalid(operator, requirement.operator, "not a valid selector operator")
