"""Refusals: why a workload or its pods cannot be created, at the field that must change."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from qoslint.finding import Place
from qoslint.kernel.outcome import Rejection, Stage
from qoslint.kernel.priority import KIND as PRIORITY_CLASS
from qoslint.kernel.scope import ObjectError
from qoslint.model.objects import get, mapping
from qoslint.model.workloads import Workload
from qoslint.span import Path

_RESERVED = ("reserved for system use", "maximum allowed value of a user defined priority")
_RESOURCE_LISTS = ("requests", "limits", "overhead")


class Reason(StrEnum):
    """What kind of refusal it is; each kind belongs to one rule."""

    QUANTITY = "a quantity that cannot be read"
    REQUEST_ABOVE_LIMIT = "a request above its limit"
    REQUEST_ABOVE_DEFAULT_LIMIT = "a request above the limit that a LimitRange fills in"
    LIMIT_RANGE = "outside what a LimitRange allows"
    INJECTED = "what an injector does to the pod"
    QUOTA_DEMAND = "a field that a ResourceQuota demands"
    NO_PRIORITY_CLASS = "a PriorityClass that does not exist"
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
            return Reason.LIMIT_RANGE
        case Stage.PRIORITY if rejection.message.startswith("no PriorityClass"):
            return Reason.NO_PRIORITY_CLASS
        case Stage.RESOURCE_QUOTA if rejection.message.startswith("failed quota"):
            return Reason.QUOTA_DEMAND
        case Stage.DECODE if len(path) > 1 and path[-2] in _RESOURCE_LISTS:
            return Reason.QUANTITY
        case Stage.VALIDATION if "less than or equal to" in rejection.message:
            return _above_limit(path, workload) if path[-2:-1] == ("requests",) else Reason.OTHER
    return Reason.OTHER


def is_reserved_priority(error: ObjectError) -> bool:
    """Whether a PriorityClass is refused for a name or value that only built-in ones may have."""
    return error.kind == PRIORITY_CLASS and any(text in error.message for text in _RESERVED)


def _above_limit(path: Path, workload: Workload) -> Reason:
    *owner, _, resource = path
    resources = mapping(get(workload.object.data, tuple(owner)))
    requested = resource in mapping(resources.get("requests"))
    limited = resource in mapping(resources.get("limits"))
    if requested and limited:
        return Reason.REQUEST_ABOVE_LIMIT
    return Reason.REQUEST_ABOVE_DEFAULT_LIMIT if requested else Reason.OTHER
