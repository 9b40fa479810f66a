"""The phrases in which changes of pods are told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from qoslint.model.change.document import base_name
from qoslint.model.wording import counted, listing
from qoslint.report import prose
from qoslint.report.prose import container_name, harmless
from qoslint.schema import Json

_SHORT = 12
_MEMORY = "hard threshold memory.available"
_FIELDS = {
    "qosClass": "class",
    "priority": "priority",
    "preemptionPolicy": "preemptionPolicy",
}


def told(document: Json) -> Json:
    """The document as it is told: its texts visible, and no name of a cluster if there is one."""
    shown = harmless(document)
    lists = ("workloads", "nodes")
    if len({each["cluster"] for name in lists for each in shown[name]}) > 1:
        return shown
    alone = {name: [{**each, "cluster": ""} for each in shown[name]] for name in lists}
    return {**shown, **alone}


def revisions(document: Json) -> str:
    """What is compared with what."""
    return f"From {_revision(document['base'])} to {_revision(document['head'])}"


def _revision(revision: Json) -> str:
    name, commit = revision["name"], revision["commit"]
    if commit is None:
        return name or "the work tree"
    called = base_name(name, commit)
    return f"{name} ({commit[:_SHORT]})" if called == name else called


def place(at: Json) -> str:
    """A place as `file:line`, of the older revision with that in front."""
    older = "base " if at["revision"] == "base" else ""
    return f"{older}{prose.place(at)}"


def cause_title(cause: Json, count: int) -> str:
    """What was done, where, and of how much it is the cause."""
    where = place(cause["edits"][0]["at"])
    changes = f"changes {counted(count, 'workload')}"
    match cause["kind"]:
        case "template" if count > 1:
            return f"What {counted(count, 'template')} have from {where} changed: {changes}"
        case "template":
            return f"Template of {cause['name']} changed ({where})"
        case "namespace":
            return f"Namespace of {cause['name']} changed ({where})"
        case "unknown":
            return f"What is known of {cause['name']} changed ({where})"
    return f"{cause['name']} {cause['what']} ({where}): {changes}"


def workload_title(each: Json) -> str:
    """The workload, in its cluster if it is a named one, and what it was called."""
    name = f"{each['kind']} {each['namespace']}/{each['name']}"
    if each["cluster"]:
        name = f"{name} in cluster {each['cluster']}"
    if each["fate"] in ("renamed", "moved"):
        return f"{name}, {each['fate']} from {each['was']}"
    return name


def edit_lines(edits: Iterable[Json]) -> Iterator[str]:
    """The fields that somebody wrote, took out or changed, each with its place."""
    for edit in edits:
        if edit["field"] and (edit["before"], edit["after"]) != (None, None):
            before, after = edit["before"] or "none", edit["after"] or "none"
            yield f"{edit['field']}: {before} → {after}  ({place(edit['at'])})"


def workload_lines(each: Json) -> Iterator[str]:
    """All that changes of a workload: its pods, what is expected of them, and their ranks."""
    yield from _difference_lines(each)
    yield from _expectation_lines(each)
    yield from _resize_line(each)
    yield from map(_rank_line, each["ranks"])


def _difference_lines(each: Json) -> Iterator[str]:
    """What differs: of the pod, then of its containers; refused pods with the reason."""
    for found in each["differences"]:
        if found["field"] == "admitted":
            yield from _admission(each, found)
        else:
            yield f"{_facet(found)}: {_value(found['before'])} → {_value(found['after'])}"


def _admission(each: Json, found: Json) -> Iterator[str]:
    words = {True: "admitted", False: "refused", None: "not known"}
    yield f"admission: {words[found['before']]} → {words[found['after']]}"
    if found["after"] is False:
        for refusal in each["after"]["rejections"]:
            yield f"  {refusal['by']}: {refusal['message']}"


def _facet(found: Json) -> str:
    field = _FIELDS.get(found["field"], found["field"])
    if found["field"] == "container":
        return container_name(found["container"], "")
    owner = container_name(found["container"], found["containerType"])
    if found["field"] == "oomScoreAdj":
        return f"oom_score_adj of {owner} on node {found['node']}"
    return f"{owner} {field}" if found["container"] else field


def _value(value: Json) -> str:
    return "none" if value is None else str(value)


def _expectation_lines(each: Json) -> Iterator[str]:
    """What somebody expects and is another answer now."""
    for found in each["expectations"]:
        before = found["before"] or "new"
        answer = f"{before} → {found['after']}: {found['because']}"
        yield f"expectation ({found['expects']}): {answer}"


def _resize_line(each: Json) -> Iterator[str]:
    """What running pods get of it, and how."""
    found = each["resize"]
    if found is None:
        return
    restarted = found["restarted"]
    restarts = f"restarts {listing(restarted)}" if restarted else "restarts no container"
    remarks = "".join(f"; {remark}" for remark in found["remarks"])
    match found["rollout"], found["inPlace"]:
        case True, True:
            yield (
                "running pods: the rollout replaces them; a resize in place would do, and "
                f"{restarts}{remarks}"
            )
        case True, False:
            yield (
                "running pods: the rollout replaces them; no resize in place: "
                f"{found['obstacles'][0]}"
            )
        case False, True:
            yield (
                "running pods: stay as they are until something replaces or resizes them; a resize "
                f"in place {restarts}{remarks}"
            )
        case _:
            yield (
                "running pods: stay as they are until something replaces them; no resize in place: "
                f"{found['obstacles'][0]}"
            )


def _rank_line(found: Json) -> str:
    """Where the pods stand in the order of eviction, and where they stood."""
    before, after = found["before"], found["after"]
    line = (
        f"evicted for memory on node {found['node']}: rank {_ranks(before)} → {_ranks(after)} of "
        f"{found['pods']}"
    )
    if found["overtaken"]:
        return f"{line}; no longer surely behind {listing(found['overtaken'])}"
    return line


def _ranks(ranks: Json) -> str:
    if ranks["earliest"] == ranks["latest"]:
        return str(ranks["earliest"])
    return f"{ranks['earliest']}-{ranks['latest']}"


def node_lines(node: Json) -> Iterator[str]:
    """What changed of a node profile, and for how many workloads."""
    where = place(node["edits"][0]["at"])
    pods = counted(len(node["pods"]), "workload")
    within = f" of cluster {node['cluster']}" if node["cluster"] else ""
    yield f"Node profile {node['name']}{within} {node['what']} ({where}): {pods} may run there"
    yield from (f"  {line}" for line in edit_lines(node["edits"]))
    for found in node["differences"]:
        yield f"  {found['field']}: {_value(found['before'])} → {_value(found['after'])}"
        if found["field"] == _MEMORY and found["after"] is None:
            yield "    no pod is evicted for memory there any more: the kernel kills instead"


def fate_phrase(fate: str, count: int) -> str:
    """The heading above workloads that no other input explains."""
    if fate == "kept":
        return "Changed by others:"
    return f"{counted(count, 'workload')} {fate}:"


def summary_phrase(each: Json) -> str:
    """What the pods are, or were."""
    found = each["after"] or each["before"]
    if found["admitted"] is False:
        messages = "; ".join(item["message"] for item in found["rejections"])
        return f": refused ({messages})"
    classes = " or ".join(found["qosClasses"]) or "class not known"
    return f": {classes}, priority {_value(found['priority'])}"


def total(document: Json) -> str:
    """How much changes, and how much does not."""
    changed, same = len(document["workloads"]), document["unchanged"]
    if not changed and not document["nodes"]:
        return (
            "Class, admission, priority, resources, scores and order of eviction stay as they are "
            f"in {counted(same, 'workload')}; nothing else is compared."
        )
    return f"{counted(changed, 'workload')} changed, {same} unchanged."
