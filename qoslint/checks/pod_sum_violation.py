"""QOS207: the sum of a pod is outside what a LimitRange allows for pods."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter

from qoslint.finding import Problem, Related
from qoslint.kernel.limitranger import pod_sums
from qoslint.kernel.pod import CPU, MEMORY, Pod, ResourceList, Resources
from qoslint.kernel.scheduling import summed_containers
from qoslint.model.effective import Admitted
from qoslint.model.refusals import Reason, Refusal
from qoslint.model.wording import fillers, owner, resource_name, some


def check_workload(admitted: Admitted) -> Iterator[Problem]:
    """One problem for each complaint of LimitRanger, with what the sums consist of."""
    for refusal in admitted.refusals:
        if refusal.reason is Reason.POD_LIMIT_RANGE and refusal.cause:
            name = str(refusal.cause.path[-1])
            steps = admitted.effective.steps if admitted.effective else ()
            filled = fillers(step for step in steps if step.path[-1] == name)
            yield Problem(
                admitted.workload.object.at(refusal.path),
                f"{refusal.cause_name} refuses {admitted.pods}: {refusal.message}."
                f"{_sums(admitted, refusal, name)}",
                related=(Related(refusal.cause, refusal.cause_name), *filled),
            )


def _sums(admitted: Admitted, refusal: Refusal, name: str) -> str:
    """The sums in a sentence; nothing where another order of LimitRanges has other ones."""
    effective = admitted.effective
    if effective is None or refusal.condition:
        return ""
    pod = effective.pod
    totals = pod_sums(pod, effective.given.scope.features)
    requests, limits = (
        _sum(pod, field, name, total)
        for field, total in zip(("requests", "limits"), totals, strict=True)
    )
    return f" Its {resource_name(name)} {requests}, and its {limits}."


def _sum(pod: Pod, field: str, name: str, total: ResourceList) -> str:
    list_of: Callable[[Resources], ResourceList] = attrgetter(field)
    if name not in total:
        return f"{field} are given by no container"
    if pod.resources and name in (CPU, MEMORY) and name in list_of(pod.resources):
        return f"{field} are {total[name]} at pod level"
    parts = [
        f"{owner(item)} {list_of(item.resources)[name]}"
        for item in summed_containers(pod, name, list_of)
        if name in list_of(item.resources)
    ]
    return f"{field} add up to {total[name]} ({some(parts, len(parts))})"
