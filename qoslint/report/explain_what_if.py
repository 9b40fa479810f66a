"""What other values in a manifest change: each key number before and after."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from qoslint.model.wording import counted
from qoslint.report.amounts import amount
from qoslint.report.explain_change import scores
from qoslint.report.explain_verdict import refusal_reason
from qoslint.report.prose import Naming, in_parentheses, naming, place
from qoslint.report.ranking_words import ranks
from qoslint.report.visible import width
from qoslint.schema import Json

_RESERVED = " reserved for each pod"
_QUIET = ("cpu.", "preemptionPolicy")
"""What is only told where it changes."""
_WEIGHT = {"v1": "cpu.shares", "v2": "cpu.weight"}


def what_if(pod: Json) -> Iterator[str]:
    """What is changed, and what becomes of it; a number that neither pod has is left out."""
    changed, name = pod["whatIf"], naming(pod)
    for change in changed["changes"]:
        yield f"  - {_assigned(change, name)}"
    before, after = pod["result"], changed["result"]
    rows = [("admission", _admissions(before, after)), *_rows(pod), *_ranks(pod)]
    label = max(width(row[0]) for row in rows)
    yield ""
    for title, moved in rows:
        yield f"  {title}{' ' * (label - width(title))}  {moved}"
    if missing := _missing(before, after):
        yield f"  {missing}"
    yield from _refused(pod)
    for warning in after["warnings"]:
        again = " as before" if warning in before["warnings"] else ""
        yield f"  The API server warns{again}: {warning}"


def _assigned(change: Json, name: Naming) -> str:
    owner = "" if change["container"] is None else f"{name(change['container'])}: "
    before, after = (
        "not stated" if change[key] is None else amount(change["field"], change[key])
        for key in ("before", "after")
    )
    return in_parentheses(f"{owner}{change['field']}: {_moved(before, after)}", place(change["at"]))


def _moved(before: str, after: str) -> str:
    return f"{before} -> {after}" if before != after else f"{before}, as before"


def _admissions(before: Json, after: Json) -> str:
    old, new = _reasons(before), _reasons(after)
    if before["admitted"] is after["admitted"] is False and {*old} != {*new}:
        return f"refused, now for {counted(len(new), 'reason')} (before: {len(old)})"
    return _moved(_admission(before), _admission(after))


def _admission(result: Json) -> str:
    if result["admitted"] is None:
        return "not known"
    return "accepted" if result["admitted"] else "refused"


def _reasons(result: Json) -> list[tuple[str, str]]:
    return [(each["by"], each["message"]) for each in result["rejections"]]


def _missing(before: Json, after: Json) -> str:
    """Why no numbers are compared; empty if there are two pods to compare."""
    lacking = [result for result in (before, after) if not result["verdict"]]
    if not lacking:
        return ""
    refused = all(result["admitted"] is False for result in lacking)
    numbers = "class, priority or score"
    if after["verdict"]:
        why = "no pod is created" if refused else "it is not known what the pods are"
        return f"Without the change {why}, so there is no {numbers} to compare with."
    if refused:
        return f"No pod is created, so it has no {numbers}."
    return "It is not known what the pods are, so neither are class, priority and scores."


def _refused(pod: Json) -> Iterator[str]:
    old = _reasons(pod["result"])
    for refusal in pod["whatIf"]["refusals"]:
        again = (refusal["by"], refusal["message"]) in old
        mark = "Refused as before" if again else "Newly refused" if old else "Refused"
        yield f"  {mark} by {refusal_reason(refusal)}"


def _rows(pod: Json) -> Iterator[tuple[str, str]]:
    """Each number with what becomes of it, if the changed pod has any."""
    before, after = pod["result"]["verdict"], pod["whatIf"]["result"]["verdict"]
    if after is None:
        return
    cgroups = pod["whatIf"]["cgroups"]
    shares = [_shares(verdict, cgroups, naming(pod)) for verdict in (before, after) if verdict]
    alike = all(len({*map(_frozen, each.values())}) == 1 for each in shares)
    *known, then = (
        {**dict(_numbers(result, naming(pod))), **_told(each, alike)}
        for result, each in zip(_with_pods(pod), shares, strict=True)
    )
    if not known:
        yield from then.items()
        return
    for title in dict.fromkeys((*known[0], *then)):
        missing = "0" if title.endswith(_RESERVED) else "none"
        old, new = known[0].get(title, missing), then.get(title, missing)
        if old != new or not title.startswith(_QUIET):
            yield title, _moved(old, new)


def _ranks(pod: Json) -> Iterator[tuple[str, str]]:
    """The ranks on the node that was asked for, signal by signal, if the pods then have any."""
    before, after = pod["standing"], pod["whatIf"]["standing"]
    if after is None or not after["signals"]:
        return
    old = {each["signal"]: each for each in before["signals"]}
    for number, each in enumerate(after["signals"]):
        was, signal = old.get(each["signal"]), each["signal"]
        for title, shown in _RANKS:
            moved = _moved("none" if was is None else shown(was), shown(each))
            if not number or not moved.endswith("as before"):
                yield f"{title} for {signal} on {after['node']}", moved


_RANKS: tuple[tuple[str, Callable[[Json], str]], ...] = (
    ("rank", lambda each: f"{each['row']['position']}{'=' if each['row']['tie'] else ''}"),
    ("possible ranks", lambda each: _possible(each["row"], "bound")),
    ("feasible ranks", lambda each: _possible(each["row"], "feasible")),
)


def _possible(row: Json, which: str) -> str:
    return ranks(row["earliest"][which], row["latest"][which])


def _with_pods(pod: Json) -> Iterator[Json]:
    return (each for each in (pod["result"], pod["whatIf"]["result"]) if each["verdict"])


def _numbers(result: Json, name: Naming) -> Iterator[tuple[str, str]]:
    verdict = result["verdict"]
    yield "class", " or ".join(result["qosClasses"]) or "not known"
    yield "priority", _value(verdict["priority"])
    yield "preemptionPolicy", _value(verdict["preemptionPolicy"])
    for resource, quantity in verdict["requests"].items():
        yield f"{resource}{_RESERVED}", amount(resource, quantity)
    for (node, container), score in scores(result).items():
        yield f"oom_score_adj of {name(container)} on {node}", str(score)


_Shares: TypeAlias = Mapping[str, Mapping[str, int]]


def _shares(verdict: Json, cgroups: Json, name: Naming) -> _Shares:
    """By node what its kubelet makes of CPU requests: shares for the runtime, or a weight."""
    return {
        node: {
            **{
                f"cpu.shares of {name(each['name'])}": each["cgroup"][node]["cpu.shares"]
                for each in verdict["containers"]
            },
            f"{_WEIGHT[cgroups[node]]} of the pod's cgroup": values[_WEIGHT[cgroups[node]]],
        }
        for node, values in verdict["cgroup"].items()
    }


def _frozen(values: Mapping[str, int]) -> frozenset[tuple[str, int]]:
    return frozenset(values.items())


def _told(shares: _Shares, alike: bool) -> dict[str, str]:
    """The titles and values, those of one node alone if all nodes are alike."""
    return {
        title if alike else f"{title} on {node}": str(value)
        for node, values in shares.items()
        for title, value in values.items()
    }


def _value(value: object) -> str:
    return "not known" if value is None else str(value)
