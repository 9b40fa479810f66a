"""What would make a pod Guaranteed and what that costs, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.kernel.cgroup import MIN_QUOTA, QUOTA_PERIOD
from qoslint.kernel.pod import CPU
from qoslint.kernel.quantity import QuantityError, parse
from qoslint.model.wording import listing
from qoslint.report.amounts import amount, amounts, exact_amount, exact_amounts
from qoslint.report.prose import Naming, in_parentheses, naming, place
from qoslint.schema import Json

_SHOWN = 6
_LEAST_CPU = 1000 * MIN_QUOTA // QUOTA_PERIOD
"""Thousandths of a CPU; a smaller limit is raised to it."""


def guaranteed(pod: Json) -> Iterator[str]:
    """The edits that make the pod Guaranteed, and what they cost."""
    advice, name = pod["guaranteed"], naming(pod)
    for foreign in advice["foreign"]:
        yield (
            f"  The manifest does not hold container '{foreign}': its resources must be set where "
            "it comes from."
        )
    for index, edit in enumerate(advice["edits"]):
        yield f"  {'Or set' if index else 'Set'}:"
        for change in edit["changes"]:
            yield f"  - {_set(change, name)}"
        yield f"  {_tried(edit, name)}"
        if edit["works"]:
            yield from (f"  {sentence}" for sentence in _leaning(edit, pod, name))
        if edit["cost"]:
            yield f"  {_cost(edit['cost'], pod['replicas'])}"
        if edit["works"] and (limited := _limited(edit, pod, name)):
            yield f"  New limits: {limited}."
    if any(edit["works"] for edit in advice["edits"]):
        now_at = scores(pod["result"])
        shown = [f"{name(owner)} {score} on {node}" for (node, owner), score in now_at.items()]
        more = len(shown) - _SHOWN
        now = ", ".join([*shown[:_SHOWN], *([f"{more} more"] if more > 0 else [])])
        if {*now_at.values()} - {advice["oomScoreAdj"]}:
            score = advice["oomScoreAdj"]
            yield f"  As Guaranteed, each container has oom_score_adj {score} (now: {now})."


def _set(change: Json, name: Naming) -> str:
    owner = "" if change["container"] is None else f"{name(change['container'])}: "
    where = place(change["at"])
    if change["after"] is None:
        return f"{owner}{change['field']}, to a number that you choose ({where})"
    field = change["field"]
    before = "" if change["before"] is None else f" instead of {amount(field, change['before'])}"
    return in_parentheses(f"{owner}{field} {amount(field, change['after'])}{before}", where)


def _leaning(edit: Json, pod: Json, name: Naming) -> Iterator[str]:
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
            f"The {listing(resources)} limits of {name(container)} come from {by}; state them too: "
            "a running pod keeps its class, but once such a default rises, new pods are no longer "
            "Guaranteed, and once it falls below the request, new pods are refused."
        )
    if follows:
        yield "Requests that are not stated then follow the limits."


def _tried(edit: Json, name: Naming) -> str:
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
    left = listing(
        f"{each['resource']}{_of(each['container'], name)}" for each in edit["remaining"]
    )
    stands = f": what then stands in the way is {left}" if left else ""
    return (
        f"Recomputed by qoslint{with_what}: the pod is not sure to be Guaranteed even so{stands}."
    )


def _limited(edit: Json, pod: Json, name: Naming) -> str:
    """The limits that the edit itself sets, and what comes of more use than that."""
    verdict = pod["result"]["verdict"]
    now = {each["name"]: each["limits"] for each in verdict["containers"]}
    now[None] = verdict["podResources"]["limits"]
    on_linux = bool(pod["nodes"]) and all(each["scores"] for each in pod["nodes"])
    bounds: dict[str | None, list[str]] = {}
    for change in edit["changes"]:
        key, _, resource = change["field"].removeprefix("resources.").partition(".")
        if key != "limits" or change["after"] is None:
            continue
        before = now.get(change["container"], {}).get(resource)
        if before is not None and _nanos(before) == _nanos(change["after"]):
            continue
        was = "now none" if before is None else f"now {exact_amount(resource, before)}"
        of_pod = change["container"] is None
        kills = "loses a container to the OOM killer" if of_pod else "is OOM-killed"
        bound = _bound(resource, change["after"], kills if on_linux else None)
        bounds.setdefault(change["container"], []).append(in_parentheses(bound, was))
    return "; ".join(
        f"{'the pod as a whole' if owner is None else name(owner)} {' and '.join(each)}"
        for owner, each in bounds.items()
    )


def _bound(resource: str, limit: str, kills: str | None) -> str:
    if resource == CPU:
        nanos = _nanos(limit)
        raised = nanos is not None and nanos < _LEAST_CPU * 10**6
        return f"gets at most {f'{_LEAST_CPU}m' if raised else limit} CPU"
    if kills is None:
        return f"can use at most {amount(resource, limit)} of {resource}"
    return f"{kills} above {amount(resource, limit)} of {resource}"


def _nanos(text: str) -> int | None:
    """The quantity in billionths; None for a text that was cut because nobody reads so much."""
    try:
        return parse(text).nanos
    except QuantityError:
        return None


def _of(container: str | None, name: Naming) -> str:
    return " of the pod-level block" if container is None else f" of {name(container)}"


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


def scores(result: Json) -> dict[tuple[str, str], int]:
    """The scores by node and container."""
    containers = result["verdict"]["containers"] if result["verdict"] else ()
    nodes = dict.fromkeys(node for each in containers for node in each["oomScoreAdj"])
    return {
        (node, each["name"]): each["oomScoreAdj"][node]
        for node in nodes
        for each in containers
        if node in each["oomScoreAdj"]
    }
