"""What becomes of a pod, in sentences: why it is refused, what is not known, how it is classed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from qoslint.model.wording import counted, listing
from qoslint.report.amounts import amount, exact_amount
from qoslint.report.prose import Naming, naming, place, workload_name
from qoslint.schema import Json

Section: TypeAlias = tuple[str, str, Iterator[str]]
"""A title, the look of it in a palette, and its lines."""

_SHOWN = 10
_MAKERS = {
    "Deployment": "its ReplicaSet",
    "CronJob": "its Jobs",
    **dict.fromkeys(
        ("DaemonSet", "Job", "ReplicaSet", "ReplicationController", "StatefulSet"), "it"
    ),
}
"""Who asks the API server for the pods of a kind of Kubernetes' own."""
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
        yield f"  {_refused_pods(pod)}:"
    refusals = pod["refusals"]
    for refusal in refusals[:_SHOWN]:
        yield f"  - {refusal_reason(refusal)}"
    if len(refusals) > _SHOWN:
        yield f"  - and {counted(len(refusals) - _SHOWN, 'more reason')}"
    yield "  `qoslint check` says how to correct it."


def _refused_pods(pod: Json) -> str:
    """What cannot be created, and who fails to (`controller_utils.go FailedCreatePodReason`)."""
    kind = pod["kind"]
    if kind == "Pod":
        return f"The API server refuses {workload_name(pod)}"
    maker = _MAKERS.get(kind) if pod["builtIn"] else None
    if maker is None:
        return f"The API server refuses every pod of {workload_name(pod)}"
    return (
        f"The {kind} itself is not refused for this; {maker} cannot create any pod (event "
        "FailedCreate)"
    )


def refusal_reason(refusal: Json) -> str:
    """One reason, with where it lies, where its amounts come from, and what may have been meant."""
    where = "; ".join(
        (
            place(refusal["at"]),
            *(
                f"{each['field']} {amount(each['field'], each['value'])} from {each['by']}, "
                f"{place(each['at'])}"
                for each in refusal["filledIn"]
            ),
        )
    )
    meant = refusal["suggestion"]
    hint = f"; did you mean '{meant}'?" if meant else ""
    return f"{refusal['by']}{_because(refusal)}: {refusal['message']} ({where}){hint}"


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
    every, name = qos["resources"], naming(pod)
    if not any(each[key] not in (None, "0") for each in every for key in ("request", "limit")):
        what = "The pod-level block has no" if of_pod else "No container or init container has a"
        yield f"  {what} CPU or memory request or limit above zero."
        return
    failing = [each for each in every if not each["equal"]]
    if not failing:
        yield f"  Guaranteed: {where} has CPU and memory limits with requests equal to them."
        yield from _bullets(every, name)
        return
    yield (
        f"  {'With' if of_pod else 'Without'} pod-level resources, Guaranteed needs CPU and memory "
        f"limits in {where}, and requests equal to them."
    )
    yield "  Not Guaranteed, because:"
    yield from _bullets(failing, name)
    if len(failing) < len(every):
        yield "  Already as Guaranteed requires:"
        yield from _bullets([each for each in every if each["equal"]], name)
    yield (
        "  Not BestEffort, because a request or limit of CPU or memory is above zero. So Burstable."
    )


def _bullets(resources: list[Json], name: Naming) -> Iterator[str]:
    return (
        f"  - {'pod-level' if each['container'] is None else name(each['container'])}: "
        f"{_standing(each)}"
        for each in resources
    )


def _standing(each: Json) -> str:
    """How the request of one resource stands to its limit."""
    resource = _RESOURCES.get(each["resource"], each["resource"])
    request, limit = (
        None if each[key] is None else exact_amount(each["resource"], each[key])
        for key in ("request", "limit")
    )
    if limit is None:
        asked = "no request and no limit" if request is None else f"request {request}, no limit"
        return f"{resource} {asked}"
    if request is None:
        return f"{resource} no request, limit {limit}"
    if each["equal"]:
        return f"{resource} request {request} equals limit {limit}"
    if limit == request:
        return f"{resource} request {request} and limit {limit}, which counts as none"
    return f"{resource} request {request} does not equal limit {limit}"
