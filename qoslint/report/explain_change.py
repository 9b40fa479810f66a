"""What other values in a manifest would change, in sentences: for Guaranteed, and "what if"."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.model.wording import listing
from qoslint.report.amounts import amount, amounts, exact_amounts
from qoslint.report.prose import place
from qoslint.report.visible import width
from qoslint.schema import Json

_SHOWN = 6


def guaranteed(pod: Json) -> Iterator[str]:
    """The edits that make the pod Guaranteed, and what they cost."""
    advice = pod["guaranteed"]
    for foreign in advice["foreign"]:
        yield (
            f"  The manifest does not hold container '{foreign}': its resources must be set where "
            "it comes from."
        )
    for index, edit in enumerate(advice["edits"]):
        yield f"  {'Or set' if index else 'Set'}:"
        for change in edit["changes"]:
            yield f"  - {_set(change)}"
        yield f"  {_tried(edit)}"
        if edit["works"]:
            yield from (f"  {sentence}" for sentence in _leaning(edit, pod))
        if edit["cost"]:
            yield f"  {_cost(edit['cost'], pod['replicas'])}"
        if edit["works"] and (limited := _limited(edit)):
            yield f"  More than the new limits cannot be used: {limited}."
    if any(edit["works"] for edit in advice["edits"]):
        scores = _scores(pod["result"])
        shown = [f"{name} {score} on {node}" for (node, name), score in scores.items()]
        more = len(shown) - _SHOWN
        now = ", ".join([*shown[:_SHOWN], *([f"{more} more"] if more > 0 else [])])
        if {*scores.values()} - {advice["oomScoreAdj"]}:
            score = advice["oomScoreAdj"]
            yield f"  As Guaranteed, each container has oom_score_adj {score} (now: {now})."


def _set(change: Json) -> str:
    owner = "" if change["container"] is None else f"container '{change['container']}': "
    where = place(change["at"])
    if change["after"] is None:
        return f"{owner}{change['field']}, to a number that you choose ({where})"
    field = change["field"]
    before = "" if change["before"] is None else f" instead of {amount(field, change['before'])}"
    return f"{owner}{field} {amount(field, change['after'])}{before} ({where})"


def _leaning(edit: Json, pod: Json) -> Iterator[str]:
    """What the edit leaves to others: the limits to a LimitRange, the requests to the limits."""
    stated = {
        (container["name"], each["field"])
        for container in pod["authored"]["containers"]
        for each in container["fields"]
    } | {(change["container"], change["field"]) for change in edit["changes"]}
    filled = {
        (change["container"], change["field"]): stage["by"]
        for stage in pod["stages"]
        if stage["stage"] == "LimitRanger"
        for change in stage["changes"]
    }
    relied: dict[tuple[str, str], dict[str, None]] = {}
    follows = False
    for change in edit["changes"]:
        key, _, resource = change["field"].partition(".")
        owner = change["container"]
        other = (owner, f"{'limits' if key == 'requests' else 'requests'}.{resource}")
        if owner is None or other in stated:
            continue
        if key == "limits":
            follows = True
        elif other in filled:
            relied.setdefault((filled[other], owner), {})[resource] = None
    for (by, container), resources in relied.items():
        yield (
            f"The {listing(resources)} limits of container '{container}' come from {by}; state "
            "them too, for a change of its default limits can take the class away, or get the pod "
            "refused."
        )
    if follows:
        yield "Requests that are not stated then follow the limits."


def _tried(edit: Json) -> str:
    examples = dict.fromkeys(
        change["example"] for change in edit["changes"] if change["example"] is not None
    )
    with_what = f", with {listing(examples)} for example" if examples else ""
    if edit["works"]:
        known = "" if edit["admitted"] else ", as far as the files tell"
        return (
            f"Recomputed by qoslint{with_what}: the API server would accept the pod{known}, and it "
            "would be Guaranteed."
        )
    if edit["rejections"]:
        why = "; ".join(f"{each['by']}: {each['message']}" for each in edit["rejections"])
        return f"Recomputed by qoslint{with_what}: the API server would refuse the pod: {why}"
    left = listing(f"{each['resource']}{_of(each['container'])}" for each in edit["remaining"])
    stands = f": what then stands in the way is {left}" if left else ""
    return (
        f"Recomputed by qoslint{with_what}: the pod is not sure to be Guaranteed even so{stands}."
    )


def _limited(edit: Json) -> str:
    """The limits that the edit itself sets, with their containers."""
    return listing(
        f"{change['field'].removeprefix('limits.')} {amount(change['field'], change['after'])}"
        f"{_of(change['container'])}"
        for change in edit["changes"]
        if change["field"].startswith("limits.") and change["after"] is not None
    )


def _of(container: str | None) -> str:
    return " of the pod-level block" if container is None else f" of container '{container}'"


def _cost(cost: Json, replicas: int | None) -> str:
    before, after = cost["requests"]["before"], cost["requests"]["after"]
    if not cost["added"]:
        return f"The scheduler reserves as much as before: {amounts(after)} for each pod."
    changed = listing(
        f"{name} {amount(name, after[name])} instead of {amount(name, before.get(name, '0'))}"
        for name in cost["added"]
    )
    more = cost["addedByReplicas"]
    in_all = (
        f", {exact_amounts(more)} more for {replicas} pods"
        if more and replicas and replicas > 1
        else ""
    )
    return f"The scheduler then reserves {changed} for each pod{in_all}."


def what_if(pod: Json) -> Iterator[str]:
    """What is changed, and each key number before and after."""
    changed = pod["whatIf"]
    for change in changed["changes"]:
        yield f"  - {_assigned(change)}"
    rows = list(_rows(pod["result"], changed["result"]))
    if rows:
        label = max(width(row[0]) for row in rows)
        yield ""
        for name, before, after in rows:
            moved = f"{before} -> {after}" if before != after else f"{before}, as before"
            yield f"  {name}{' ' * (label - width(name))}  {moved}"
    for rejection in changed["result"]["rejections"]:
        yield f"  Refused by {rejection['by']}: {rejection['message']}"


def _assigned(change: Json) -> str:
    owner = "" if change["container"] is None else f"container '{change['container']}': "
    before, after = (
        "not stated" if change[key] is None else amount(change["field"], change[key])
        for key in ("before", "after")
    )
    return f"{owner}{change['field']}: {before} -> {after} ({place(change['at'])})"


def _rows(before: Json, after: Json) -> Iterator[tuple[str, str, str]]:
    yield "admission", _admission(before), _admission(after)
    old, new = before["verdict"] or {}, after["verdict"] or {}
    if not old and not new:
        return  # refused either way: there is no pod to have a number
    yield "class", _class(before), _class(after)
    yield "priority", _value(old.get("priority")), _value(new.get("priority"))
    for name in dict.fromkeys((*old.get("requests", ()), *new.get("requests", ()))):
        yield f"{name} reserved for each pod", _request(old, name), _request(new, name)
    scores, others = _scores(before), _scores(after)
    for node, container in dict.fromkeys((*scores, *others)):
        label = f"oom_score_adj of {container} on {node}"
        key = (node, container)
        yield label, _value(scores.get(key)), _value(others.get(key))


def _scores(result: Json) -> dict[tuple[str, str], int]:
    """The scores by node and container."""
    containers = result["verdict"]["containers"] if result["verdict"] else ()
    nodes = dict.fromkeys(node for each in containers for node in each["oomScoreAdj"])
    return {
        (node, each["name"]): each["oomScoreAdj"][node]
        for node in nodes
        for each in containers
        if node in each["oomScoreAdj"]
    }


def _admission(result: Json) -> str:
    if result["admitted"] is None:
        return "not known"
    return "accepted" if result["admitted"] else "refused"


def _class(result: Json) -> str:
    return " or ".join(result["qosClasses"]) or "none"


def _request(verdict: Json, name: str) -> str:
    return amount(name, verdict["requests"].get(name, "0")) if verdict else "none"


def _value(value: object) -> str:
    return "none" if value is None else str(value)
