"""oom_score_adj: the numbers, their bounds, and what differs by version."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qoslint.kernel.features import features
from qoslint.kernel.oom import get_container_oom_score_adjust
from qoslint.kernel.pod import Container, ContainerType, Pod, ResourceList, Resources
from qoslint.kernel.qos import QOSClass
from qoslint.kernel.quantity import parse

GIB = 2**30


def container(memory=None, type=ContainerType.CONTAINER):
    requests = {} if memory is None else {"memory": parse(memory)}
    return Container("c", type, Resources(ResourceList(requests)))


def score(pod, container, qos=QOSClass.BURSTABLE, capacity=8 * GIB, version="1.36"):
    return get_container_oom_score_adjust(pod, container, qos, capacity, features(version))


def score_of(memory, capacity=8 * GIB):
    asking = container(memory)
    return score(Pod((asking,)), asking, capacity=capacity)


@pytest.mark.parametrize(
    ("memory", "expected"),
    [
        (None, 999),
        ("8589934", 999),
        ("100Mi", 988),
        ("128Mi", 985),
        ("256Mi", 969),
        ("512Mi", 938),
        ("1Gi", 875),
        ("4Gi", 500),
        ("8589934591", 3),
        ("16Gi", 3),
    ],
)
def test_a_burstable_score_falls_with_the_request_and_stays_in_3_to_999(memory, expected):
    assert score_of(memory) == expected


@pytest.mark.parametrize(
    ("memory", "expected"), [("64Mi", 996), ("256Mi", 984), ("1Gi", 934), ("2Gi", 868), ("1G", 939)]
)
def test_the_capacity_is_the_measured_memory_and_not_the_advertised_size(memory, expected):
    assert score_of(memory, capacity=16266280960) == expected


@given(st.integers(0, 2**70), st.integers(1, 2**50))
def test_a_burstable_score_is_between_3_and_999_or_overflowed(memory, capacity):
    found = score_of(str(memory), capacity)
    assert found >= 3
    if memory < 2**63 // 1000:
        assert found <= 999


def test_guaranteed_and_best_effort_scores_ignore_requests_and_capacity():
    asking = container("4Gi")
    pod = Pod((asking,))
    assert score(pod, asking, QOSClass.GUARANTEED) == -997
    assert score(pod, asking, QOSClass.BEST_EFFORT) == 1000


def test_system_node_critical_spares_a_best_effort_container():
    pod = Pod((container(),), priority_class_name="system-node-critical", priority=2000001000)
    assert score(pod, container(), QOSClass.BEST_EFFORT) == -997


def test_system_cluster_critical_and_static_pods_are_scored_as_any_other():
    cluster = Pod((container(),), priority_class_name="system-cluster-critical", priority=2 * 10**9)
    static = Pod((container(),), static=True)
    assert {score(pod, container(), QOSClass.BEST_EFFORT) for pod in (cluster, static)} == {1000}


@pytest.mark.parametrize("field", ["static", "mirror"])
def test_a_static_or_mirror_pod_of_the_node_critical_class_needs_no_priority(field):
    pod = Pod((container(),), priority_class_name="system-node-critical", **{field: True})
    assert score(pod, container(), QOSClass.BEST_EFFORT) == -997


@pytest.mark.parametrize(
    ("sidecar", "regular", "expected"),
    [("64Mi", "512Mi", 938), ("1Gi", "512Mi", 875), ("64Mi", None, 993)],
)
def test_a_sidecar_scores_no_higher_than_the_neediest_container(sidecar, regular, expected):
    beside = container(sidecar, ContainerType.SIDECAR)
    assert score(Pod((container(regular),), init_containers=(beside,)), beside) == expected


def test_until_1_31_a_sidecar_is_scored_by_its_own_request():
    beside = container("64Mi", ContainerType.SIDECAR)
    pod = Pod((container("512Mi"),), init_containers=(beside,))
    assert [score(pod, beside, version=v) for v in ("1.31", "1.32")] == [993, 938]


def test_pod_level_memory_beyond_the_containers_is_shared_out():
    asking = [container("200Mi"), container("100Mi"), container()]
    block = Resources(ResourceList({"memory": parse("900Mi")}))
    pod = Pod(tuple(asking), resources=block)
    assert [score(pod, each) for each in asking] == [952, 964, 976]


def test_until_1_33_a_pod_level_block_changes_no_score():
    block = Resources(ResourceList({"memory": parse("1Gi")}))
    pod = Pod((container(), container()), resources=block)
    assert [score(pod, container(), version=v) for v in ("1.33", "1.34")] == [999, 938]
