"""The explanation of a workload as a story for people: what happens to its pods, in order."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.kernel.quantity import QuantityError, parse
from qoslint.model.wording import counted, listing
from qoslint.report.amounts import IN_BYTES, amount, amounts, exact_amount, exact_amounts
from qoslint.report.explain_change import guaranteed
from qoslint.report.explain_nodes import node
from qoslint.report.explain_stages import stages
from qoslint.report.explain_verdict import Section, outcomes, verdict
from qoslint.report.explain_what_if import what_if
from qoslint.report.prose import (
    container_name,
    harmless,
    place,
    placed,
    workload_name,
    wrapped,
)
from qoslint.report.standing import briefly, standing
from qoslint.report.style import Style
from qoslint.schema import Json

_DISK = "ephemeral-storage"
_KIB = 1024


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
    asked = pod["standing"]
    if pod["result"]["verdict"]:
        for each in pod["nodes"]:
            if asked and each["name"] != asked["node"]:
                continue
            title = f"On node {each['name']}: {_memory(each)}, kubelet {each['version']}"
            yield title, "strong", node(each, pod)
        yield "What else follows", "strong", _consequences(pod)
    if asked:
        yield from standing(asked)
    elif pod["guaranteed"] and not pod["guaranteed"]["already"]:
        yield "What would make it Guaranteed", "strong", guaranteed(pod)


def _memory(each: Json) -> str:
    text, count = each["capacity"]["memory"], each["memory"]
    if text == str(count):
        return f"{counted(count, 'byte')} of memory"
    return f"{text} of memory ({counted(count, 'byte')})"


def _compared(pod: Json) -> Iterator[Section]:
    yield "What if", "strong", what_if(pod)
    if pod["whatIf"]["standing"]:
        before, after = pod["standing"], pod["whatIf"]["standing"]
        yield "Before the change", "strong", briefly(before, after)
        yield "After the change", "strong", briefly(after, before)


def _frame(pod: Json) -> Iterator[str]:
    parts = [f"cluster {pod['cluster']}", f"Kubernetes {pod['kubernetes']}"]
    if pod["replicas"] is not None:
        per_run = (
            " at a time for each run; runs may overlap unless concurrencyPolicy says otherwise"
            if pod["kind"] == "CronJob"
            else ""
        )
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
    yield from _slips(authored)
    if authored["podResourcesIgnored"]:
        yield (
            f"  Kubernetes {pod['kubernetes']} ignores the pod-level resources: the gate "
            "PodLevelResources is off."
        )


def _slips(authored: Json) -> Iterator[str]:
    """The amounts that rule QOS701 takes for slips of the unit."""
    fields = (
        *(each for container in authored["containers"] for each in container["fields"]),
        *authored["fields"],
    )
    slips = dict.fromkeys(f"{each['field']} {each['value']}" for each in fields if _is_slip(each))
    if slips:
        listed = listing(slips)
        yield (
            f"  {listed}: less than 1 KiB is most often a slip of the unit (`qoslint explain "
            "QOS701`)."
        )


def _is_slip(field: Json) -> bool:
    if field["field"].rpartition(".")[2] not in IN_BYTES:
        return False
    try:
        return 0 < parse(field["value"]).nanos < _KIB * 10**9
    except QuantityError:
        return False


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
    if not pod["standing"]:
        yield from _eviction(pod)
    yield from _local_storage(pod["result"]["verdict"])


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
        "  When the node runs low on memory, the kubelet evicts pods one by one, in this order: "
        "(a) pods that use more memory than they request before the others; (b) within each group, "
        "lower priority first; (c) at equal priority, the pod first whose use minus its request is "
        f"greatest. This pod: request {request}, priority "
        f"{'not known' if priority is None else priority}."
    )


def _local_storage(facts: Json) -> Iterator[str]:
    """Its own limits evict a pod on a healthy node, too (`localStorageEviction`)."""
    limit = facts["limits"].get(_DISK)
    if limit is None or facts["critical"]:
        return
    own = {
        each["limits"].get(_DISK, "0")
        for each in facts["containers"]
        if each["type"] == "container"
    }
    each_one = ", or a container more than its own limit" if own - {limit, "0"} else ""
    yield (
        "  The kubelet evicts the pod, from a healthy node too, if it uses more than "
        f"{exact_amount(_DISK, limit)} of ephemeral-storage (writable layers, logs, emptyDir "
        f"volumes on disk and the like){each_one}."
    )
