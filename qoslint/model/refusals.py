"""Refusals: why a workload or its pods cannot be created, at the field that must change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from qoslint.finding import Place
from qoslint.kernel.outcome import Rejection, Stage
from qoslint.kernel.pod import is_hugepage
from qoslint.kernel.priority import KIND as PRIORITY_CLASS
from qoslint.kernel.scope import ObjectError
from qoslint.model.objects import mapping
from qoslint.model.workloads import Workload
from qoslint.span import Path, value_at

_RESERVED = ("reserved for system use", "maximum allowed value of a user defined priority")
_RESOURCE_LISTS = ("requests", "limits", "overhead")

_HUGEPAGES_ALONE = "HugePages require cpu or memory"
_BEYOND_POD_LEVEL = ("aggregate container", "pod limits of")


class Reason(StrEnum):
    """What kind of refusal it is; each kind belongs to one rule."""

    QUANTITY = "a quantity that cannot be read"
    REQUEST_ABOVE_LIMIT = "a request above its limit"
    REQUEST_ABOVE_DEFAULT_LIMIT = "a request above the limit that a LimitRange fills in"
    LIMIT_RANGE = "a container outside what a LimitRange allows"
    POD_LIMIT_RANGE = "a pod whose sum is outside what a LimitRange allows"
    POD_LEVEL = "containers that exceed the pod-level resources"
    HUGEPAGES = "huge pages that cannot be had"
    INJECTED = "what an injector does to the pod"
    QUOTA_DEMAND = "a field that a ResourceQuota demands"
    NO_PRIORITY_CLASS = "a PriorityClass that does not exist"
    NO_RUNTIME_CLASS = "a RuntimeClass that does not exist"
    OTHER = "another rule of the API server"


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason; `message` quotes Kubernetes, `path` leads into the workload's object."""

    by: Stage
    message: str
    path: Path
    reason: Reason
    cause: Place | None = None
    cause_name: str = ""
    """The object of the cause, as people name it: `LimitRange shop/defaults`."""
    condition: str = ""
    """`, if LimitRange b comes before a`: under which undefined order; empty if under any."""
    injected: str = ""
    """The container that an injector added, if the reason lies in one."""


def reason(rejection: Rejection, path: Path, workload: Workload) -> Reason:
    """The kind of a rejection that concerns the field at `path` of the workload's object."""
    match rejection.by:
        case Stage.LIMIT_RANGER:
            of_pod = rejection.path == ("containers",)
            return Reason.POD_LIMIT_RANGE if of_pod else Reason.LIMIT_RANGE
        case Stage.PRIORITY if rejection.message.startswith("no PriorityClass"):
            return Reason.NO_PRIORITY_CLASS
        case Stage.RUNTIME_CLASS if rejection.path == ("runtimeClassName",):
            return Reason.NO_RUNTIME_CLASS
        case Stage.VALIDATION if rejection.message.endswith(_HUGEPAGES_ALONE):
            return Reason.HUGEPAGES
        case Stage.RESOURCE_QUOTA if rejection.message.startswith("failed quota"):
            return Reason.QUOTA_DEMAND
        case Stage.DECODE if len(path) > 1 and path[-2] in _RESOURCE_LISTS:
            return Reason.QUANTITY
        case Stage.VALIDATION if len(path) > 1 and path[-2] in _RESOURCE_LISTS:
            return _invalid_amount(rejection, path, workload)
    return Reason.OTHER


def _invalid_amount(rejection: Rejection, path: Path, workload: Workload) -> Reason:
    """The kind of a rejection of an entry of a resource list, whose messages quote no free text."""
    if is_hugepage(str(path[-1])):
        return Reason.HUGEPAGES
    if any(phrase in rejection.message for phrase in _BEYOND_POD_LEVEL):
        return Reason.POD_LEVEL
    if path[-2] == "requests" and "less than or equal to" in rejection.message:
        return _above_limit(path, workload)
    return Reason.OTHER


def is_reserved_priority(error: ObjectError) -> bool:
    """Whether a PriorityClass is refused for a name or value that only built-in ones may have."""
    return error.kind == PRIORITY_CLASS and any(text in error.message for text in _RESERVED)


def _above_limit(path: Path, workload: Workload) -> Reason:
    *owner, _, resource = path
    resources = mapping(value_at(workload.object.data, tuple(owner)))
    requested = resource in mapping(resources.get("requests"))
    limited = resource in mapping(resources.get("limits"))
    if requested and limited:
        return Reason.REQUEST_ABOVE_LIMIT
    return Reason.REQUEST_ABOVE_DEFAULT_LIMIT if requested else Reason.OTHER


def without_copies(refusals: Sequence[Refusal], workload: Workload) -> Iterator[Refusal]:
    """The refusals, but for those of a request that is only the copy of a refused limit."""
    paths = {refusal.path for refusal in refusals}
    for refusal in refusals:
        limit = (*refusal.path[:-2], "limits", *refusal.path[-1:])
        in_requests = refusal.path[-2:-1] == ("requests",)
        if in_requests and limit in paths and value_at(workload.object.data, refusal.path) is None:
            continue
        yield refusal
