"""The eviction loop, against the answers of Kubernetes' own."""

from __future__ import annotations

import struct

import pytest

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


def config_of(data, features):
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
        features,
        max_pod_grace_period_seconds=data.get("evictionMaxPodGracePeriod", 0),
    )
