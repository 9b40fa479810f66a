"""Whom the kernel kills on a played node, and what came of it all, for text and markdown."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.kernel.quantity import Format, from_nanos, parse
from qoslint.kernel.scenario import MONITORING_PERIOD_SECONDS
from qoslint.report.amounts import memory
from qoslint.report.simulation_words import MOST_ROWS, named, pod
from qoslint.schema import Json

SUSPECTS = ("", "process", "oom_score_adj", "memory", "badness", "above request", "request")
"""The columns of what may be killed; the last two are of its pod, and nothing to the kernel."""


def suspect_rows(step: Json, document: Json) -> list[tuple[str, ...]]:
    """The processes that the kernel finds worst; badness is in pages."""
    return [
        (
            str(number),
            process(each, document),
            str(each["oomScoreAdj"]),
            memory(each["memory"]),
            str(each["badness"]),
            "" if each["pod"] is None else "yes" if each["exceedsRequest"] else "no",
            "" if each["pod"] is None else memory(each["request"]),
        )
        for number, each in enumerate(step["suspects"][:MOST_ROWS], start=1)
    ]


def killed(step: Json, document: Json) -> Iterator[str]:
    """Why the kernel acts, on whom, and who is left."""
    full = "the node has" if step["full"] == "node" else "all pods together are limited to"
    late = f"The kubelet looks only every {MONITORING_PERIOD_SECONDS} s, so the kernel acts first"
    if step["second"] == 0:
        late = "It is so from the start, so the kernel acts before the kubelet can"
    elif _ending(step, document):
        late = "The pod that was evicted has not ended yet, so the kernel acts first"
    yield (
        f"{memory(step['used'])} would be used, and {full} {memory(step['limit'])}. {late}. It "
        "compares neither priorities nor what is above a request, only badness: the pages in use, "
        "and oom_score_adj thousandths of all pages. A request counts through oom_score_adj alone, "
        "which is lower the more a Burstable pod requests."
    )
    if not step["suspects"]:
        yield "There is no process that it may kill."
        return
    gone = step["suspects"][: step["killed"]]
    yield f"Killed by the kernel: {_processes(gone, document)}{_ties(step)}. {_frees(step, gone)}"
    innocent = [each for each in gone if each["exceedsRequest"] is False]
    if innocent:
        yield f"Innocent, in pods within their requests: {_processes(innocent, document)}."


def _ending(step: Json, document: Json) -> bool:
    """Whether pods that were evicted before still use memory."""
    evicted = {each["pod"] for each in document["outcome"]["evicted"]}
    return any(each["pod"] in evicted for each in step["suspects"])


def _processes(gone: list[Json], document: Json) -> str:
    return named([process(each, document) for each in gone])


def _ties(step: Json) -> str:
    first, *others = step["suspects"]
    ties = [each for each in others if each["badness"] == first["badness"]]
    many = "another" if len(ties) == 1 else f"one of {len(ties)} others"
    return f", or {many} just as bad" if ties else ""


def _frees(step: Json, gone: list[Json]) -> str:
    missing = parse(step["used"]).nanos - parse(step["limit"]).nanos
    freed = sum(parse(each["memory"]).nanos for each in gone)
    amounts = [memory(from_nanos(each, Format.BINARY_SI).canonical()) for each in (freed, missing)]
    told = f"That frees {amounts[0]} where {amounts[1]} is missing"
    if freed < missing:
        return f"{told}, and nothing else may be killed."
    order = ", one after the other" if len(gone) > 1 else ""
    return f"{told}{order}: then {memory(step['available'])} is free and the rest stays."


def _whom(kill: Json) -> list[tuple[int | None, str]]:
    return [(each["pod"], each["process"]) for each in kill["suspects"][: kill["killed"]]]


def process(suspect: Json, document: Json) -> str:
    """A process: a container of a pod, or what runs outside of pods."""
    if suspect["pod"] is None:
        return "a process outside of pods"
    evicted = any(each["pod"] == suspect["pod"] for each in document["outcome"]["evicted"])
    ending = " (evicted, not ended yet)" if evicted else ""
    return f"{suspect['process']} of {pod(document, suspect['pod'])}{ending}"


def ending(document: Json) -> Iterator[str]:
    """What came of it all."""
    outcome = document["outcome"]
    kills = [step for step in document["steps"] if step["by"] == "kernel"]
    order = [f"{pod(document, each['pod'])} at {each['second']} s" for each in outcome["evicted"]]
    if order:
        yield f"Evicted in this order: {', '.join(order)}."
    elif not kills:
        yield "The kubelet evicted nobody."
    if kills:
        yield from _ended_by_kernel(kills, document)
        return
    left = [pod(document, index) for index in outcome["notEvicted"]]
    survive = f"{named(left)} survive{'s' if len(left) == 1 else ''}" if left else "No pod is left"
    yield f"{survive}; at {outcome['second']} s, {memory(outcome['available'])} is available."


def _ended_by_kernel(kills: list[Json], document: Json) -> Iterator[str]:
    first, *others = kills
    outcome = document["outcome"]
    then = "Then, at" if outcome["evicted"] else "The kubelet evicted nobody: at"
    if any(_whom(each) != _whom(first) for each in others):
        yield (
            f"{then} {first['second']} s the node and the cgroup of all pods are full at once, and "
            "the kernel kills first: for which of them is open."
        )
    else:
        gone = first["suspects"][: first["killed"]]
        whom = _processes(gone, document) or "nothing, as there is nothing that it may kill"
        yield f"{then} {first['second']} s the kernel kills {whom}, before the kubelet looks."
        hit = {each["pod"] for each in gone}
        left = [pod(document, index) for index in outcome["notEvicted"] if index not in hit]
        if left:
            yield f"Still there then: {named(left)}."
    yield (
        "The play ends there: how the containers that restart go on, and what the kubelet does "
        "next, is not known."
    )
