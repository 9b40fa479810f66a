"""LimitRanger: what the LimitRanges of a namespace give a pod, and what they refuse.

Mirrors `plugin/pkg/admission/limitranger/admission.go` (unchanged in v1.31 to v1.36 but for
pod-level resources, which count since v1.34).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from qoslint.kernel.features import Features
from qoslint.kernel.limitrange import (
    CONTAINER,
    POD,
    LimitRange,
    LimitRangeItem,
    go_divide,
    go_float,
)
from qoslint.kernel.outcome import Cause, Change, Outcome, Rejection, Stage
from qoslint.kernel.pod import CPU, MEMORY, Container, Path, Pod, ResourceList, Resources
from qoslint.kernel.quantity import MAX_MILLI_VALUE, ZERO, Quantity
from qoslint.kernel.scheduling import aggregate_container_limits, aggregate_container_requests

KIND = "LimitRange"


class _Default(NamedTuple):
    """A default of one resource, as it is and as it is printed, and where it was authored."""

    quantity: Quantity
    text: str
    cause: Cause


class Defaults(NamedTuple):
    """What a container gets that lacks a resource, by resource name and sorted by it."""

    requests: Mapping[str, _Default]
    limits: Mapping[str, _Default]


@lru_cache(maxsize=256)  # the pods of a namespace share them
def defaults_of(limit_ranges: tuple[LimitRange, ...], order: tuple[int, ...]) -> Defaults:
    """The defaults that hold when the LimitRanges are applied in that order.

    Each only fills what is missing, so the first one that names a resource wins.
    """
    requests: dict[str, _Default] = {}
    limits: dict[str, _Default] = {}
    for index in order:
        for number, item in enumerate(limit_ranges[index].limits):
            if item.type != CONTAINER:
                continue
            path: Path = ("spec", "limits", number)
            for name, quantity in item.default.items():
                if name not in limits:
                    cause = Cause(index, KIND, (*path, item.default_source(name), name))
                    limits[name] = _Default(quantity, str(quantity), cause)
            for name, quantity in item.default_request.items():
                if name not in requests:
                    cause = Cause(index, KIND, (*path, item.default_request_source(name), name))
                    requests[name] = _Default(quantity, str(quantity), cause)
    return Defaults(dict(sorted(requests.items())), dict(sorted(limits.items())))


def mutate_pod(
    outcome: Outcome, limit_ranges: tuple[LimitRange, ...], order: tuple[int, ...]
) -> Outcome:
    """Give every container what it lacks (`PodMutateLimitFunc`).

    Presence counts, not value: a request of zero stays.
    """
    defaults = defaults_of(limit_ranges, order)
    changes: list[Change] = []
    filled = [
        _fill(container, defaults, path, changes)
        for path, container in outcome.pod.containers_with_paths()
    ]
    pod = outcome.pod
    if changes:
        first = len(pod.init_containers)
        pod = pod._replace(init_containers=tuple(filled[:first]), containers=tuple(filled[first:]))
    return outcome._replace(order=order, pod=pod, changes=(*outcome.changes, *changes))


def _fill(container: Container, defaults: Defaults, path: Path, changes: list[Change]) -> Container:
    resources = container.resources
    requests = {n: d for n, d in defaults.requests.items() if n not in resources.requests}
    limits = {n: d for n, d in defaults.limits.items() if n not in resources.limits}
    if not requests and not limits:
        return container
    for key, missing in (("requests", requests), ("limits", limits)):
        for name, (_, text, cause) in missing.items():
            where = (*path, "resources", key, name)
            changes.append(Change(Stage.LIMIT_RANGER, where, None, text, cause))
    filled = Resources(
        resources.requests.with_items({n: d.quantity for n, d in requests.items()}),
        resources.limits.with_items({n: d.quantity for n, d in limits.items()}),
        resources.claims,
    )
    return container._replace(resources=filled)


def validate_pod(
    pod: Pod, limit_ranges: Sequence[LimitRange], features: Features
) -> Iterator[Rejection]:
    """Everything that the LimitRanges refuse (`PodValidateLimitFunc`).

    The API server stops at the first LimitRange that refuses; which one that is, is not fixed.
    """
    sums: tuple[ResourceList, ResourceList] | None = None
    for index, limit_range in enumerate(limit_ranges):
        for number, item in enumerate(limit_range.limits):
            cause = Cause(index, KIND, ("spec", "limits", number))
            if item.type == CONTAINER:
                for path, container in pod.containers_with_paths():
                    lists = container.resources
                    bounds = _Bounds(
                        item, lists.requests, lists.limits, (*path, "resources"), cause
                    )
                    yield from bounds.rejections()
            elif item.type == POD:
                sums = sums or pod_sums(pod, features)
                yield from _Bounds(item, *sums, ("containers",), cause).rejections()


def pod_sums(pod: Pod, features: Features) -> tuple[ResourceList, ResourceList]:
    """The pod's sums without overhead (`podRequests`, `podLimits`).

    A pod-level cpu or memory value replaces the sum; one of huge pages does not.
    """
    requests, limits = aggregate_container_requests(pod), aggregate_container_limits(pod)
    block = pod.resources
    if block is None or not features.on("PodLevelResources"):
        return requests, limits
    return (
        requests.with_items({n: block.requests[n] for n in (CPU, MEMORY) if n in block.requests}),
        limits.with_items({n: block.limits[n] for n in (CPU, MEMORY) if n in block.limits}),
    )


class _Bounds(NamedTuple):
    """One item of a LimitRange against the requests and limits of a container or of the pod."""

    item: LimitRangeItem
    requests: ResourceList
    limits: ResourceList
    path: Path
    cause: Cause

    def rejections(self) -> Iterator[Rejection]:
        """What min, max and maxLimitRequestRatio refuse."""
        kind = self.item.type
        for name, bound in self.item.min.items():
            if complaint := self._below_min(name, bound):
                subject = f"minimum {name} usage per {kind} is {bound}"
                yield self._rejection("min", name, subject, *complaint)
        for name, bound in self.item.max.items():
            if complaint := self._above_max(name, bound):
                subject = f"maximum {name} usage per {kind} is {bound}"
                yield self._rejection("max", name, subject, *complaint)
        for name, bound in self.item.max_limit_request_ratio.items():
            if complaint := self._above_ratio(name, bound):
                subject = f"{name} max limit to request ratio per {kind} is {bound}"
                yield self._rejection("maxLimitRequestRatio", name, subject, *complaint)

    def _rejection(self, key: str, name: str, subject: str, field: str, detail: str) -> Rejection:
        path = self.path if self.item.type == POD else (*self.path, field, name)
        cause = replace(self.cause, path=(*self.cause.path, key, name))
        return Rejection(Stage.LIMIT_RANGER, f"{subject}{detail}", path, cause)

    def _below_min(self, name: str, bound: Quantity) -> tuple[str, str] | None:
        """The field of what `minConstraint` refuses, and how the message ends."""
        request, limit = self.requests.get(name), self.limits.get(name)
        if request is None:
            return "requests", ".  No request is specified"
        asked, capped, least = _enforced_values(request, limit, bound)
        if asked < least:
            return "requests", f", but request is {request}"
        if limit is not None and capped < least:
            return "limits", f", but limit is {limit}"
        return None

    def _above_max(self, name: str, bound: Quantity) -> tuple[str, str] | None:
        """The field of what `maxConstraint` refuses, and how the message ends."""
        request, limit = self.requests.get(name), self.limits.get(name)
        if limit is None:
            return "limits", ".  No limit is specified"
        asked, capped, most = _enforced_values(request, limit, bound)
        if capped > most:
            return "limits", f", but limit is {limit}"
        if request is not None and asked > most:
            return "requests", f", but request is {request}"
        return None

    def _above_ratio(self, name: str, bound: Quantity) -> tuple[str, str] | None:
        """The field of what `limitRequestRatioConstraint` refuses, and how the message ends."""
        request, limit = self.requests.get(name), self.limits.get(name)
        asked, capped, _ = _enforced_values(request, limit, bound)
        if request is None or asked == 0:
            return "requests", ", but no request is specified or request is 0"
        if limit is None or capped == 0:
            return "limits", ", but no limit is specified or limit is 0"
        ratio = go_divide(capped, asked)
        observed, most = ratio, float(bound.value())
        if bound.value() <= MAX_MILLI_VALUE:
            observed, most = ratio * 1000, float(bound.milli_value())
        if observed > most:
            return "limits", f", but provided ratio is {go_float(ratio)}"
        return None


def _enforced_values(
    request: Quantity | None, limit: Quantity | None, bound: Quantity
) -> tuple[int, int, int]:
    """The three as comparable integers: thousandths if all fit, else whole units.

    `admission.go requestLimitEnforcedValues`; a missing one counts as zero.
    """
    request, limit = request or ZERO, limit or ZERO
    whole = request.value(), limit.value(), bound.value()
    if max(whole) > MAX_MILLI_VALUE:
        return whole
    return request.milli_value(), limit.milli_value(), bound.milli_value()
