"""The explanation of a workload as a story for people: what happens to its pods, in order."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.model.wording import counted, listing
from qoslint.report.amounts import amount, amounts, exact_amount, exact_amounts
from qoslint.report.explain_change import guaranteed, what_if
from qoslint.report.explain_nodes import node
from qoslint.report.explain_stages import stages
from qoslint.report.explain_verdict import Section, outcomes, verdict
from qoslint.report.prose import (
    container_name,
    harmless,
    place,
    placed,
    workload_name,
    wrapped,
)
from qoslint.report.style import Style
from qoslint.schema import Json


def render(document: Json, style: Style) -> str:
    """The document of `qoslint explain WORKLOAD` as text, ending with a line end."""
    pods = harmless(document)["pods"]
    return "\n\n".join("\n".join(_pod(pod, style)) for pod in pods) + "\n"


def _pod(pod: Json, style: Style) -> Iterator[str]:
    yield style.palette.paint(style.palette.strong, f"{workload_name(pod)} ({place(pod['at'])})")
    yield from wrapped(_frame(pod), style.width)
    sections = _compared(pod) if pod["whatIf"] else _story(pod)
    for title, look, lines in sections:
        if body := list(wrapped(lines, style.width)):
            yield ""
            yield style.palette.paint(getattr(style.palette, look), title)
            yield from body


def _story(pod: Json) -> Iterator[Section]:
    yield "What the manifest states", "strong", _authored(pod)
    yield "Several results are possible", "warning", outcomes(pod["result"])
    yield "What the API server makes of it", "strong", stages(pod)
    yield from verdict(pod)
    if pod["result"]["verdict"]:
        for each in pod["nodes"]:
            title = f"On node {each['name']}: {_memory(each)}, kubelet {each['version']}"
            yield title, "strong", node(each, pod)
        yield "What else follows", "strong", _consequences(pod)
    if pod["guaranteed"] and not pod["guaranteed"]["already"]:
        yield "What would make it Guaranteed", "strong", guaranteed(pod)


def _memory(each: Json) -> str:
    text, count = each["capacity"]["memory"], each["memory"]
    if text == str(count):
        return f"{counted(count, 'byte')} of memory"
    return f"{text} of memory ({counted(count, 'byte')})"


def _compared(pod: Json) -> Iterator[Section]:
    yield "What if", "strong", what_if(pod)


def _frame(pod: Json) -> Iterator[str]:
    parts = [f"cluster {pod['cluster']}", f"Kubernetes {pod['kubernetes']}"]
    if pod["replicas"] is not None:
        per_run = " at a time for each run" if pod["kind"] == "CronJob" else ""
        parts.append(f"{counted(pod['replicas'], 'pod')}{per_run}")
    yield ", ".join(parts)
    if not pod["complete"]:
        yield "The cluster may hold LimitRanges and classes that are not in the files."
    if pod["partial"]:
        yield f"The pods may still differ from what follows: {pod['partial']}."


def _authored(pod: Json) -> Iterator[str]:
    authored = pod["authored"]
    if authored is None:
        return
    for container in authored["containers"]:
        who = container_name(container["name"], container["type"])
        if container["fields"]:
            yield f"  {who.capitalize()} states {_fields(container['fields'])}."
        else:
            where = place(container["at"])
            yield f"  {who.capitalize()} ({where}) states no requests and no limits."
    if authored["fields"]:
        yield f"  The pod states {_fields(authored['fields'])}."
    if authored["podResourcesIgnored"]:
        yield (
            f"  Kubernetes {pod['kubernetes']} ignores the pod-level resources: the gate "
            "PodLevelResources is off."
        )


def _fields(fields: list[Json]) -> str:
    return listing(
        placed(
            (f"{each['field']} {amount(each['field'], each['value'])}", each["at"])
            for each in fields
        )
    )


def _consequences(pod: Json) -> Iterator[str]:
    requests = pod["result"]["verdict"]["requests"]
    if requests:
        overhead = pod["result"]["verdict"]["overhead"]
        of_it = f", overhead of {amounts(overhead)} included" if overhead else ""
        every = pod["requestsByReplicas"]
        in_all = (
            f"; for {pod['replicas']} pods {exact_amounts(every)}"
            if every and pod["replicas"] > 1
            else ""
        )
        yield f"  The scheduler reserves {amounts(requests)} for each pod{of_it}{in_all}."
    else:
        yield "  The scheduler reserves nothing for it."
    yield from _eviction(pod)


def _eviction(pod: Json) -> Iterator[str]:
    facts = pod["result"]["verdict"]
    priority = facts["priority"]
    if facts["critical"]:
        yield (
            f"  The kubelet never evicts it when a node runs low: its priority {priority} is that "
            "of a critical pod."
        )
        return
    by_node = {each["name"]: each["evictionRequests"]["memory"] for each in pod["nodes"]}
    asked = set(by_node.values()) or {facts["evictionRequests"]["memory"]}
    if len(asked) == 1:
        request = exact_amount("memory", *asked)
    else:
        request = ", ".join(
            f"{exact_amount('memory', value)} on node {node}" for node, value in by_node.items()
        )
    yield (
        "  When the node runs low on memory, the kubelet evicts pods one by one: first those that "
        f"use more memory than they request (this one requests {request}), then the others; of "
        "both, pods of lower priority first (this one: "
        f"{'not known' if priority is None else priority}), then the one furthest above its "
        "request."
    )
