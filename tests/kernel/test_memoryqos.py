"""memory.min, memory.low and memory.high by version and configuration."""

from __future__ import annotations

import pytest

from qoslint.kernel.features import features
from qoslint.kernel.memoryqos import (
    TIERED_RESERVATION,
    MemoryQoS,
    MemoryQoSSettings,
    container_memory_qos,
    pod_memory_qos,
)
from qoslint.kernel.pod import Container, Pod, ResourceList, Resources
from qoslint.kernel.qos import QOSClass
from qoslint.kernel.quantity import parse

GATE_ON = {"MemoryQoS": True}
GIB = 2**30


def container(request, limit):
    def memory(text):
        return ResourceList({} if text is None else {"memory": parse(text)})

    return Container("c", resources=Resources(memory(request), memory(limit)))


def values(request, limit, settings, version="1.36", qos=QOSClass.BURSTABLE):
    asking = container(request, limit)
    return container_memory_qos(Pod((asking,)), asking, qos, settings, features(version, GATE_ON))


@pytest.mark.parametrize(
    ("request_", "limit", "factor", "high"),
    [
        ("500Mi", "1000Mi", 0.9, 996147200),
        ("0", "100Mi", 0.9, 94371840),
        ("256Mi", "512Mi", 0.9, 510025728),
        ("256Mi", "512Mi", 0.5, 402653184),
        ("1Gi", "2Gi", 0.9, 2040107008),
        ("128Mi", None, 0.9, 15475302400),
        (None, None, 0.9, None),
        ("1Gi", "1Gi", 0.9, None),
    ],
)
def test_memory_high_lies_between_request_and_limit_in_whole_pages(request_, limit, factor, high):
    assert values(request_, limit, MemoryQoSSettings(16 * GIB, factor)).high == high


def test_memory_high_has_no_default_in_1_37():
    settings = MemoryQoSSettings(16 * GIB, throttling_factor=None)
    assert values("256Mi", "512Mi", settings, version="1.37").high is None


def test_in_1_37_with_a_factor_a_best_effort_container_is_throttled_too():
    found = values(None, None, MemoryQoSSettings(16 * GIB, 0.9), version="1.37")
    assert found.high == 15461879808


def test_without_a_reservation_policy_1_36_protects_nothing():
    found = values("1Gi", "1Gi", MemoryQoSSettings(16 * GIB, 0.9))
    assert found == MemoryQoS(min=0, low=0)


def test_until_1_35_every_request_is_protected():
    found = values("1Gi", "1Gi", MemoryQoSSettings(16 * GIB, 0.9), version="1.35")
    assert found == MemoryQoS(min=GIB)


@pytest.mark.parametrize(
    ("qos", "expected"),
    [(QOSClass.GUARANTEED, MemoryQoS(min=GIB)), (QOSClass.BURSTABLE, MemoryQoS(low=GIB))],
)
def test_tiered_reservation_protects_guaranteed_pods_harder(qos, expected):
    settings = MemoryQoSSettings(16 * GIB, 0.9, TIERED_RESERVATION)
    pod = Pod((container("1Gi", "1Gi"),))
    assert pod_memory_qos(pod, qos, settings, features("1.36", GATE_ON)) == expected
    assert values("1Gi", "1Gi", settings, qos=qos) == expected


def test_nothing_is_written_with_the_gate_off():
    asking = container("1Gi", "2Gi")
    settings = MemoryQoSSettings(16 * GIB, 0.9, TIERED_RESERVATION)
    found = container_memory_qos(
        Pod((asking,)), asking, QOSClass.BURSTABLE, settings, features("1.36")
    )
    assert found == MemoryQoS()
