"""Who goes first on each node, as text and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from qoslint.kernel.amount import MAX_INT64
from qoslint.kernel.quantity import parse
from qoslint.model.wording import counted
from qoslint.report.innocent_words import innocents, named
from qoslint.report.ranking_remarks import (
    UNKNOWN,
    feasible_remarks,
    is_unknown,
    met,
    order_remarks,
    shown,
    witness_sentence,
)
from qoslint.report.ranking_words import population, ranks, scenario, thresholds
from qoslint.report.style import Style
from qoslint.report.visible import shortened, width
from qoslint.schema import Json

_GAP = "  "
_CELLS = 10
_LEFT_OUT = 5
_PREEMPTING = 3
_LEVELS = 6
_HEAD = (
    "#",
    "ranks",
    "feasible",
    "pod",
    "class",
    "above request",
    "priority",
    "usage - request",
    "by",
    "usage",
    "request",
    "usage / request",
)
_COLUMNS = (
    "`#` is the rank in this scenario, and `by` the key that puts a pod before the next. `ranks` "
    "are the earliest and latest over all that limits and measurements allow, `feasible` the same "
    "for usages that fit the node and meet a threshold."
)
_LEAKING = " Of the pod that leaks, what was measured is not its most: its limits and the node are."
_BY = {
    "aboveRequest": "above request",
    "priority": "priority",
    "overage": "usage - request",
    None: "",
}
_KEYS = {
    "memory": "above request first, then lower priority, then larger usage - request",
    "pid": "lower priority first, then more processes",
}


def render(document: Json, style: Style) -> str:
    """The rankings as text; each says how it comes about and what it assumes."""
    blocks = (chain(_block(each, document, style), [""]) for each in document["rankings"])
    return "\n".join(chain.from_iterable(blocks)).rstrip("\n") + "\n"


def render_markdown(document: Json) -> str:
    """The same for a pull request or an incident review."""
    return "\n".join(
        chain.from_iterable(_markdown(each, document) for each in document["rankings"])
    )


def _block(each: Json, document: Json, style: Style) -> Iterator[str]:
    palette = style.palette
    yield palette.paint(palette.strong, _title(each))
    yield from _assumptions(each, document)
    yield ""
    rows = [_HEAD, *_table(each)]
    widths = [max(width(row[column]) for row in rows) for column in range(len(_HEAD))]
    for index, row in enumerate(rows):
        cells = (cell + " " * (most - width(cell)) for cell, most in zip(row, widths, strict=True))
        line = _GAP.join(cells).rstrip()
        yield palette.paint(palette.faint, line) if not index else line
    yield ""
    yield from _remarks(each)


def _markdown(each: Json, document: Json) -> Iterator[str]:
    yield f"### {_title(each)}"
    yield ""
    yield from (f"{line}  " for line in _assumptions(each, document))
    yield ""
    yield f"| {' | '.join(_HEAD)} |"
    yield f"|{'---|' * len(_HEAD)}"
    for row in _table(each):
        yield f"| {' | '.join(_escaped(cell) for cell in row)} |"
    yield ""
    yield from (f"{line}  " for line in _remarks(each))
    yield ""


def _escaped(cell: str) -> str:
    return cell.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def _title(each: Json) -> str:
    node = each["node"]
    return (
        f"{each['signal']} on node {shortened(node['name'])} of cluster "
        f"{shortened(each['cluster'])}, Kubernetes {node['version']}"
    )


def _assumptions(each: Json, document: Json) -> Iterator[str]:
    yield thresholds(each)
    if source := each["node"]["approximate"]:
        yield f"Such nodes differ in their memory; these are the numbers of the least: {source}"
    yield population(each["population"], len(each["rows"]))
    yield scenario(document["scenario"], each)
    yield from met(each)
    kind = "pid" if each["signal"].startswith("pid") else "memory"
    yield f"Order: {_KEYS[kind]}."
    leaks = each["measured"] and document["scenario"].startswith("leak:")
    yield f"{_COLUMNS}{_LEAKING if leaks else ''}"


def _table(each: Json) -> Iterator[tuple[str, ...]]:
    unknown = is_unknown(each)
    for row in each["rows"]:
        feasible = ranks(row["earliest"]["feasible"], row["latest"]["feasible"])
        known = not unknown or parse(row["usage"]).value() < MAX_INT64
        yield (
            f"{row['position']}{'=' if row['tie'] else ''}",
            ranks(row["earliest"]["bound"], row["latest"]["bound"]),
            UNKNOWN if unknown and each["thresholds"] else feasible,
            shortened(row["pod"]),
            row["qosClass"],
            "yes" if row["exceedsRequest"] else "no",
            f"{row['priority']}{'' if row['evictable'] else ' critical'}",
            shown(each["signal"], row["overage"]) if known else UNKNOWN,
            _BY[row["decidedBy"]],
            shown(each["signal"], row["usage"]) if known else UNKNOWN,
            shown(each["signal"], row["request"]),
            _bar(row["usage"], row["request"]) if known else "",
        )


def _bar(usage: str, request: str) -> str:
    """Usage against request; an arrow where there is more than the request."""
    used, wanted = parse(usage).nanos, parse(request).nanos
    if used > wanted:
        return "█" * _CELLS + "▶"
    filled = used * _CELLS // wanted if wanted else 0
    return "█" * filled + "·" * (_CELLS - filled)


def _remarks(each: Json) -> Iterator[str]:
    ties = any(row["tie"] for row in each["rows"])
    if ties:
        yield "`=`: these tie, and the kubelet may take any of them first."
    if any(not row["evictable"] for row in each["rows"]):
        yield "Critical pods are ranked, but the kubelet does not evict them; it takes the next."
    yield from feasible_remarks(each)
    yield from innocents(each)
    left = each["population"]["leftOut"]
    for item in left[:_LEFT_OUT]:
        yield f"Not on this node: {shortened(item['pod'])}, for {shortened(item['why'])}."
    if len(left) > _LEFT_OUT:
        yield f"Nor are {counted(len(left) - _LEFT_OUT, 'more workload')}."
    yield from _preemption(each)
    yield from _witnesses(each)
    yield from order_remarks(each)


def _witnesses(each: Json) -> Iterator[str]:
    """Those among victims only where they are not the same ones."""
    critical = any(not row["evictable"] for row in each["rows"])
    for row in each["rows"]:
        yield from (
            witness_sentence(witness, row["pod"], each["signal"])
            for witness in row["witnesses"]
            if witness["usages"] and (critical or not witness["bound"].startswith("victim"))
        )


def _preemption(each: Json) -> Iterator[str]:
    """Who makes room for whom: not what is ranked, and often taken for it."""
    who = each["preemption"]
    levels = who["levels"]
    if len(levels) > 1:
        shown = [f"{level['priority']} ({named(level['pods'], _PREEMPTING)})" for level in levels]
        lowest = [f"{len(levels) - _LEVELS} more priorities"] if len(levels) > _LEVELS else []
        assumed = each["population"]["kind"] == "possible"
        where = "On a node that they share" if assumed else "Here"
        yield (
            "To place a pod, the scheduler deletes pods of lower priority if that makes room, "
            "whatever their class and usage; budgets for disruptions are kept where they can be. "
            f"{where} each may preempt those behind it: "
            f"{', then '.join([*shown[:_LEVELS], *lowest])}."
        )
        if who["never"]["count"]:
            never = named(who["never"], _PREEMPTING)
            yield f"preemptionPolicy Never: {never} preempt nobody, and can be preempted."
    elif levels and levels[0]["pods"]["count"] > 1:
        yield f"None of them may preempt another: all have priority {levels[0]['priority']}."
    if who["critical"]["count"]:
        yield (
            f"For a critical pod ({named(who['critical'], _PREEMPTING)}) that the node has no "
            "room for, the kubelet evicts pods that it outranks. There the class counts: "
            "BestEffort, then Burstable, then Guaranteed, the fewest that are enough."
        )
