"""Earliest and latest ranks and their witnesses, against every usage that there is."""

from __future__ import annotations

from itertools import pairwise, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qoslint.kernel.eviction import key_function, rank
from qoslint.kernel.quantity import parse
from qoslint.kernel.signals import Signal
from qoslint.model.bounds import cheapest, most_before, runners
from qoslint.model.contenders import UNLIMITED, Contender, Limits, Rest, Scenario, limits, peak
from qoslint.model.ranking import ranking
from qoslint.model.usage import Usage
from qoslint.model.witness import Bound, UsageRule

BYTES = [Signal.MEMORY, Signal.ALLOCATABLE_MEMORY, Signal.NODEFS]
SIGNALS = [*BYTES, Signal.IMAGEFS_INODES, Signal.PID]
CRITICAL = 2_000_000_000
ON = {
    Bound.EARLIEST: (False, 0),
    Bound.LATEST: (False, 1),
    Bound.VICTIM_EARLIEST: (True, 0),
    Bound.VICTIM_LATEST: (True, 1),
}
"""Whether a bound is among victims, and of which end of a tie."""
REQUESTS = ["0", "1", "2", "3", "4"]
WIDTHS = {1: 6, 2: 6, 3: 4, 4: 2, 5: 2}
"""How wide intervals are, by the number of pods, so that all usages can be tried."""
FRACTIONS = [*REQUESTS, "500m", "1500m", "2001m", "2999m"]


@st.composite
def nodes(draw, requests, most=5):
    """Pods, and the capacity, threshold and daemons of a node that may be too small for them."""
    count = draw(st.integers(1, most))
    pods = draw(st.lists(contenders(requests, WIDTHS[count]), min_size=count, max_size=count))
    capacity = draw(st.integers(0, 16))
    threshold = draw(st.integers(0, 8))
    daemons = draw(st.integers(0, 3))
    return tuple(pods), capacity, threshold, Usage(daemons, daemons + draw(st.integers(0, 2)))


@st.composite
def contenders(draw, requests, most=3):
    lo = draw(st.integers(0, 3))
    usage = Usage(lo, lo + draw(st.integers(0, most)))
    priority = draw(st.sampled_from([0, 0, 0, 1, -1, CRITICAL]))
    return Contender(usage, parse(draw(st.sampled_from(requests))), priority, priority == CRITICAL)


def everything(pods):
    return product(*(range(pod.usage.lo, pod.usage.hi + 1) for pod in pods))


def ranked(pods, usages, signal):
    return rank([pod.at(usage) for pod, usage in zip(pods, usages, strict=True)], signal)


def places(groups, pods, victims):
    """First and last place of each pod over all orders of those that tie."""
    found, before = {}, 0
    for group in groups:
        members = [index for index in group if not (victims and pods[index].critical)]
        for index in members:
            found[index] = before + 1, before + len(members)
        before += len(members)
    return found


def table(pods, signal):
    """For all usages their sum, and the places of the pods, without and among victims alone."""
    for usages in everything(pods):
        groups = ranked(pods, usages, signal)
        yield sum(usages), [places(groups, pods, victims) for victims in (False, True)]


def extremes(rows, sums):
    """The extreme places of each pod over all usages with such a sum, for pods and for victims."""
    found = {}
    for total, both in rows:
        if sums is not None and total not in sums:
            continue
        for victims, each in enumerate(both):
            for index, (first, last) in each.items():
                earliest, latest = found.get((index, victims), (first, last))
                found[index, victims] = min(earliest, first), max(latest, last)
    return found


def sums_of(capacity, threshold, daemons):
    """All sums of pods with which some usage of the daemons fits and meets the threshold."""
    return {
        pods
        for pods in range(capacity + 1)
        for used in range(daemons.lo, daemons.hi + 1)
        if pods + used <= capacity and capacity - pods - used < threshold
    }


def agree(node, signal):
    pods, *rest = node
    found = ranking(pods, signal, limits(*rest), peak())
    rows = list(table(pods, signal))
    anyhow, possible = (extremes(rows, sums) for sums in (None, sums_of(*rest)))
    for row in found.rows:
        bounds = {
            False: (row.earliest, row.latest),
            True: (row.victim_earliest, row.victim_latest),
        }
        for victims, pair in bounds.items():
            if victims and pods[row.pod].critical:
                assert pair == (None, None)
                continue
            assert tuple(each.value for each in pair) == anyhow[row.pod, victims]
            feasible = possible.get((row.pod, victims), (None, None))
            assert tuple(each.feasible for each in pair) == feasible


@pytest.mark.parametrize("signal", SIGNALS)
@given(node=nodes(REQUESTS))
@settings(max_examples=300, deadline=None)
def test_every_bound_is_the_extreme_over_all_usages(signal, node):
    agree(node, signal)


@pytest.mark.parametrize("signal", [Signal.MEMORY, Signal.NODEFS_INODES])
@given(node=nodes(FRACTIONS))
@settings(max_examples=300, deadline=None)
def test_bounds_are_exact_where_requests_have_fractions(signal, node):
    agree(node, signal)


@pytest.mark.parametrize("signal", SIGNALS)
@given(node=nodes(FRACTIONS))
@settings(max_examples=200, deadline=None)
def test_a_witness_gives_the_rank_that_it_claims_with_the_smallest_sum(signal, node):
    pods, *rest = node
    found = ranking(pods, signal, limits(*rest), peak())
    sums, rows = sums_of(*rest), list(table(pods, signal))
    for shown in (shown for row in found.rows for shown in row.witnesses):
        usages = shown.scenario(pods, signal).usages(pods)
        for pod, usage in zip(pods, usages, strict=True):
            assert pod.usage.lo <= usage <= pod.usage.hi
        groups = ranked(pods, usages, signal)
        victims, side = ON[shown.bound]
        assert places(groups, pods, victims)[shown.pod][side] == shown.rank
        assert not shown.feasible or sum(usages) in sums
        assert sum(usages) == min(
            total
            for total, both in rows
            if both[victims][shown.pod][side] == shown.rank
            and (not shown.feasible or total in sums)
        )


@pytest.mark.parametrize("signal", SIGNALS)
@given(node=nodes(FRACTIONS))
@settings(max_examples=100, deadline=None)
def test_each_rank_of_a_pod_has_a_witness(signal, node):
    pods, *rest = node
    for row in ranking(pods, signal, limits(*rest), peak()).rows:
        ranks = (row.earliest, row.latest, row.victim_earliest, row.victim_latest)
        expected = {
            (row.pod, bound, value, feasible)
            for bound, found in zip(Bound, ranks, strict=True)
            if found is not None
            for value, feasible in [(found.value, False), (found.feasible, True)]
            if value is not None and (feasible or found.value != found.feasible)
        }
        assert {each[:4] for each in row.witnesses} == expected


@pytest.mark.parametrize("signal", SIGNALS)
@given(
    pods=st.lists(contenders(FRACTIONS, most=9), min_size=15, max_size=25),
    spare=st.integers(0, 60),
    threshold=st.integers(1, 60),
)
@settings(max_examples=40, deadline=None)
def test_witnesses_of_many_pods_give_their_ranks_within_the_limits(signal, pods, spare, threshold):
    capacity = sum(pod.usage.lo for pod in pods) + spare
    within = limits(capacity, threshold, Usage(0, 0))
    for row in ranking(tuple(pods), signal, within, peak()).rows:
        for shown in row.witnesses:
            usages = shown.scenario(pods, signal).usages(pods)
            for pod, usage in zip(pods, usages, strict=True):
                assert pod.usage.lo <= usage <= pod.usage.hi
            victims, side = ON[shown.bound]
            assert places(ranked(pods, usages, signal), pods, victims)[row.pod][side] == shown.rank
            assert not shown.feasible or within.allow(sum(usages))


@given(node=nodes(REQUESTS, most=4))
@settings(max_examples=200, deadline=None)
def test_places_in_a_tie_are_those_of_all_permutations(node):
    pods, usages = node[0], [pod.usage.hi for pod in node[0]]
    groups = ranked(pods, usages, Signal.MEMORY)
    key = key_function(Signal.MEMORY)
    keys = [
        key(use, pod.request.nanos, pod.priority) for pod, use in zip(pods, usages, strict=True)
    ]
    orders = [
        order
        for order in permutations(range(len(pods)))
        if all(keys[a] <= keys[b] for a, b in pairwise(order))
    ]
    for index, (first, last) in places(groups, pods, victims=False).items():
        seen = {order.index(index) + 1 for order in orders}
        assert seen == set(range(first, last + 1))


@pytest.mark.parametrize("signal", list(Signal))
@given(pods=st.lists(contenders(FRACTIONS), min_size=2, max_size=2))
@settings(max_examples=300, deadline=None)
def test_pods_as_runners_keep_the_order_of_the_kubelet_and_mirrored_reverse_it(signal, pods):
    key = key_function(signal)
    field = runners(pods, signal)
    seen = [
        (
            key(usage, pod.request.nanos, pod.priority),
            runner.key(usage),
            runner.mirrored().key(-usage),
        )
        for pod, runner in zip(pods, field, strict=True)
        for usage in range(pod.usage.lo, pod.usage.hi + 1)
    ]
    for (kubelet, runner, mirror), (kubelet2, runner2, mirror2) in product(seen, repeat=2):
        assert (kubelet < kubelet2) == (runner < runner2) == (mirror > mirror2)


@pytest.mark.parametrize("signal", SIGNALS)
@given(
    pods=st.lists(contenders(FRACTIONS, most=9), min_size=20, max_size=40),
    spare=st.integers(0, 60),
)
@settings(max_examples=100, deadline=None)
def test_for_many_pods_the_trees_take_as_many_as_the_sorted_costs(signal, pods, spare):
    field, counted = runners(pods, signal), range(len(pods))
    within = Limits(None, sum(runner.lo for runner in field) + spare)
    for index, found in most_before(field, counted, within).items():
        key = field[index].key(field[index].lo)
        assert found == len(list(cheapest(field, counted, key, spare))) - 1


def of(lo, hi, request="0", priority=0):
    return Contender(Usage(lo, hi), parse(request), priority, priority >= CRITICAL)


def test_a_witness_for_the_earliest_rank_is_one_byte_over_the_request():
    pods = (of(1, 500), of(1, 10**6, "1000", priority=-1))
    rows = ranking(pods, Signal.MEMORY, UNLIMITED, peak()).rows
    (shown,) = (
        each
        for row in rows
        for each in row.witnesses
        if each.pod == 1 and each.bound is Bound.EARLIEST
    )
    assert shown.rule == UsageRule(1001, Rest.LO, 0, None)
    assert shown.scenario(pods, Signal.MEMORY) == Scenario("earliest", Rest.LO, {1: 1001})


def test_a_bound_that_no_node_can_show_stands_beside_the_one_that_it_can():
    pods = (of(1, 600, "100"), of(1, 600, "100"), of(1, 100, "100"))
    node = limits(capacity=500, threshold=100, daemons=Usage(0, 0))
    row = next(row for row in ranking(pods, Signal.MEMORY, node, peak()).rows if row.pod == 2)
    assert (row.latest.value, row.latest.feasible, row.latest.shown) == (3, 3, True)
    assert (row.earliest.value, row.earliest.feasible, row.earliest.shown) == (1, 2, False)


def test_where_no_usages_meet_the_threshold_there_is_no_feasible_bound():
    pods = (of(1, 10), of(1, 10))
    node = limits(capacity=500, threshold=100, daemons=Usage(0, 0))
    found = ranking(pods, Signal.MEMORY, node, peak())
    assert {row.earliest.feasible for row in found.rows} == {None}
    assert not any(shown.feasible for row in found.rows for shown in row.witnesses)
