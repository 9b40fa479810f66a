"""The sentences about a ranking that several commands say."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from qoslint.model.wording import counted, listing
from qoslint.report.ranking_remarks import NONE, misfit
from qoslint.report.visible import shortened
from qoslint.schema import Json

_SCENARIOS = {
    "peak": "every pod uses all that limits, measurements and the node allow",
    "requests": "every pod uses its request, or its least if it requests nothing",
    "usage": "pods that were measured use the most that was, the others their requests",
}


class _Keys(NamedTuple):
    """What the keys of an order are called, in clauses."""

    exceeds: str
    both: str
    neither: str
    last: str


_BYTES = _Keys(
    "uses more than it requests",
    "both use more than they request",
    "neither uses more than it requests",
    "usage - request",
)
_INODES = _Keys(
    "uses inodes",
    "both use inodes",
    "neither uses any inode",
    "count of inodes less its ephemeral-storage request",
)
_PROCESSES = _Keys("", "", "", "number of processes")


def scenario(name: str, each: Json) -> str:
    """What the pods use, as a sentence, and whether the node can show that."""
    others = "what was measured, else their requests" if each["measured"] else "their requests"
    leaking = (
        f"{shortened(name.partition(':')[2])} uses all that its limits and the node allow, the "
        f"others {others}"
    )
    return f"Scenario {shortened(name)}: {_SCENARIOS.get(name, leaking)}{misfit(each)}."


def thresholds(each: Json) -> str:
    """When the kubelet evicts for the signal, as a sentence."""
    told = [_threshold(threshold) for threshold in each["thresholds"]]
    if told:
        return f"The kubelet evicts when less than {listing(told)} is available."
    kernel = (
        " When memory runs out, the kernel kills by oom_score_adj and usage alone."
        if each["signal"].startswith("memory")
        else ""
    )
    return f"No threshold for {each['signal']}: the kubelet never evicts for it.{kernel}"


def _threshold(threshold: Json) -> str:
    resolved, value = threshold["resolved"], threshold["value"]
    told = value if resolved in (None, value) else f"{value} = {resolved}"
    soft = threshold["kind"] == "soft"
    kind = f"soft, for {threshold['gracePeriod']}" if soft else "hard"
    return f"{told} ({kind})"


def population(population: Json, count: int) -> str:
    """How it is known which pods share the node, as a sentence or two."""
    pods = counted(count, "pod")
    lacking = listing(
        f"{excess['resource']} {excess['requested']} of {excess['allocatable']} allocatable"
        for excess in population["excess"]
    )
    match population["kind"]:
        case "listed":
            fits = f", though they request {lacking}" if lacking else ""
            return f"{pods} on this node: those that its profile lists (`pods`){fits}."
        case "all":
            every = f"All {pods} share" if count != 1 else f"{pods} is on"
            return f"{every} this node, the only one (`count: 1`): they fit."
    unfit = f" They do not fit on one ({lacking}), so not all of them meet." if lacking else ""
    return (
        f"{pods}: one of each workload that may run there, as if all shared one node, which is "
        f"only assumed.{unfit} Of those that do share one, the order is the same."
    )


def ranks(first: int | None, last: int | None) -> str:
    """From the earliest to the latest rank: `2..5`, `-` where there is none."""
    if first is None or last is None:
        return NONE
    return str(first) if first == last else f"{first}..{last}"


def decided(first: Json, second: Json, signal: str, shown: Callable[[str], str] = str) -> str:
    """Why the first of two pods goes before the second, as a clause about the first."""
    keys = _keys(signal)
    if first["exceedsRequest"] != second["exceedsRequest"]:
        return f"it {keys.exceeds}, and the other does not"
    alike = keys.both if first["exceedsRequest"] else keys.neither
    if first["priority"] != second["priority"]:
        lower = f"its priority {first['priority']} is below {second['priority']}"
        return f"{alike}, and {lower}" if alike else lower
    both = f"{alike}, both have" if alike else "both have"
    return (
        f"{both} priority {first['priority']}, and its {keys.last} {shown(first['overage'])} "
        f"is above the other's {shown(second['overage'])}"
    )


def _keys(signal: str) -> _Keys:
    if signal.startswith("pid"):
        return _PROCESSES
    return _INODES if signal.endswith("inodesFree") else _BYTES
