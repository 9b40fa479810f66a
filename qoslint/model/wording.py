"""The parts of sentences that several rules say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice

from qoslint.finding import Related
from qoslint.kernel.guaranteed import Obstacle
from qoslint.kernel.pod import (
    CPU,
    Container,
    ContainerType,
    Pod,
    is_critical_pod,
    is_node_critical_pod,
)
from qoslint.kernel.quantity import Format, Quantity, new_quantity
from qoslint.model.podspec import CONTAINER_LISTS
from qoslint.model.step import Step
from qoslint.model.workloads import Workload
from qoslint.span import Path, value_at

_SHOWN = 4
_KIB = 1024
_MIB = 2**20

_NAMES = {CPU: "CPU"}
_CONTAINERS = {
    ContainerType.CONTAINER: "container",
    ContainerType.INIT: "init container",
    ContainerType.SIDECAR: "sidecar",
}


def listing(parts: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`; empty for none."""
    *rest, last = [*parts] or [""]
    return f"{', '.join(rest)} and {last}" if rest else last


def some(names: Iterable[str], count: int) -> str:
    """The names, or the first few of `count` and how many more: `a, b, c, d and 3 more`."""
    shown = list(islice(names, _SHOWN))
    more = count - len(shown)
    return listing((*shown, f"{more} more")) if more > 0 else listing(shown)


def counted(number: int, noun: str) -> str:
    """A number of things: `1 Job`, `3 Jobs`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def exact_bytes(count: int) -> str:
    """So many bytes to the last one: `512Mi`, `3839Mi + 1 byte`, `700 bytes`."""
    rest = count % _KIB
    if count and count < _MIB and (rest or count < _KIB):
        return counted(count, "byte")
    whole = new_quantity(count - rest, Format.BINARY_SI).canonical()
    return f"{whole} + {counted(rest, 'byte')}" if rest else whole


def plain_number(quantity: Quantity) -> str:
    """A number as people write it, where its canonical form has a suffix: `1.5` for `1500m`."""
    whole, part = divmod(abs(quantity.nanos), 10**9)
    fraction = f"{part:09}".rstrip("0")
    sign = "-" if quantity.nanos < 0 else ""
    return f"{sign}{whole}.{fraction}" if fraction else f"{sign}{whole}"


def resource_name(resource: str) -> str:
    """A resource as prose names it: `CPU`, `memory`."""
    return _NAMES.get(resource, resource)


def owner(container: Container | None) -> str:
    """A container as prose names it: `init container 'setup'`; None is the pod-level block."""
    if container is None:
        return "the pod-level block"
    return f"{_CONTAINERS[container.type]} {container.name!r}"


def sentence(text: str) -> str:
    """The text with a capital first letter."""
    return f"{text[:1].upper()}{text[1:]}"


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


def best_effort_consequence(pod: Pod) -> str:
    """What becomes of a BestEffort pod on a node that is short of memory, as a sentence."""
    if is_node_critical_pod(pod):
        return (
            "As system-node-critical it is not evicted and its containers keep oom_score_adj -997, "
            "but nothing reserves or bounds what it uses."
        )
    killed = (
        "of processes that use the same amount of memory, the kernel kills one of this pod first "
        "(oom_score_adj 1000)"
    )
    if is_critical_pod(pod):
        return f"Its priority {pod.priority} keeps it from eviction, yet {killed}."
    return f"It is in the first group to be evicted when a node runs low on memory, and, {killed}."


def filled_in(steps: Sequence[Step]) -> str:
    """What some steps set, each value once: `requests.cpu 100m and limits.cpu 500m`."""
    values = dict.fromkeys(f"{step.field} {step.after}" for step in steps)
    return some(values, len(values))


def fillers(steps: Iterable[Step]) -> Iterator[Related]:
    """The authored fields that steps come from, each with what its object fills in."""
    for by, group in groupby(steps, key=lambda step: step.by):
        filled = list(group)
        if cause := filled[0].cause:
            yield Related(cause, f"{by} fills in {filled_in(filled)}")


def in_container(workload: Workload, path: Path) -> str:
    """The container that a field lies in: ` because of container 'app'`; or nothing."""
    inside = path[len(workload.template) :]
    if len(inside) < 2 or inside[0] not in CONTAINER_LISTS:
        return ""
    name = value_at(workload.pod_spec, (*inside[:2], "name"))
    return f" because of container {name!r}"
