"""The parts of sentences that several rules say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from qoslint.finding import Related
from qoslint.kernel.guaranteed import Obstacle
from qoslint.kernel.pod import CPU
from qoslint.model.effective import Step
from qoslint.model.objects import get
from qoslint.model.workloads import Workload
from qoslint.span import Path

_SHOWN = 4

_NAMES = {CPU: "CPU"}


def listing(parts: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *rest, last = parts
    return f"{', '.join(rest)} and {last}" if rest else last


def resource_name(resource: str) -> str:
    """A resource as prose names it: `CPU`, `memory`."""
    return _NAMES.get(resource, resource)


def obstacle_phrase(obstacle: Obstacle) -> str:
    """What is wrong with one resource, to read behind "has": `no memory limit`."""
    name = resource_name(obstacle.resource)
    if obstacle.limit is None:
        return f"no {name} limit"
    if obstacle.limit.nanos == 0:
        return f"a {name} limit of 0"
    if obstacle.request is None:
        return f"no {name} request"
    return f"{name} request {obstacle.request} below its limit {obstacle.limit}"


def first_few(parts: Sequence[str]) -> str:
    """The first parts, and how many more there are: `a, b, c, d and 3 more`."""
    shown = ", ".join(parts[:_SHOWN])
    more = len(parts) - _SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


def filled_in(steps: Sequence[Step]) -> str:
    """What some steps set, each value once: `requests.cpu 100m, limits.cpu 500m and 2 more`."""
    return first_few(list(dict.fromkeys(f"{step.field} {step.after}" for step in steps)))


def fillers(steps: Iterable[Step]) -> Iterator[Related]:
    """The authored fields that steps come from, each with what its object fills in."""
    for by, group in groupby(steps, key=lambda step: step.by):
        filled = list(group)
        if cause := filled[0].cause:
            yield Related(cause, f"{by} fills in {filled_in(filled)}")


def in_container(workload: Workload, path: Path) -> str:
    """The container that a field lies in: ` because of container 'app'`; or nothing."""
    inside = path[len(workload.template) :]
    if len(inside) < 2 or inside[0] not in ("containers", "initContainers"):
        return ""
    name = get(workload.pod_spec, (*inside[:2], "name"))
    return f" because of container {name!r}"
