"""Counterexamples for whole nodes: against every usage that there is, evicted pod by pod."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from qoslint.kernel.eviction import rank, victims
from qoslint.kernel.quantity import parse
from qoslint.kernel.signals import Signal
from qoslint.model.contenders import Contender, limits
from qoslint.model.expect.replay import Duel, replay
from qoslint.model.usage import Usage

CRITICAL = 2_000_000_000


@st.composite
def contenders(draw):
    lo = draw(st.integers(0, 2))
    usage = Usage(lo, lo + draw(st.integers(0, 4)))
    priority = draw(st.sampled_from([0, 0, 0, 1, -1, CRITICAL]))
    request = parse(draw(st.sampled_from(["0", "1", "2", "4", "1500m"])))
    return Contender(usage, request, priority, priority == CRITICAL)


def gone_first(pods, left, least):
    """Whether pod 0 is evicted while pod 1 runs, one by one, whichever of those that tie goes."""
    if sum(left.values()) < least:
        return False
    indexes = list(left)
    groups = rank([pods[index].at(left[index]) for index in indexes], Signal.MEMORY)
    critical = [place for place, index in enumerate(indexes) if pods[index].critical]
    going = [indexes[place] for place in victims(groups, critical)]
    return bool(going) and all(
        index == 0
        or (index != 1 and gone_first(pods, {i: u for i, u in left.items() if i != index}, least))
        for index in going
    )


@settings(max_examples=600, deadline=None)
@given(st.lists(contenders(), min_size=2, max_size=4), st.integers(0, 14), st.integers(0, 6))
def test_usages_are_found_exactly_where_the_kubelet_evicts_the_pod_and_not_the_rival(
    pods, capacity, threshold
):
    within = limits(capacity, threshold, Usage(0, 0))
    found = replay(Duel(pods, 0, 1), Signal.MEMORY, within)
    every = product(*(range(each.usage.lo, each.usage.hi + 1) for each in pods))
    shown = any(
        within.allow(sum(usages)) and gone_first(pods, dict(enumerate(usages)), within.least)
        for usages in every
    )
    assert (found is not None) == shown
    if found:
        usages = found.usages
        assert all(e.usage.lo <= use <= e.usage.hi for e, use in zip(pods, usages, strict=True))
        assert within.allow(sum(usages))
        assert gone_first(pods, dict(enumerate(usages)), within.least)
        assert not {0, 1} & found.before
