"""What becomes of a pod, in sentences: why it is refused, what is not known, how it is classed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from qoslint.model.wording import counted, listing
from qoslint.report.amounts import exact_amount
from qoslint.report.prose import place, workload_name
from qoslint.schema import Json

Section: TypeAlias = tuple[str, str, Iterator[str]]
"""A title, the look of it in a palette, and its lines."""

_SHOWN = 10
_RESOURCES = {"cpu": "CPU"}


def verdict(pod: Json) -> Iterator[Section]:
    """The sections about it: refusals, what is not known, and the class with its reasons."""
    result = pod["result"]
    if pod["refusals"]:
        condition = " under some orders" if result["admitted"] is not False else ""
        what = _refused(pod)
        yield f"Refused{condition}", "error", what
    if result["admitted"] is None and not pod["refusals"]:
        yield "Not known", "warning", _unknown(pod)
    if result["qosClasses"]:
        look = {"Guaranteed": "good", "BestEffort": "warning"}.get(result["qosClass"], "strong")
        yield f"Class: {' or '.join(result['qosClasses'])}", look, _class(pod)


def _refused(pod: Json) -> Iterator[str]:
    if pod["authored"] is None:
        yield f"  The API server refuses {workload_name(pod)} itself, so it makes no pods:"
    elif pod["result"]["admitted"] is False:
        every = "" if pod["kind"] == "Pod" else "every pod of "
        yield f"  The API server refuses {every}{workload_name(pod)}:"
    refusals = pod["refusals"]
    for refusal in refusals[:_SHOWN]:
        by = f"{refusal['by']}{_because(refusal)}"
        yield f"  - {by}: {refusal['message']} ({place(refusal['at'])})"
    if len(refusals) > _SHOWN:
        yield f"  - and {counted(len(refusals) - _SHOWN, 'more reason')}"
    yield "  `qoslint check` says how to correct it."


def _because(refusal: Json) -> str:
    if refusal["cause"] is None:
        return ""
    return f", because of {refusal['cause']} ({place(refusal['causeAt'])})"


def _unknown(pod: Json) -> Iterator[str]:
    unknowns = pod["result"]["unknowns"]
    if pod["authored"] is None:
        yield f"  What the pods are depends on what the files do not hold: {listing(unknowns)}."
        return
    for unknown in unknowns:
        kind, _, rest = unknown.partition(" ")
        match kind:
            case "PriorityClass":
                yield (
                    f"  The priority depends on {unknown}, which is not in the files; the API "
                    "server refuses the pods if the cluster does not have it."
                )
            case "RuntimeClass":
                yield (
                    f"  The overhead, and where the pods may run, depend on {unknown}, which is "
                    "not in the files; the API server refuses the pods if the cluster does not "
                    "have it."
                )
            case "LimitRange":
                yield "  More orders of the LimitRanges matter than were tried."
            case "PodLevelResources":
                yield (
                    f"  The pod-level limit of {rest} that Kubernetes {pod['kubernetes']} fills in "
                    "is not known."
                )
            case _:
                yield f"  The result depends on {unknown}, which is not in the files."


def outcomes(result: Json) -> Iterator[str]:
    """The results that an undefined order allows, and which of them is told."""
    every = result["outcomes"]
    if not every:
        return
    told = next((each for each in every if each["admitted"] is not False), every[0])
    yield "  Kubernetes does not define which of these comes about:"
    for outcome in every:
        became = "refused" if outcome["admitted"] is False else outcome["qosClass"] or "unknown"
        yield f"  - {outcome['when']}: {became}"
    yield f"  What follows is for: {told['when']}."


def _class(pod: Json) -> Iterator[str]:
    qos = pod["qos"]
    of_pod = qos["decidedBy"] == "pod"
    if of_pod:
        yield "  The pod-level resources decide alone; those of the containers do not count."
    where = "the pod-level block" if of_pod else "every container and init container"
    every = qos["resources"]
    if not any(each[key] not in (None, "0") for each in every for key in ("request", "limit")):
        what = "The pod-level block has no" if of_pod else "No container or init container has a"
        yield f"  {what} CPU or memory request or limit above zero."
        return
    failing = [each for each in every if not each["equal"]]
    if not failing:
        yield f"  Guaranteed: {where} has CPU and memory limits with requests equal to them."
        yield from _bullets(every)
        return
    yield (
        f"  {'With' if of_pod else 'Without'} pod-level resources, Guaranteed needs CPU and memory "
        f"limits in {where}, and requests equal to them."
    )
    yield "  Not Guaranteed, because:"
    yield from _bullets(failing)
    if len(failing) < len(every):
        yield "  As Guaranteed needs it:"
        yield from _bullets([each for each in every if each["equal"]])
    yield (
        "  Not BestEffort, because a request or limit of CPU or memory is above zero. So Burstable."
    )


def _bullets(resources: list[Json]) -> Iterator[str]:
    return (f"  - {_standing(each)}" for each in resources)


def _standing(each: Json) -> str:
    """How the request of one resource stands to its limit."""
    who = "pod-level" if each["container"] is None else f"container '{each['container']}'"
    resource = _RESOURCES.get(each["resource"], each["resource"])
    request, limit = (
        None if each[key] is None else exact_amount(each["resource"], each[key])
        for key in ("request", "limit")
    )
    if limit is None:
        asked = "no request and no limit" if request is None else f"request {request}, no limit"
        return f"{who}: {resource} {asked}"
    if request is None:
        return f"{who}: {resource} no request, limit {limit}"
    if each["equal"]:
        return f"{who}: {resource} request {request} equals limit {limit}"
    if limit == request:
        return f"{who}: {resource} request {request} and limit {limit}, which counts as none"
    return f"{who}: {resource} request {request} does not equal limit {limit}"
