"""Which orders of several LimitRanges give different pods.

The API server applies them in the order of a Go map, which is none
(`plugin/pkg/admission/limitranger/admission.go GetLimitRanges`, the lister over an index).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from qoslint.kernel.limitrange import CONTAINER, LimitRange
from qoslint.kernel.pod import Pod

MAX_ORDERS = 64
"""No more results are told apart: a namespace with more is a finding in itself."""

_MAX_WORK = 1_000_000

_Slot: TypeAlias = tuple[str, str]
"""What a default fills: `requests` or `limits`, and a resource name."""

_Offer: TypeAlias = Mapping[_Slot, str]
"""What one LimitRange has for each slot, as it is stored: `1Gi` and `1073741824` differ."""


class Orders(NamedTuple):
    """Orders with different results, that of the scope first; `complete` if these are all."""

    orders: tuple[tuple[int, ...], ...]
    complete: bool


def distinct_orders(pod: Pod, limit_ranges: Sequence[LimitRange]) -> Orders:
    """One order for each way in which the LimitRanges can share out what the pod lacks.

    Only those that disagree about something that a container lacks are permuted.
    """
    if len(limit_ranges) < 2:
        return Orders((tuple(range(len(limit_ranges))),), complete=True)
    offers = _contested_offers(pod, limit_ranges)
    found: list[tuple[int, ...]] = []
    seen: set[frozenset[tuple[_Slot, str]]] = set()
    # Depth first, earlier LimitRanges first, so the scope's own order comes out first.
    stack: list[tuple[tuple[int, ...], _Offer]] = [((), {})]
    work = 0
    while stack and len(found) < MAX_ORDERS and work < _MAX_WORK:
        order, filled = stack.pop()
        key = frozenset(filled.items())
        if key in seen:
            continue
        seen.add(key)
        useful = [index for index, offer in offers.items() if offer.keys() - filled.keys()]
        if not useful:
            # The first result is that of the scope's order, whatever was left out of it here.
            every = range(len(limit_ranges))
            found.append(_completed(order, every) if found else tuple(every))
        stack.extend(((*order, index), {**offers[index], **filled}) for index in reversed(useful))
        work += len(offers) * (len(filled) + 1)
    complete = not stack or all(_seen(item, seen) for item in stack)
    return Orders(tuple(found) or (tuple(range(len(limit_ranges))),), complete)


def _seen(item: tuple[tuple[int, ...], _Offer], seen: set[frozenset[tuple[_Slot, str]]]) -> bool:
    return frozenset(item[1].items()) in seen


def _completed(order: tuple[int, ...], every: Iterable[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys((*order, *every)))


def _contested_offers(pod: Pod, limit_ranges: Sequence[LimitRange]) -> dict[int, _Offer]:
    """What each LimitRange offers for slots that the pod lacks and others fill otherwise."""
    offers = {index: _offer(limit_range) for index, limit_range in enumerate(limit_ranges)}
    values: dict[_Slot, set[str]] = {}
    for offer in offers.values():
        for slot, value in offer.items():
            values.setdefault(slot, set()).add(value)
    open_slots = {slot for slot, several in values.items() if len(several) > 1}
    contested = {slot for slot in open_slots if _lacks(pod, slot)}
    narrowed = {
        index: {slot: value for slot, value in offer.items() if slot in contested}
        for index, offer in offers.items()
    }
    return {index: offer for index, offer in narrowed.items() if offer}


def _offer(limit_range: LimitRange) -> _Offer:
    offer: dict[_Slot, str] = {}
    for item in limit_range.limits:
        if item.type == CONTAINER:
            offer |= {("limits", name): str(q) for name, q in item.default.items()}
            offer |= {("requests", name): str(q) for name, q in item.default_request.items()}
    return offer


def _lacks(pod: Pod, slot: _Slot) -> bool:
    key, name = slot
    for _, container in pod.containers_with_paths():
        resources = container.resources
        if name not in (resources.limits if key == "limits" else resources.requests):
            return True
    return False
