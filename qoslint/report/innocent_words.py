"""What a ranking says of innocent victims: pods that go although within their requests."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from qoslint.kernel.quantity import parse
from qoslint.model.wording import listing
from qoslint.report.visible import shortened
from qoslint.schema import Json

_NAMED = 6
_GROWING = 10
"""Pods of which it is said who goes before them."""

_COUNTED = ("inodesFree", "pid.available")


def innocents(each: Json) -> Iterator[str]:
    """Who goes while something else grows; nothing where no usages of pods meet a threshold."""
    limits = each["limits"]
    never = limits is not None and parse(limits["least"]).nanos > parse(limits["most"]).nanos
    if not each["thresholds"] or never or each["range"]["most"] == "0" or not each["rows"]:
        return
    if each["signal"].endswith(_COUNTED):
        yield from _of_what_nobody_requests(each)
        return
    shared = ", if they share one node" if each["population"]["kind"] == "possible" else ""
    yield f"Innocent victims, evicted although within their requests{shared} ({_rest(each)}):"
    yield from (f"  - {line}" for line in _lines(each))


def _rest(each: Json) -> str:
    used = "what was measured, else their requests" if each["measured"] else "their requests"
    return f"pods that do not grow use {used}"


def _lines(each: Json) -> Iterator[str]:
    yield _daemons(each["ifDaemonsGrow"])
    growing = [row for row in each["rows"] if row["innocentVictims"]["count"]]
    for row in growing[:_GROWING]:
        victims = named(row["innocentVictims"], _NAMED)
        critical = "" if row["evictable"] else ", which is critical and never evicted,"
        early = ", if a threshold is met while it is within its own request" if not critical else ""
        yield f"If only {shortened(row['pod'])}{critical} grows: {victims} may go before it{early}."
    if len(growing) > _GROWING:
        yield f"The same is so of {len(growing) - _GROWING} more pods that may grow."
    if not growing:
        yield (
            "If only one pod grows: none. No pod within its request goes before the one that grows."
        )
    yield from _above(each)
    yield from _never(each)


def _never(each: Json) -> Iterator[str]:
    """Those that are above their requests whatever else grows."""
    told = [
        f"{named(each[key], _NAMED)} ({why})"
        for key, why in (
            ("alwaysAboveRequest", "above request as soon as it runs"),
            ("measuredAboveRequest", "above request in all that was measured"),
        )
        if each[key]["count"]
    ]
    if told:
        yield f"Never innocent: {'; '.join(told)}."


def _daemons(order: Json) -> str:
    first, then = order["aboveRequest"], order["innocentVictims"]
    above = f"first those above their requests ({_in_order(first)})" if first["count"] else ""
    within = _in_order(then) if then["count"] else "none"
    told = f"{above}; then the innocent: {within}" if above else within
    return f"If only daemons grow: {told}."


def _in_order(order: Json) -> str:
    """The pods in the order in which they go; the kubelet may take any of those that tie first."""
    pairs = list(zip(order["ranks"], order["pods"], strict=True))[:_NAMED]
    groups = [[name for _, name in found] for _, found in groupby(pairs, key=itemgetter(0))]
    told = [
        f"{listing(map(shortened, group))}{' (a tie: any of them first)' if group[1:] else ''}"
        for group in groups
    ]
    more = order["count"] - len(pairs)
    return ", then ".join([*told, f"{more} more"] if more else told)


def _above(each: Json) -> Iterator[str]:
    """Those that go before a growing pod and are no innocent victims; alike ones share a line."""
    groups: dict[str, list[str]] = {}
    for row in each["rows"]:
        count = row["goBefore"]["count"] - row["innocentVictims"]["count"]
        if count:
            # Those above their requests are the first of them.
            above = {"count": count, "pods": row["goBefore"]["pods"][:count]}
            groups.setdefault(named(above, _NAMED), []).append(shortened(row["pod"]))
    for names, growing in groups.items():
        shown = growing[:_NAMED]
        more = [f"one of {len(growing) - _NAMED} more"] if len(growing) > _NAMED else []
        yield (
            f"If only {' or '.join([*shown, *more])} grows: {names} may go before it (above "
            "request anyway, so not innocent)."
        )


def _of_what_nobody_requests(each: Json) -> Iterator[str]:
    growing = [row for row in each["rows"] if row["goBefore"]["count"]]
    if not growing:
        return
    yield "If only one pod grows and the others use their least, these may be evicted before it:"
    for row in growing[:_GROWING]:
        yield f"  - before {shortened(row['pod'])}: {named(row['goBefore'], _NAMED)}."
    if len(growing) > _GROWING:
        yield f"  - likewise before {len(growing) - _GROWING} more pods."


def named(pods: Json, most: int) -> str:
    """The names of pods, or the first of them and how many more."""
    more = pods["count"] - most
    names = [shortened(name) for name in pods["pods"][:most]]
    return listing([*names, f"{more} more"] if more > 0 else names)
