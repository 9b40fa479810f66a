"""What becomes of a pod on its way into a cluster: its changes, rejections and unknowns.

A stage yields these records; `qoslint.kernel.admission` puts the stages in order.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from qoslint.kernel.pod import Path, Pod
from qoslint.kernel.qos import QOSClass

_CONTAINER_LISTS = (("initContainers",), ("containers",))


class Stage(StrEnum):
    """A step of the API server; all but `DEFAULTS` and `INJECTOR` can refuse a pod."""

    DECODE = "Decode"
    DEFAULTS = "Defaulting"
    VALIDATION = "Validation"
    LIMIT_RANGER = "LimitRanger"
    PRIORITY = "Priority"
    RUNTIME_CLASS = "RuntimeClass"
    INJECTOR = "Injector"
    RESOURCE_QUOTA = "ResourceQuota"


@dataclass(frozen=True, slots=True)
class Cause:
    """The object that made a change or a rejection, and the authored field of it.

    `index` counts in the scope's tuple of that kind; `path` leads into the object's JSON. A default
    that a LimitRange derived itself points at the key it was derived from, such as `max`.
    """

    index: int
    kind: str
    path: Path


class Change(NamedTuple):
    """One field that a stage set, values as Kubernetes prints them.

    `path` leads into the pod spec as it is at the end. `by` is the name of an injector.
    """

    stage: Stage
    path: Path
    before: str | None
    after: str
    cause: Cause | None = None
    by: str = ""


class Rejection(NamedTuple):
    """Why a stage refuses the pod, in Kubernetes' own words.

    `path` is the deepest field concerned: in the pod spec for a pod, from the root for a workload.
    """

    by: Stage
    message: str
    path: Path
    cause: Cause | None = None


class Unknown(NamedTuple):
    """What the result depends on and the scope does not know: an object by kind and name.

    `path` is the field of the pod spec that asks for it. For LimitRanges whose order allows more
    results than are computed, `name` is `order`.
    """

    kind: str
    name: str
    path: Path


class APIWarning(NamedTuple):
    """What the API server tells the client beside accepting; `path` as a rejection's."""

    message: str
    path: Path


class Origin(NamedTuple):
    """Where a container of an injected pod comes from.

    `authored` is its path in the pod that was given, None if an injector added it; `by` names the
    injector that added it or changed its resources.
    """

    authored: Path | None
    by: str = ""


class Outcome(NamedTuple):
    """One result that the API server can give for a pod.

    `pod` is the pod as far as it got, `validated` what validation looked at (storage can change how
    quantities print), `qos` the class as the server stores it at creation. The last two are None if
    an earlier stage refused the pod, and set for one refused later, by validation or a check, so
    ask `admitted` first. `order` lists the LimitRanges in the order that was assumed and
    `global_default` the PriorityClass that was taken as default, each by index in the scope; both
    only say something where the choice is not fixed.
    """

    pod: Pod
    changes: tuple[Change, ...] = ()
    rejections: tuple[Rejection, ...] = ()
    unknowns: tuple[Unknown, ...] = ()
    validated: Pod | None = None
    qos: QOSClass | None = None
    order: tuple[int, ...] = ()
    global_default: int | None = None
    reordered: tuple[int, ...] = ()
    origins: tuple[Origin, ...] = ()

    def with_changes(self, pod: Pod, changes: Iterable[Change]) -> Outcome:
        """This outcome after a stage that made the pod what it now is."""
        if pod is self.pod:
            return self
        return self._replace(pod=pod, changes=(*self.changes, *changes))

    def refused(self, rejections: Iterable[Rejection]) -> Outcome:
        """This outcome after a stage that refuses the pod, if it has a reason."""
        more = tuple(rejections)
        return self._replace(rejections=(*self.rejections, *more)) if more else self

    def unsure(self, unknown: Unknown) -> Outcome:
        """This outcome after a stage that would need to know more."""
        return self._replace(unknowns=(*self.unknowns, unknown))

    def origin(self, path: Path) -> Origin | None:
        """Where the container that holds the field comes from; None if no container does."""
        if path[:1] not in _CONTAINER_LISTS or len(path) < 2:
            return None
        if not self.origins:
            return Origin(path[:2])
        before = 0 if path[0] == "initContainers" else len(self.pod.init_containers)
        index = path[1]
        assert isinstance(index, int)
        return self.origins[before + index]

    def authored(self, path: Path) -> Path:
        """The path in the pod that was given; of a container that was added, its list's."""
        origin = self.origin(path) if self.origins else None
        if origin is None:
            return path
        return path[:1] if origin.authored is None else (*origin.authored, *path[2:])

    def placed(self, path: Path) -> Path:
        """The path in this pod of a field of the pod that was given; undoes `authored`."""
        containers = self.pod.containers_with_paths()
        for (current, _), origin in zip(containers, self.origins, strict=False):
            if origin.authored == path[:2]:
                return (*current, *path[2:])
        return path

    @property
    def admitted(self) -> bool | None:
        """Whether the pod is created; None if that depends on what is unknown."""
        if self.rejections:
            return False
        return None if self.unknowns else True
