"""Where a workload's pods stand on a node: who goes before and behind them, and what moves them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from qoslint.kernel.quantity import Format, new_quantity, parse
from qoslint.model.wording import counted, listing
from qoslint.report.amounts import memory
from qoslint.report.explain_verdict import Section
from qoslint.report.ranking_remarks import NONE, UNKNOWN, shown
from qoslint.report.ranking_words import decided, population, ranks, scenario, thresholds
from qoslint.schema import Json

_KIB = 1024


def standing(document: Json) -> Iterator[Section]:
    """The sections about the node: the signal that was asked for at length, others in a line."""
    title = f"Who goes first on node {document['node']}"
    if document["notThere"]:
        why = f"  None of its pods is on the node: {document['notThere']}."
        yield title, "warning", iter([why])
        return
    first, *others = document["signals"]
    yield f"{title} when {first['signal']} is low", "strong", _story(first, document)
    if others:
        yield "For what else the node evicts", "strong", _in_a_line(others)


def briefly(document: Json, compared: Json) -> Iterator[str]:
    """Where the pods stand, and the keys that decide, to compare with another such text.

    Who shares the node is only said where that is another answer there.
    """
    for each in document["signals"][:1]:
        if document["population"] != compared["population"]:
            yield f"  {population(document['population'], each['count'])}"
        yield f"  {_place(each)}"
        yield from (f"  - {line}" for line in _neighbours(each))
    if document["notThere"]:
        yield f"  None of its pods is on the node: {document['notThere']}."


def _story(each: Json, document: Json) -> Iterator[str]:
    yield f"  {thresholds(each)}"
    yield f"  {population(document['population'], each['count'])}"
    yield f"  {scenario(document['scenario'], each)}"
    yield f"  {_place(each)}"
    yield f"  {_bounds(each)}"
    yield from (f"  - {line}" for line in _neighbours(each))
    yield from _later(each)
    if message := each["message"]:
        yield f"  If it is evicted, its status says: {message.strip()}"


def _place(each: Json) -> str:
    row, signal = each["row"], each["signal"]
    further = each["further"]
    more = f" (its other pods {listing(map(str, further))})" if further else ""
    usage = shown(signal, row["usage"])
    keys = f"priority {row['priority']}, usage {usage}"
    if not signal.startswith("pid"):
        above = "yes" if row["exceedsRequest"] else "no"
        over, request = shown(signal, row["overage"]), shown(signal, row["request"])
        keys = (
            f"above request: {above}, priority {row['priority']}, usage - request: {over} ({usage} "
            f"- {request})"
        )
    critical = "" if row["evictable"] else " It is critical: it is ranked, but never evicted."
    return f"{row['pod']} has {_position(each)}{more}: {keys}.{critical}"


def _position(each: Json) -> str:
    row = each["row"]
    return f"rank {row['position']} of {each['count']}{', in a tie' if row['tie'] else ''}"


def _bounds(each: Json) -> str:
    row = each["row"]
    earliest, latest = row["earliest"], row["latest"]
    box = ranks(earliest["bound"], latest["bound"])
    feasible = _feasible(each)
    if feasible == NONE:
        within = "but no usages fit the node and meet a threshold"
    elif feasible == UNKNOWN:
        within = "and which usages fit the node is not known"
    else:
        alike = "also" if feasible == box else feasible
        within = f"{alike} with usages that fit the node and meet a threshold"
    return f"Over all that the pods may use, its rank is {box}, {within}.{_among_victims(row)}"


def _feasible(each: Json) -> str:
    row, sizes = each["row"], [threshold["resolved"] for threshold in each["thresholds"]]
    if None in sizes:
        return UNKNOWN
    return ranks(row["earliest"]["feasible"], row["latest"]["feasible"])


def _among_victims(row: Json) -> str:
    first, last = row["victimEarliest"], row["victimLatest"]
    if first is None or (first, last) == (row["earliest"], row["latest"]):
        return ""
    return (
        f" Without critical pods, which are passed over, {ranks(first['bound'], last['bound'])}; "
        f"feasible {ranks(first['feasible'], last['feasible'])}."
    )


def _neighbours(each: Json) -> Iterator[str]:
    """Which key decides against the pod before it and the pod behind it."""
    own, signal = each["row"], each["signal"]
    if ahead := each["ahead"]:
        yield _order(ahead["row"], own, signal)
    if count := each["tiesWith"]["count"]:
        names = each["tiesWith"]["pods"]
        shown = listing(names) if count == 1 else f"{counted(count, 'pod')}, such as {names[0]}"
        yield f"{own['pod']} ties with {shown}: the kubelet may take any of them first."
    if behind := each["behind"]:
        yield _order(own, behind["row"], signal)
    if not ahead and not count:
        yield "No pod goes before it."
    if not behind and not count:
        yield "No other pod goes behind it."


def _order(first: Json, second: Json, signal: str) -> str:
    why = decided(first, second, signal, partial(shown, signal))
    return f"{first['pod']} goes before {second['pod']}: {why}."


def _later(each: Json) -> Iterator[str]:
    later, row, signal = each["later"], each["row"], each["signal"]
    if later is None or not (each["behind"] or each["tiesWith"]["count"]):
        return
    yield "  What gives it a later rank, if every pod uses what it uses here:"
    if not signal.startswith("pid") and not signal.endswith("inodesFree"):
        resource = "memory" if signal.startswith("memory") else "ephemeral-storage"
        yield f"  - {_by_request(later['request'], row, resource)}{_fits(later, each['count'])}"
    yield f"  - {_by_priority(later['priority'], row)}"
    yield from _by_limit(row, signal)


def _by_request(moves: Json, row: Json, resource: str) -> str:
    now = row["request"]
    if moves is None:
        return f"No larger {resource} request that fits the node does (now {now})."
    nearest, furthest = moves
    told = f"A {resource} request of {_least(nearest)} instead of {now}: {_rank(nearest)}"
    if furthest != nearest:
        told = f"{told}; of {_least(furthest)}: {_rank(furthest)}, the latest that a request gives"
    limited = nearest["aboveLimit"] or furthest["aboveLimit"]
    return f"{told}.{' Its memory limit has to be raised for it, too.' if limited else ''}"


def _fits(later: Json, count: int) -> str:
    """Up to which request the pod fits the node, and still shares it with the others."""
    beside, alone = later["fitsBesideOthers"], later["fitsAlone"]
    if alone is None:
        return ""
    if beside in (None, alone):
        return f" At most {memory(alone)} fits such a node."
    shared = f"{memory(beside)} fits while all {count} pods share the node"
    return f" At most {shared}, {memory(alone)} alone."


def _by_limit(row: Json, signal: str) -> Iterator[str]:
    """A limit is no key of the order, but it bounds the first of them."""
    if signal.startswith("memory") and row["exceedsRequest"] and parse(row["request"]).nanos:
        yield (
            "  With memory limits equal to its requests it cannot be above its request: "
            "`--what-if limits.memory=...` shows its ranks then."
        )


def _by_priority(moves: Json, row: Json) -> str:
    now = row["priority"]
    if moves is None:
        return f"No higher priority of a class of your own does (now {now})."
    nearest, furthest = moves
    told = f"A priority of at least {nearest['value']} instead of {now}: {_rank(nearest)}"
    if furthest == nearest:
        return f"{told}."
    last = f"of at least {furthest['value']}: {_rank(furthest)}, the latest that a priority gives"
    return f"{told}; {last}."


def _rank(move: Json) -> str:
    return f"rank {move['position']}{' in a tie' if move['tie'] else ''}"


def _least(move: Json) -> str:
    """The least amount, or the round one that it is just above."""
    count = parse(move["value"]).value()
    if count % _KIB == 1 and count > 1:
        return f"more than {new_quantity(count - 1, Format.BINARY_SI).canonical()}"
    return f"at least {move['value']}"


def _in_a_line(others: list[Json]) -> Iterator[str]:
    """Signals with the same ranks share a line."""
    alike: dict[str, list[str]] = {}
    for each in others:
        alike.setdefault(_ranks(each), []).append(each["signal"])
    for told, signals in alike.items():
        yield f"  - {listing(signals)}: {told}"


def _ranks(each: Json) -> str:
    row = each["row"]
    box = ranks(row["earliest"]["bound"], row["latest"]["bound"])
    within = _feasible(each)
    return f"{_position(each)}; over all that the pods may use {box}, feasible {within}"
