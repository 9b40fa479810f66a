"""The kubelet's ranking, against the answers of Kubernetes' own code."""

from __future__ import annotations

import pytest

from qoslint.kernel.decode import decode_pod_spec
from qoslint.kernel.defaults import drop_disabled_fields, set_defaults_pod
from qoslint.kernel.eviction import (
    Candidate,
    candidate,
    exceeds_request,
    process_key,
    rank,
    tie_groups,
    usage_quantity,
    victims,
)
from qoslint.kernel.podstats import ContainerStats, FsStats, PodStats, VolumeStats
from qoslint.kernel.quantity import parse
from qoslint.kernel.signals import INODE_SIGNALS, Filesystems, Signal

SOURCE = "kubernetes.io/config.source"


@pytest.mark.vectors("ranking")
def test_pods_are_ranked_as_the_kubelet_ranks_them(vectors):
    vectors.check(lambda row: answer(row, vectors.features))


def answer(row, features):
    asked, out = row["in"], row["out"]
    signal = Signal(asked["signal"])
    candidates = [
        candidate(
            stored_pod(each["pod"], features),
            pod_stats(each.get("stats")),
            signal,
            filesystems(asked),
            features,
        )
        for each in asked["pods"]
    ]
    groups = rank(candidates, signal)
    critical = {index for index, each in enumerate(candidates) if each.critical}
    going = victims(groups, critical)
    # Inside a group any order is right: take the one that was answered.
    order = [index for group in groups for index in sorted(group, key=out["order"].index)]
    return {
        "order": order,
        "tieGroups": [list(group) for group in groups],
        "evicted": out["evicted"] if out["evicted"] in going else next(iter(going), None),
        "details": [details(candidates[index], signal) for index in order],
    }


def details(ranked, signal):
    unasked = {Signal.PID: "", **dict.fromkeys(INODE_SIGNALS, "0")}
    return {
        "statsFound": ranked.usage is not None,
        "usage": str(usage_quantity(signal, ranked.usage or 0)),
        "request": unasked.get(signal, str(ranked.request)),
        "exceeds": exceeds_request(signal, ranked.usage, ranked.request.nanos),
    }


def of(usage, request="0", priority=0):
    return Candidate(usage, parse(request), priority, critical=priority >= 2 * 10**9)


def test_a_pod_without_stats_goes_first_and_the_critical_one_is_passed_over():
    pods = {
        "A": of(50),
        "B": of(90, "100"),
        "C": of(200, "10", 1000),
        "D": of(40, "100", -5),
        "E": of(150, "100"),
        "F": of(900, priority=2 * 10**9),
        "G": of(None),
    }
    names, candidates = list(pods), list(pods.values())
    groups = rank(candidates, Signal.MEMORY)
    assert [{names[index] for index in group} for group in groups] == [
        {"G"},
        {"A", "E"},
        {"C"},
        {"F"},
        {"D"},
        {"B"},
    ]
    assert victims(groups[3:], critical={5}) == groups[4]
    assert victims(groups[1:], critical={5}) == groups[1]
    assert victims(groups[3:4], critical={5}) == ()


def test_a_pod_that_uses_its_request_goes_before_one_further_below_its_own():
    pods = [of(300), of(900, "512", 1000), of(400, "512"), of(1024, "1024")]
    assert rank(pods, Signal.MEMORY) == ((0,), (1,), (3,), (2,))


def test_a_fraction_of_a_byte_in_a_request_decides():
    pods = [of(2, "1500m"), of(1, "500m"), of(1, "1")]
    assert rank(pods, Signal.MEMORY) == ((0, 1), (2,))


def test_for_inodes_a_request_of_bytes_is_subtracted_from_inodes():
    pods = [of(1000, "1Gi"), of(10)]
    assert rank(pods, Signal.NODEFS_INODES) == ((1,), (0,))


def test_where_nothing_is_measured_the_smaller_request_goes_first():
    pods = [of(0, "1Gi"), of(0)]
    assert rank(pods, Signal.IMAGEFS) == ((1,), (0,))


def test_for_processes_a_pod_without_stats_waits_for_lower_priorities():
    keys = [process_key(*each) for each in ((None, 0, 0), (5, 0, 0), (1, 0, -1), (5, 0, 0))]
    assert tie_groups(keys) == ((2,), (0,), (1, 3))


def filesystems(asked):
    if asked.get("splitFs"):
        return Filesystems.SPLIT
    return Filesystems.IMAGEFS if asked.get("imageFs") else Filesystems.NODEFS


def stored_pod(data, features):
    """The pod after the defaulting of the API server, without its admission."""
    annotations = data["metadata"].get("annotations", {})
    decoded = decode_pod_spec(data["spec"], annotations)
    pod, _ = set_defaults_pod(drop_disabled_fields(decoded, features), features)
    return pod._replace(static=annotations.get(SOURCE, "api") != "api")


def pod_stats(data):
    if data is None:
        return None
    return PodStats(
        working_set=data.get("memory", {}).get("workingSetBytes"),
        processes=data.get("process_stats", {}).get("process_count"),
        ephemeral_storage=data.get("ephemeral-storage", {}).get("usedBytes"),
        containers=tuple(map(container_stats, data.get("containers") or ())),
        volumes=tuple(VolumeStats(each["name"], fs_stats(each)) for each in data.get("volume", ())),
    )


def container_stats(data):
    return ContainerStats(
        data["name"],
        fs_stats(data.get("rootfs", {})),
        fs_stats(data.get("logs", {})),
        data.get("memory", {}).get("workingSetBytes"),
    )


def fs_stats(data):
    return FsStats(data.get("usedBytes"), data.get("inodesUsed"))
