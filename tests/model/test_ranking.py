"""Ranks in scenarios, innocent victims, and what a pod may use by its limits."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qoslint.kernel.decode import decode_pod_spec
from qoslint.kernel.eviction import exceeds_request, rank
from qoslint.kernel.features import features
from qoslint.kernel.quantity import parse
from qoslint.kernel.signals import Filesystems, Signal
from qoslint.model.contenders import (
    UNLIMITED,
    Contender,
    Contest,
    Rest,
    Scenario,
    contender,
    leak,
    limits,
    peak,
    requests,
)
from qoslint.model.innocents import innocent_victims
from qoslint.model.ranking import ranking
from qoslint.model.usage import Room, Usage, usage_interval

MI = 2**20
GI = 2**30
CRITICAL = 2_000_000_000


def of(lo, hi, request="0", priority=0):
    return Contender(Usage(lo, hi), parse(request), priority, priority >= CRITICAL)


def contest(pods, signal=Signal.MEMORY):
    """The pods where nothing was measured."""
    rest = requests(pods, signal).usages(pods)
    least, most = zip(*(each.usage for each in pods), strict=True)
    return Contest(tuple(pods), tuple(rest), least, most, frozenset())


def used(mebibytes, request="0", priority=0):
    return of(mebibytes * MI, mebibytes * MI, request, priority)


@pytest.mark.parametrize(("priority", "order"), [(0, "ABDC"), (1_000_000, "BADC")])
def test_a_pod_that_uses_all_of_its_request_goes_before_one_below_its_own(priority, order):
    pods = (
        used(300, priority=priority),
        used(900, "512Mi", 1000),
        used(400, "512Mi"),
        used(1024, "1Gi"),
    )
    rows = ranking(pods, Signal.MEMORY, UNLIMITED, peak()).rows
    assert "".join("ABCD"[row.pod] for row in rows) == order
    assert [row.position for row in rows] == [1, 2, 3, 4]
    assert [row.overage_nanos // 10**9 // MI for row in rows[2:]] == [0, -112]
    assert [row.exceeds_request for row in rows] == [True, True, False, False]


def test_pods_that_tie_share_a_position():
    pods = (used(5), used(7), used(7), used(1))
    rows = ranking(pods, Signal.MEMORY, UNLIMITED, peak()).rows
    assert [(row.position, row.tie) for row in rows] == [
        (1, True),
        (1, True),
        (3, False),
        (4, False),
    ]


def test_scenarios_name_only_the_pods_that_are_not_like_the_rest():
    pods = (of(1, 100), of(1, 100, "50"), of(1, 30, "50"))
    assert requests(pods, Signal.MEMORY) == Scenario("requests", Rest.LO, {1: 50, 2: 30})
    assert leak("leak:web", 0, contest(pods)) == Scenario("leak:web", Rest.HI, {1: 50})
    assert requests(pods, Signal.PID) == Scenario("requests", Rest.LO, {})


def test_a_best_effort_pod_is_the_innocent_victim_of_one_that_stays_below_its_request():
    pods = (of(1, 900, "400"), of(1, 10), of(1, 500, "500"))
    found = innocent_victims(contest(pods), Signal.MEMORY, limits(1100, 100, Usage(0, 0)))
    # Without growth 901 is used, and the threshold is met by 1001.
    assert [each.pressure for each in found.growths] == [500, None, None]
    assert tuple(found.victims(0)) == ()
    found = innocent_victims(contest(pods), Signal.MEMORY, limits(1000, 100, Usage(0, 0)))
    assert [each.pressure for each in found.growths] == [400, 1, 500]
    assert [tuple(found.victims(index)) for index in range(3)] == [(1, 2), (), (1, 0)]


def test_everyone_is_an_innocent_victim_of_a_pod_that_cannot_be_evicted():
    pods = (of(1, 1000, priority=CRITICAL), of(1, 10), of(1, 10, "10"))
    found = innocent_victims(contest(pods), Signal.MEMORY, limits(100, 10, Usage(0, 0)))
    assert tuple(found.victims(0)) == (1, 2)


@st.composite
def small(draw):
    lo = draw(st.integers(1, 3))
    priority = draw(st.sampled_from([0, 0, 1, CRITICAL]))
    return of(lo, lo + draw(st.integers(0, 5)), str(draw(st.integers(0, 4))), priority)


@pytest.mark.parametrize("signal", [Signal.MEMORY, Signal.NODEFS_INODES, Signal.PID])
@given(st.lists(small(), min_size=1, max_size=4), st.integers(0, 20), st.integers(0, 8))
@settings(max_examples=300, deadline=None)
def test_innocent_victims_are_those_before_the_pod_at_some_usage_under_pressure(
    signal, pods, capacity, threshold
):
    node = limits(capacity, threshold, Usage(0, 0))
    found = innocent_victims(contest(pods, signal), signal, node)
    base = requests(pods, signal).usages(pods)
    for index, pod in enumerate(pods):
        seen = set()
        for usage in range(base[index], pod.usage.hi + 1):
            usages = [*base[:index], usage, *base[index + 1 :]]
            if not capacity - threshold < sum(usages) <= capacity:
                continue
            groups = rank([each.at(use) for each, use in zip(pods, usages, strict=True)], signal)
            for group in groups:
                seen.update(group)
                if index in group and not pod.critical:
                    break
        expected = {each for each in seen if each != index and not pods[each].critical}
        assert set(found.victims(index)) == expected
        assert found.count(index) == len(expected)
        within = {each for each in expected if not above(pods[each], base[each], signal)}
        assert set(found.innocents(index)) == within
        assert found.count_of_innocents(index) == len(within)
    order = [each for group in rank([e.at(u) for e, u in zip(pods, base, strict=True)], signal)
             for each in group if not pods[each].critical]  # fmt: skip
    assert [above(pods[each], base[each], signal) for each in order] == [
        place < found.above for place in range(len(order))
    ]


def above(pod, usage, signal):
    return exceeds_request(signal, usage, pod.request.nanos)


def spec(*containers, **fields):
    named = [{"name": f"c{number}", "image": "i", **each} for number, each in enumerate(containers)]
    return decode_pod_spec({"containers": named, **fields})


def limited(**quantities):
    return {"resources": {"limits": {key.replace("_", "-"): q for key, q in quantities.items()}}}


def interval(pod, signal, version="1.36", **room):
    return usage_interval(pod, signal, Room(10 * GI, **room), features(version))


SIDECAR = {"name": "s", "image": "i", "restartPolicy": "Always", **limited(memory="1Gi")}
INIT = {"name": "once", "image": "i", **limited(memory="8Gi")}


@pytest.mark.parametrize(
    ("pod", "most"),
    [
        (spec(limited(memory="1Gi"), limited(memory="2Gi")), 3 * GI),
        (spec(limited(memory="1Gi"), initContainers=[SIDECAR, INIT]), 2 * GI),
        (spec(limited(memory="1Gi"), {}), 10 * GI),
        (spec(limited(memory="64Gi")), 10 * GI),
        (spec(limited(memory="1Gi"), {}, **limited(memory="2Gi")), 2 * GI),
        (spec(limited(memory="1Gi"), overhead={"memory": "1Gi"}), 2 * GI),
    ],
)
def test_memory_is_bounded_by_the_limits_of_what_runs(pod, most):
    assert interval(pod, Signal.MEMORY) == Usage(1, most)


def test_local_storage_is_bounded_by_the_limits_that_are_given_unless_the_pod_is_critical():
    pod = spec(limited(ephemeral_storage="1Gi"), {})
    assert interval(pod, Signal.NODEFS) == Usage(0, GI)
    assert interval(pod._replace(priority=CRITICAL), Signal.NODEFS) == Usage(0, 10 * GI)
    assert interval(pod, Signal.NODEFS, limits_local_storage=False) == Usage(0, 10 * GI)
    assert interval(pod, Signal.NODEFS_INODES) == Usage(0, 10 * GI)
    assert interval(pod, Signal.IMAGEFS, filesystems=Filesystems.SPLIT) == Usage(0, 0)


def test_processes_are_bounded_by_the_limit_of_the_kubelet():
    assert interval(spec({}), Signal.PID, pod_pids_limit=100) == Usage(1, 100)
    assert interval(spec({}), Signal.PID, pod_pids_limit=-1) == Usage(1, 10 * GI)


def test_until_1_33_a_guaranteed_pod_with_a_sidecar_can_exceed_its_request():
    one = {"resources": {each: {"cpu": "1", "memory": "1Gi"} for each in ("requests", "limits")}}
    sidecar = {"name": "s", "image": "i", "restartPolicy": "Always", **one}
    pod = spec(one, initContainers=[sidecar])
    for version, request in (("1.33", "1Gi"), ("1.34", "2Gi")):
        kubelet = features(version)
        usage = usage_interval(pod, Signal.MEMORY, Room(10 * GI), kubelet)
        found = contender(pod, usage, Signal.MEMORY, kubelet)
        assert (found.usage.hi, str(found.request)) == (2 * GI, request)
