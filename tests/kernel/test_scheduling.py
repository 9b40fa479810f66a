"""Totals of a pod: for the scheduler, and for eviction by the kubelet's version."""

from __future__ import annotations

from operator import attrgetter

import pytest

from qoslint.kernel.features import features
from qoslint.kernel.pod import Container, ContainerType, Pod, ResourceList, Resources
from qoslint.kernel.quantity import parse
from qoslint.kernel.scheduling import (
    aggregate_container_requests,
    eviction_requests,
    pod_limits,
    pod_requests,
    summed_containers,
)


def memory(text):
    return ResourceList({} if text is None else {"memory": parse(text)})


def pod_of(containers, inits, overhead, pod_level):
    """Inits are written `4` for a plain one and `S4` for a sidecar."""
    return Pod(
        tuple(Container("c", resources=Resources(memory(each))) for each in containers.split()),
        tuple(init_container(each) for each in inits.split()),
        overhead=memory(overhead) if overhead else None,
        resources=Resources(memory(pod_level)) if pod_level else None,
    )


def init_container(text):
    type = ContainerType.SIDECAR if text.startswith("S") else ContainerType.INIT
    return Container("i", type, Resources(memory(text.lstrip("S"))))


@pytest.mark.parametrize(
    ("containers", "inits", "overhead", "pod_level", "scheduler", "since_34", "until_33"),
    [
        ("2 3", "", None, None, 5, 5, 5),
        ("2", "4", None, None, 4, 4, 4),
        ("2", "S1 4", None, None, 5, 5, 4),
        ("2", "4 S1", None, None, 4, 4, 4),
        ("2", "S1 S2 1", None, None, 5, 5, 2),
        ("2", "", "1", None, 3, 3, 3),
        ("0", "", "1", None, 1, 0, 0),
        ("2", "", "1", "6", 7, 7, 3),
    ],
)
def test_requests_count_sidecars_overhead_and_the_pod_level_block_by_version(
    containers, inits, overhead, pod_level, scheduler, since_34, until_33
):
    pod = pod_of(containers, inits, overhead, pod_level)
    assert pod_requests(pod, features("1.36"))["memory"].value() == scheduler
    assert eviction_requests(pod, features("1.34"))["memory"].value() == since_34
    assert eviction_requests(pod, features("1.33"))["memory"].value() == until_33


def test_a_pod_level_block_without_memory_hides_the_containers_memory_from_eviction():
    block = Resources(ResourceList({"cpu": parse("1")}))
    pod = Pod((Container("c", resources=Resources(memory("1Gi"))),), resources=block)
    assert str(pod_requests(pod, features("1.36"))["memory"]) == "1Gi"
    assert str(eviction_requests(pod, features("1.36"))["memory"]) == "0"
    assert str(eviction_requests(pod, features("1.33"))["memory"]) == "1Gi"


def test_a_missing_limit_is_no_limit_and_gets_no_overhead():
    limited = Container("a", resources=Resources(limits=ResourceList({"cpu": parse("1")})))
    overhead = ResourceList({"cpu": parse("100m"), "memory": parse("1Gi")})
    limits = pod_limits(Pod((limited, Container("b")), overhead=overhead), features("1.36"))
    assert {name: str(quantity) for name, quantity in limits.items()} == {"cpu": "1100m"}


def test_a_pod_without_requests_still_reserves_its_overhead():
    pod = Pod((Container("c"),), overhead=memory("1Gi"))
    assert str(pod_requests(pod, features("1.36"))["memory"]) == "1Gi"


@pytest.mark.parametrize(
    ("containers", "inits", "running"),
    [
        ("2 3", "", "2 3"),
        ("2", "4", "4"),
        ("2", "2", "2"),
        ("2", "S1 4 S1", "4 1"),
        ("2", "S1 1 S2", "2 1 2"),
        ("", "S3 S1", "3 1"),
    ],
)
def test_the_summed_containers_are_those_that_run_when_the_pod_needs_most(
    containers, inits, running
):
    pod = pod_of(containers, inits, None, None)
    found = summed_containers(pod, "memory", attrgetter("requests"))
    assert [item.resources.requests["memory"].value() for item in found] == [
        int(each) for each in running.split()
    ]
    total = sum(item.resources.requests["memory"].value() for item in found)
    assert aggregate_container_requests(pod)["memory"].value() == total
