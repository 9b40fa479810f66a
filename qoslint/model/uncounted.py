"""What the author of a pod asks for that does not count for its class: other resources, and zeros.

`pkg/apis/core/v1/helper/qos/qos.go` ComputePodQOS looks at amounts of cpu and memory above zero.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from qoslint.kernel.admission import admit
from qoslint.kernel.defaults import map_containers
from qoslint.kernel.guaranteed import Block, deciding_blocks
from qoslint.kernel.pod import CPU, MEMORY, Container, Path, Pod, ResourceList, Resources
from qoslint.kernel.qos import QOSClass
from qoslint.model.effective import class_of
from qoslint.model.verdict import Verdict

_COUNTED = (CPU, MEMORY)


class Uncounted(NamedTuple):
    """A field of the PodSpec that does not count; `container` is None for the pod-level block."""

    path: Path
    container: Container | None
    what: str
    """The field and its value as people name them: `requests.cpu 0`."""


def other_resources(verdict: Verdict) -> Iterator[Uncounted]:
    """Amounts above zero of other resources, and devices claimed, in the blocks that decide.

    A limit that is copied to the request is named once.
    """
    for path, container, block in _authored_blocks(verdict):
        amounts = dict(block.requests.items()) | dict(block.limits.items())
        for name, quantity in sorted(amounts.items()):
            if name not in _COUNTED and quantity.nanos > 0:
                field = "limits" if name in block.limits else "requests"
                yield Uncounted((*path, field, name), container, f"{name} {quantity}")
        for index, claim in enumerate(block.claims):
            yield Uncounted((*path, "claims", index), container, f"resource claim {claim.name!r}")


def zeros(verdict: Verdict) -> Iterator[Uncounted]:
    """Every request and limit of cpu and memory that is zero, in the blocks that decide."""
    for path, container, block in _authored_blocks(verdict):
        for field, amounts in (("requests", block.requests), ("limits", block.limits)):
            for name, quantity in amounts.items():
                if name in _COUNTED and quantity.nanos == 0:
                    what = f"{field}.{name} {quantity}"
                    yield Uncounted((*path, field, name), container, what)


def deciding_zeros(verdict: Verdict) -> tuple[tuple[Uncounted, ...], QOSClass | None]:
    """The zeros and the class without them, if that is another one.

    The class is None if the zeros are limits, and all that keeps the pod from being Guaranteed.
    Without zeros that matter the tuple is empty.
    """
    found = tuple(zeros(verdict))
    if not found or verdict.demoted_by_init:
        return (), None
    scope = replace(verdict.effective.given.scope, quotas=())
    effective = verdict.effective
    bare = _without_zeros(effective.authored)
    without = class_of(admit(bare, scope, (), effective.injection.injections))
    if without not in (None, verdict.qos):
        return found, without
    limits = [each.limit for each in verdict.obstacles]
    only_limits = all(limit is not None and limit.nanos == 0 for limit in limits)
    return (found if only_limits and verdict.qos is QOSClass.BURSTABLE else ()), None


def _authored_blocks(verdict: Verdict) -> Iterator[Block]:
    effective = verdict.effective
    for path, container, block in deciding_blocks(effective.authored, verdict.features):
        yield Block(effective.shown.placed(path), container, block)


def _without_zeros(pod: Pod) -> Pod:
    def kept(amounts: ResourceList) -> ResourceList:
        return ResourceList(
            (name, quantity)
            for name, quantity in amounts.items()
            if name not in _COUNTED or quantity.nanos
        )

    def block(resources: Resources) -> Resources:
        return resources._replace(requests=kept(resources.requests), limits=kept(resources.limits))

    bare = map_containers(pod, lambda each: each._replace(resources=block(each.resources)))
    resources = None if pod.resources is None else block(pod.resources)
    return bare._replace(resources=resources)
