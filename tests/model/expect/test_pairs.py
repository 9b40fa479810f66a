"""Who of two pods may be evicted first: against every usage that there is."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from qoslint.kernel.eviction import rank, victims
from qoslint.kernel.quantity import parse
from qoslint.kernel.signals import Signal
from qoslint.model.contenders import Contender, Limits, limits
from qoslint.model.expect.pairs import deciding, example, ties
from qoslint.model.expect.protected import can_exceed, excess_example
from qoslint.model.usage import Usage

SIGNALS = [Signal.MEMORY, Signal.NODEFS, Signal.NODEFS_INODES, Signal.PID]
CRITICAL = 2_000_000_000


@st.composite
def contenders(draw):
    lo = draw(st.integers(0, 3))
    usage = Usage(lo, lo + draw(st.integers(0, 6)))
    priority = draw(st.sampled_from([0, 0, 0, 1, -1, CRITICAL]))
    request = parse(draw(st.sampled_from(["0", "1", "2", "5", "500m", "1500m"])))
    return Contender(usage, request, priority, priority == CRITICAL)


@st.composite
def node_limits(draw):
    daemons = draw(st.integers(0, 3))
    of_daemons = Usage(daemons, daemons + draw(st.integers(0, 9)))
    return limits(draw(st.integers(0, 16)), draw(st.integers(0, 6)), of_daemons)


def first_victims(first, second, usages, signal):
    groups = rank([first.at(usages[0]), second.at(usages[1])], signal)
    return victims(groups, [index for index, each in enumerate((first, second)) if each.critical])


def possible(first: Contender, second: Contender, signal: Signal, within: Limits):
    for one, other in product(*(range(p.usage.lo, p.usage.hi + 1) for p in (first, second))):
        if any(within.allow(one + other + rest) for rest in range(20)):
            yield 0 in first_victims(first, second, (one, other), signal)


@settings(max_examples=1000, deadline=None)
@given(contenders(), contenders(), st.sampled_from(SIGNALS), node_limits())
def test_an_example_is_found_exactly_where_some_usages_of_the_node_put_the_pod_first(
    first, second, signal, within
):
    found = example(first, second, signal, within)
    assert (found is not None) == any(possible(first, second, signal, within))


@settings(max_examples=1000, deadline=None)
@given(contenders(), contenders(), st.sampled_from(SIGNALS), node_limits())
def test_an_example_fits_the_node_meets_the_threshold_and_ranks_as_it_says(
    first, second, signal, within
):
    if found := example(first, second, signal, within):
        assert first.usage.lo <= found.first <= first.usage.hi
        assert second.usage.lo <= found.second <= second.usage.hi
        assert found.others >= 0
        assert within.allow(found.first + found.second + found.others)
        evicted = first_victims(first, second, (found.first, found.second), signal)
        assert evicted == ((0, 1) if ties(first, second, found, signal) else (0,))
        assert deciding(first, second, found, signal)


@settings(max_examples=1000, deadline=None)
@given(contenders(), contenders(), node_limits(), st.integers(0, 8))
def test_a_pod_shown_above_its_request_goes_before_any_that_is_not(
    exceeding, other, within, beside
):
    found = excess_example(exceeding, beside, within)
    feasible = any(
        exceeding.at(usage).usage * 10**9 > exceeding.request.nanos
        and any(within.allow(usage + beside + rest) for rest in range(20))
        for usage in range(exceeding.usage.lo, exceeding.usage.hi + 1)
    )
    assert (found is not None) == feasible
    if found:
        assert can_exceed(exceeding)
        assert within.allow(found.first + beside + found.others)
        kept = other.request.nanos // 10**9
        order = rank([exceeding.at(found.first), other.at(kept)], Signal.MEMORY)
        assert order[0] == (0,)
