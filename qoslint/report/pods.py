"""The pods of a run as a table, and for each node the containers with the highest oom_score_adj."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from qoslint.finding import PodLine
from qoslint.report.style import Palette, Style
from qoslint.report.visible import shortened, width

MOST = 20
"""A run with more pods than this has no table; `qoslint facts` prints them all."""

_CLUSTERS = 5
"""So many clusters have their nodes named then."""

_GAP = "  "
_REASON = 100
_NAMED = 3


class Highest(NamedTuple):
    """The highest oom_score_adj of a node, and the (pod, container) pairs that have it."""

    node: str
    oom_score_adj: int
    containers: tuple[tuple[PodLine, str], ...]


def pod_table(pods: Sequence[PodLine], style: Style) -> Iterator[str]:
    """The lines about the pods, one block a cluster."""
    blocks = [
        (cluster, tuple(group))
        for cluster, group in groupby(
            sorted(pods, key=lambda pod: pod.cluster), key=lambda pod: pod.cluster
        )
    ]
    if len(pods) > MOST:
        yield f"{len(pods)} pods are too many for a table: `qoslint facts` prints them all."
        scored = [block for block in blocks if any(pod.scores for pod in block[1])]
        blocks = scored[:_CLUSTERS]
    for index, (cluster, group) in enumerate(blocks):
        if index:
            yield ""
        if len(blocks) > 1:
            yield style.palette.paint(style.palette.strong, f"cluster {shortened(cluster)}")
        nodes = dict.fromkeys(node for pod in group for node in pod.scores)
        highest = [_highest(group, node) for node in nodes]
        if len(pods) <= MOST:
            yield from _table(group, highest, style)
            if highest:
                yield ""
        yield from map(_sentence, highest)
    yield from _remark(pods)


def _remark(pods: Sequence[PodLine]) -> Iterator[str]:
    if any(pod.scores for pod in pods):
        yield ""
        yield (
            "Of processes that use the same amount of memory, the kernel kills the one with the "
            "highest oom_score_adj first."
        )
    elif any(pod.became not in ("refused", "unknown") for pod in pods):
        yield ""
        yield (
            "No node profile is known, so no oom_score_adj is shown: `qoslint nodes --presets` "
            "lists those that `nodes` in the settings can name."
        )


def _highest(pods: Sequence[PodLine], node: str) -> Highest:
    scores = [(pod, score) for pod in pods for score in pod.scores.get(node, ())]
    top = max(score.oom_score_adj for _, score in scores)
    holders = tuple((pod, score.container) for pod, score in scores if score.oom_score_adj == top)
    return Highest(node, top, holders)


def _sentence(highest: Highest) -> str:
    count = len(highest.containers)
    named = [
        f"{shortened(name)} of {shortened(pod_name(pod))}"
        for pod, name in highest.containers[:_NAMED]
    ]
    node, top = shortened(highest.node), highest.oom_score_adj
    if count == 1:
        return f"On node {node}, container {named[0]} has the highest oom_score_adj, {top}."
    more = f" and {count - _NAMED} more" if count > _NAMED else ""
    listed = f"{', '.join(named)}{more}"
    return f"On node {node}, {count} containers share the highest oom_score_adj, {top}: {listed}."


def pod_name(pod: PodLine) -> str:
    """The pod's workload as reports name it: `shop/Deployment/api`."""
    return f"{pod.namespace}/{pod.kind}/{pod.name}"


def _table(pods: Sequence[PodLine], highest: Sequence[Highest], style: Style) -> Iterator[str]:
    rows = [
        [
            "pod",
            "class",
            "priority",
            *(f"oom_score_adj on {shortened(top.node)}" for top in highest),
        ],
        *(_row(pod, highest) for pod in pods),
    ]
    widths = [max(width(row[i]) for row in rows if i < len(row)) for i in range(len(rows[0]))]
    # A node whose column does not fit still has its sentence below the table.
    while len(widths) > 4 and sum(widths) + len(_GAP) * (len(widths) - 1) > style.width:
        widths.pop()
    looks = ["", *(_look(pod, style.palette) for pod in pods)]
    reasons = ["", *map(_reason, pods)]
    for row, look, reason in zip(rows, looks, reasons, strict=True):
        cells = [
            cell + " " * (columns - width(cell)) for cell, columns in zip(row, widths, strict=False)
        ]
        cells[1] = style.palette.paint(look, cells[1])
        yield _GAP.join([*cells, reason]).rstrip()


def _row(pod: PodLine, highest: Sequence[Highest]) -> list[str]:
    row = [shortened(pod_name(pod)), shortened(pod.became)]
    row.append("" if pod.priority is None else str(pod.priority))
    return row if _reason(pod) else [*row, *(_cell(pod, top) for top in highest)]


def _cell(pod: PodLine, highest: Highest) -> str:
    """The pod's highest oom_score_adj on the node, marked where it is also the node's."""
    scores = pod.scores.get(highest.node)
    if not scores:
        return "-"
    top = max(score.oom_score_adj for score in scores)
    names = [shortened(score.container) for score in scores if score.oom_score_adj == top]
    more = f" and {len(names) - 2} more" if len(names) > 2 else ""
    mark = " <- tied" if len(highest.containers) > 1 else " <- highest"
    return f"{top} {', '.join(names[:2])}{more}{mark if top == highest.oom_score_adj else ''}"


def _reason(pod: PodLine) -> str:
    text = shortened(": ".join(filter(None, [" or ".join(pod.classes), pod.reason])))
    return text if len(text) <= _REASON else f"{text[: _REASON - 1]}…"


def _look(pod: PodLine, palette: Palette) -> str:
    looks = {
        "Guaranteed": palette.good,
        "BestEffort": palette.warning,
        "refused": palette.error,
        "unknown": palette.warning,
    }
    return looks.get(pod.became, "")
