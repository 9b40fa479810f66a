"""The eviction loop, against the answers of Kubernetes' own."""

from __future__ import annotations

import struct

import pytest

from qoslint.kernel.features import features
from qoslint.kernel.pod import Container, Pod
from qoslint.kernel.podstats import PodStats
from qoslint.kernel.quantity import parse
from qoslint.kernel.signals import Signal
from qoslint.kernel.simulation import (
    ActivePod,
    EvictionConfig,
    Observation,
    State,
    synchronize,
)
from qoslint.kernel.thresholds import Threshold, ThresholdValue

from .test_ranking import pod_stats, stored_pod

HOUR = 3600 * 10**9


@pytest.mark.vectors("evict")
def test_the_loop_evicts_whom_the_kubelet_evicts(vectors):
    vectors.check(lambda row: answer(row, vectors.features))


def answer(row, features):
    asked, wanted = row["in"], row["out"].get("passes", ())
    config = config_of(asked["kubeletConfig"], features)
    pods = [
        ActivePod(stored_pod(each["pod"], features), pod_stats(each["stats"]))
        for each in asked["pods"]
    ]
    memory = asked["nodeMemory"]
    capacity = memory["available"] + memory["workingSet"]
    observations = {Signal.MEMORY: Observation(memory["available"], capacity)}
    state, passes = State(), []
    for number in range(asked["passes"]):
        done = synchronize(config, state, number * HOUR, pods, observations, lambda _: {})
        passes.append(pass_answer(done, wanted[number].get("evicted")))
        state = done.state
    return {"accepted": True, "passes": passes}


def pass_answer(done, evicted):
    """One pass; of pods that tie, and of thresholds in any order, the one that was answered."""
    possible = {victim.pod: victim for each in done.reclaims for victim in each.victims}
    victim = possible.get(evicted, next(iter(possible.values()), None))
    result = {"evicted": victim and victim.pod, "nodeConditions": list(done.conditions)}
    return result | ({"graceOverride": victim.grace_period_override} if victim else {})


def value(text):
    if text.endswith("%"):
        (share,) = struct.unpack("f", struct.pack("f", float(text[:-1])))
        (share,) = struct.unpack("f", struct.pack("f", share / 100))
        return ThresholdValue(percentage=share)
    return ThresholdValue(parse(text))


def config_of(data, kubelet):
    reclaim = data.get("evictionMinimumReclaim", {})
    graces = data.get("evictionSoftGracePeriod", {})
    hard = data.get("evictionHard", {"memory.available": "100Mi"})
    soft = data.get("evictionSoft", {})
    unit = {"s": 10**9, "m": 60 * 10**9, "h": HOUR}

    def of(signal, text, grace):
        return Threshold(
            Signal(signal),
            value(text),
            grace,
            value(reclaim[signal]) if signal in reclaim else None,
        )

    thresholds = [of(s, t, 0) for s, t in hard.items()]
    thresholds += [of(s, t, int(graces[s][:-1]) * unit[graces[s][-1]]) for s, t in soft.items()]
    return EvictionConfig(
        tuple(thresholds),
        kubelet,
        max_pod_grace_period_seconds=data.get("evictionMaxPodGracePeriod", 0),
    )


HARD = Threshold(Signal.MEMORY, value("100Mi"))
SOFT = Threshold(Signal.MEMORY, value("500Mi"), 10**9)
GREEDY = ActivePod(Pod((Container("c"),)), PodStats(working_set=2**30))


def passes(config, *observed, pods=(GREEDY,)):
    """Passes 10 s apart; each observation is what is left of 1 GiB, and when it was measured."""
    state = State()
    for number, (available, time) in enumerate(observed):
        seen = {Signal.MEMORY: Observation(available, 2**30, time)}
        done = synchronize(config, state, number * 10 * 10**9, pods, seen, lambda _: {})
        state = done.state
        yield done


def test_nothing_is_evicted_for_numbers_that_the_kubelet_has_seen_before():
    config = EvictionConfig((HARD,), features("1.36"))
    done = passes(config, (0, 5), (0, 5), (0, 6), (0, None))
    assert [len(each.reclaims) for each in done] == [1, 0, 1, 1]


def test_which_of_two_memory_thresholds_decides_the_grace_is_open():
    config = EvictionConfig((HARD, SOFT), features("1.36"), max_pod_grace_period_seconds=60)
    first, second = passes(config, (0, None), (0, None))
    assert [each.threshold for each in first.reclaims] == [HARD]
    graces = [each.victims[0].grace_period_override for each in second.reclaims]
    assert graces == [1, 60]


def test_of_pods_that_tie_any_may_be_the_one():
    config = EvictionConfig((HARD,), features("1.36"))
    critical = ActivePod(GREEDY.pod._replace(static=True), GREEDY.stats)
    (done,) = passes(config, (0, None), pods=(GREEDY, critical, GREEDY))
    (reclaim,) = done.reclaims
    assert (reclaim.ranking, reclaim.refused) == (((0, 1, 2),), (1,))
    assert [victim.pod for victim in reclaim.victims] == [0, 2]


def test_a_kubelet_without_thresholds_and_limits_does_nothing():
    config = EvictionConfig((), features("1.36"), local_storage_capacity_isolation=False)
    (done,) = passes(config, (0, None))
    assert done == ((), (), (), State())


def test_a_signal_that_was_not_observed_meets_no_threshold():
    config = EvictionConfig((HARD,), features("1.36"))
    done = synchronize(config, State(), 0, (GREEDY,), {}, lambda _: {})
    assert (done.conditions, done.reclaims) == ((), ())
