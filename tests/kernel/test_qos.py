"""The QoS class: what everybody gets wrong, and what must hold for all pods."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qoslint.kernel.features import features
from qoslint.kernel.pod import Container, ContainerType, Pod, ResourceList, Resources
from qoslint.kernel.qos import QOSClass, compute_pod_qos
from qoslint.kernel.quantity import parse

RANK = [QOSClass.BEST_EFFORT, QOSClass.BURSTABLE, QOSClass.GUARANTEED]
FULL = {"cpu": "1", "memory": "1Gi"}
NEWEST = features("1.36")


def block(requests=(), limits=()):
    return Resources(*(quantities(texts) for texts in (requests, limits)))


def quantities(texts):
    return ResourceList({name: parse(text) for name, text in dict(texts).items()})


def container(requests=(), limits=(), type=ContainerType.CONTAINER):
    return Container("c", type, block(requests, limits))


def qos(*containers, version="1.36", **fields):
    return compute_pod_qos(Pod(containers, **fields), features(version))


def test_equal_requests_and_limits_of_cpu_and_memory_are_guaranteed():
    assert qos(container(FULL, FULL)) is QOSClass.GUARANTEED


def test_a_limit_of_cpu_alone_is_burstable_though_request_equals_limit():
    assert qos(container({"cpu": "1"}, {"cpu": "1"})) is QOSClass.BURSTABLE


def test_requests_alone_are_burstable():
    assert qos(container(FULL)) is QOSClass.BURSTABLE


def test_one_container_without_resources_makes_a_guaranteed_pod_burstable():
    assert qos(container(FULL, FULL), container()) is QOSClass.BURSTABLE


@pytest.mark.parametrize("type", [ContainerType.INIT, ContainerType.SIDECAR])
def test_an_init_container_of_either_type_counts(type):
    pod = Pod((container(FULL, FULL),), init_containers=(container(type=type),))
    assert compute_pod_qos(pod, NEWEST) is QOSClass.BURSTABLE


def test_zero_is_as_good_as_absent():
    zero = {"cpu": "0", "memory": "0"}
    assert qos(container(zero, zero)) is QOSClass.BEST_EFFORT


def test_a_billionth_of_a_byte_counts():
    assert qos(container({"memory": "1n"})) is QOSClass.BURSTABLE


def test_other_resources_do_not_count():
    other = {"ephemeral-storage": "1Gi", "hugepages-2Mi": "2Mi", "nvidia.com/gpu": "1"}
    assert qos(container(other, other)) is QOSClass.BEST_EFFORT


def test_overhead_does_not_count():
    assert qos(container(), overhead=quantities(FULL)) is QOSClass.BEST_EFFORT


def test_values_are_compared_and_not_their_text():
    same = {"cpu": "1000m", "memory": "1073741824"}
    assert qos(container(same, FULL)) is QOSClass.GUARANTEED


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("1.33", QOSClass.GUARANTEED),
        ("1.34", QOSClass.BEST_EFFORT),
        ("1.36", QOSClass.BEST_EFFORT),
        ("1.37", QOSClass.GUARANTEED),
    ],
)
def test_an_empty_pod_level_block_hides_the_containers_only_in_some_versions(version, expected):
    assert qos(container(FULL, FULL), version=version, resources=Resources()) is expected


def test_a_pod_level_block_makes_a_pod_guaranteed_whose_containers_have_nothing():
    assert qos(container(), resources=block(FULL, FULL)) is QOSClass.GUARANTEED


def test_a_pod_level_block_of_hugepages_alone_hides_the_containers_in_every_version():
    pages = block({"hugepages-2Mi": "2Mi"}, {"hugepages-2Mi": "2Mi"})
    for version in ("1.34", "1.37"):
        found = qos(container(FULL, FULL), version=version, resources=pages)
        assert found is QOSClass.BEST_EFFORT


amounts = st.sampled_from(["0", "1", "2", "500m"])
lists = st.dictionaries(st.sampled_from(["cpu", "memory", "nvidia.com/gpu"]), amounts)


def valid(requests, limits):
    """As the API server stores it: limits copied to requests, no request above its limit."""
    given_requests = {**limits, **requests}
    for name in limits:
        if parse(given_requests[name]).nanos > parse(limits[name]).nanos:
            given_requests[name] = limits[name]
    return container(given_requests, limits)


containers = st.lists(st.builds(valid, lists, lists), min_size=1, max_size=4)


@given(containers)
def test_comparing_each_container_gives_the_class_that_sums_give(pods_containers):
    """v1.37 compares block by block, earlier versions sum first."""
    classes = {class_of_block(c.resources) for c in pods_containers}
    expected = classes.pop() if len(classes) == 1 else QOSClass.BURSTABLE
    assert qos(*pods_containers) is expected


def class_of_block(resources):
    pairs = [
        [list_.get(name, parse("0")).nanos for list_ in (resources.requests, resources.limits)]
        for name in ("cpu", "memory")
    ]
    if not any(map(sum, pairs)):
        return QOSClass.BEST_EFFORT
    full = all(request == limit != 0 for request, limit in pairs)
    return QOSClass.GUARANTEED if full else QOSClass.BURSTABLE


@given(containers, st.sampled_from(["cpu", "memory"]))
def test_adding_a_limit_never_lowers_the_class(pods_containers, name):
    first, *rest = pods_containers
    if name not in first.resources.limits:
        limit = first.resources.requests.get(name, parse("1"))
        richer = Resources(
            first.resources.requests.with_items({name: limit}),
            first.resources.limits.with_items({name: limit}),
        )
        before, after = qos(first, *rest), qos(Container("c", first.type, richer), *rest)
        assert RANK.index(after) >= RANK.index(before)
