"""What a kubelet's message says of an eviction, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.kernel.quantity import parse
from qoslint.model.wording import listing
from qoslint.report.explain_verdict import Section
from qoslint.report.prose import harmless, place, workload_name, wrapped
from qoslint.report.style import Style
from qoslint.schema import Json

_LIMITS = {
    "emptyDir": "The emptyDir volume '{name}' held more than its sizeLimit, {limit}.",
    "pod": "The pod used more local storage than the limits of its containers allow, {limit}.",
    "container": "The container '{name}' used more local storage than its limit, {limit}.",
}
_ABOVE = "Pods above their requests go before all others, whatever their priorities."
_WITHIN = (
    "Pods above theirs go first, so there was none left that could be evicted: it is an innocent "
    "victim."
)
_OUTSIDE = {
    "memory": "memory outside of its containers",
    "ephemeral-storage": "what its volumes hold",
}


def render(document: Json, style: Style) -> str:
    """The document of `qoslint explain --evicted` as text, ending with a line end."""
    blocks = []
    for title, look, lines in _sections(harmless(document)):
        painted = style.palette.paint(getattr(style.palette, look), title)
        blocks.append("\n".join([painted, *wrapped(lines, style.width)]))
    return "\n\n".join(blocks) + "\n"


def _sections(document: Json) -> Iterator[Section]:
    match document["kind"]:
        case "aboveLimit":
            yield "Evicted for a limit of its own", "strong", _above_limit(document)
        case "notAdmitted":
            yield "Not admitted, rather than evicted", "strong", _not_admitted(document)
        case _:
            title = f"Evicted because the node was low on {document['resource']}"
            yield title, "strong", _node_low(document)
            yield "Which key decided", "strong", _keys(document)
            yield "What the message does not tell", "strong", _untold(document)
            for each in document["workloads"]:
                where = f"{workload_name(each)} ({place(each['at'])}), cluster {each['cluster']}"
                yield f"Compared with {where}", "strong", _compared(each, document)


def _above_limit(document: Json) -> Iterator[str]:
    yield f"  {_LIMITS[document['limited']].format(**document)}"
    yield (
        "  The kubelet evicts for this whatever the node has left: it ranks nobody, so neither "
        "request nor priority decided. Only critical pods are spared."
    )


def _not_admitted(document: Json) -> Iterator[str]:
    conditions = listing(document["conditions"])
    yield (
        f"  The kubelet refused the pod when it came to the node, which was under {conditions}; "
        "it never ran there."
    )
    if document["conditions"] == ["MemoryPressure"]:
        yield (
            "  Under MemoryPressure alone, BestEffort pods are refused that do not tolerate the "
            "taint node.kubernetes.io/memory-pressure: a request of CPU or memory above zero has "
            "the pod admitted."
        )
    else:
        yield "  Only critical pods are admitted then, whatever the others request."


def _node_low(document: Json) -> Iterator[str]:
    if document["threshold"] is not None:
        yield f"  {_threshold(document)}"
    for each in document["usages"]:
        yield (
            f"  - {_who(each)} used {each['usage']}, with a request of {each['request']}: "
            f"{_against_request(each)}"
        )
    if document["cut"]:
        yield "  The message is cut off: more containers may have been named."


def _threshold(document: Json) -> str:
    told = f"Available was {document['available']}, the threshold {document['threshold']}: "
    if parse(document["missing"]).nanos > 0:
        return f"{told}{document['missing']} too little."
    return (
        f"{told}not too little any more. The kubelet was still freeing what "
        "evictionMinimumReclaim asks for on top."
    )


def _who(each: Json) -> str:
    return f"the pod {each['name']}" if each["ofPod"] else f"container '{each['name']}'"


def _against_request(each: Json) -> str:
    nanos = parse(each["overage"]).nanos
    if nanos > 0:
        return f"{each['overage']} above"
    return f"{each['overage'].removeprefix('-')} below" if nanos else "exactly that"


def _keys(document: Json) -> Iterator[str]:
    match document["resource"]:
        case "pids":
            yield "  1. Priority: not told. The pods of lower priority go first."
            yield (
                "  2. Number of processes: not told. Among pods of the same priority, the one with "
                "the most goes first; requests play no part."
            )
        case "inodes":
            yield (
                "  1. Uses any inode: as good as every pod does, and nobody can request any; no "
                "container is named for it."
            )
            yield "  2. Priority: not told. The pods of lower priority go first."
            yield (
                "  3. Inodes in use, less the ephemeral-storage request as a number: not told. "
                "Among pods of the same priority, the largest goes first."
            )
        case _:
            yield f"  1. {_first(document)}"
            yield (
                "  2. Priority: not told. Among pods that are alike in 1, those of lower priority "
                "go first."
            )
            yield f"  3. {_third(document)}"


def _first(document: Json) -> str:
    """Usage above request: what the message says of it, and what follows."""
    of_pod = [each for each in document["usages"] if each["ofPod"]]
    if of_pod:
        above = parse(of_pod[0]["overage"]).nanos > 0
        answer = f"yes, by {of_pod[0]['overage']}" if above else "no"
        return (
            f"Usage above request: {answer}, of the pod as a whole. {_ABOVE if above else _WITHIN}"
        )
    if document["usages"]:
        each_by = listing(f"{each['overage']} for {_who(each)}" for each in document["usages"])
        return (
            f"Usage above request: yes, by {each_by} (and of the pod as a whole, unless other "
            f"containers left as much of their requests unused). {_ABOVE}"
        )
    if document["cut"]:
        return "Usage above request: not told, as the message is cut off."
    return (
        "Usage above request: no container is named, so none that was measured used more than its "
        f"own request, nor did the pod, unless by {_OUTSIDE[document['resource']]}. "
        f"{_WITHIN}"
    )


def _third(document: Json) -> str:
    rest = "Among pods that are alike in 1 and 2, the one with the largest goes first."
    of_pod = [each for each in document["usages"] if each["ofPod"]]
    told = of_pod or document["usages"]
    amounts = listing(f"{each['overage']} for {_who(each)}" for each in told)
    return f"Overage (usage - request): {amounts or 'not told'}. {rest}"


def _untold(document: Json) -> Iterator[str]:
    signals = document["signals"]
    if len(signals) > 1:
        yield f"  - which signal it was: {', '.join(signals[:-1])} or {signals[-1]}"
    if document["threshold"] is None:
        yield "  - the threshold, and what was available"
    yield "  - whether the threshold was a hard or a soft one"
    yield "  - the priority of the pod, and what containers used that are not named"
    yield "  - the other pods of the node, and so which of the keys put it before the next"
    yield (
        "  `qoslint explain WORKLOAD --node NAME` says where the pods of a workload stand, by the "
        "files."
    )


def _compared(each: Json, document: Json) -> Iterator[str]:
    pod, resource = each["pod"], document["resource"]
    if pod is None:
        yield "  Its pods are refused, or what they are is not known."
        return
    told = {usage["name"]: usage for usage in document["usages"] if not usage["ofPod"]}
    for container in pod["containers"]:
        yield f"  - {_container(container, told[container['name']], resource)}"
    if pod["request"] is not None and document["usages"]:
        shows = "which alone does not show whether the pod was above it"
        if pod["above"] is not None:
            shows = f"and what the message tells is above it, by {pod['above']}"
        yield f"  - The pod as a whole requests {resource} {pod['request']}, {shows}."
    critical = ": a critical pod, which is never evicted" if pod["critical"] else ""
    priority = "not known" if pod["priority"] is None else pod["priority"]
    yield f"  - Its priority is {priority}{critical}."


def _container(container: Json, told: Json, resource: str) -> str:
    name = f"container '{container['name']}'"
    if not container["there"]:
        return f"It has no {name}: the message is of another workload, or of another version."
    request = container["request"]
    if parse(request).nanos == parse(told["request"]).nanos:
        return f"{name} requests {resource} {request}, as in the message."
    return f"{name} requests {resource} {request}; when it was evicted, {told['request']}."
