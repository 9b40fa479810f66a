"""The records of a pod: equal pods are one value, whatever order they were written in."""

from __future__ import annotations

import pytest

from qoslint.kernel.pod import Container, ContainerType, Pod, ResourceList, Resources
from qoslint.kernel.quantity import parse

CPU_FIRST = {"cpu": parse("1"), "memory": parse("1Gi")}
MEMORY_FIRST = {"memory": parse("1Gi"), "cpu": parse("1")}


def test_resource_lists_of_any_order_are_equal_hash_alike_and_iterate_sorted():
    a, b = ResourceList(CPU_FIRST), ResourceList(MEMORY_FIRST)
    assert a == b
    assert len({a, b}) == 1
    assert [*b] == ["cpu", "memory"]


def test_resource_lists_that_print_differently_are_not_equal():
    assert ResourceList({"cpu": parse("1")}) != ResourceList({"cpu": parse("1000m")})


def test_a_list_with_other_items_on_top_leaves_the_first_unchanged():
    first = ResourceList({"cpu": parse("1")})
    second = first.with_items({"cpu": parse("2"), "memory": parse("1Gi")})
    assert (str(first["cpu"]), str(second["cpu"]), len(second)) == ("1", "2", 2)


def test_equal_pods_are_one_key():
    def pod(quantities):
        return Pod((Container("c", resources=Resources(ResourceList(quantities))),))

    assert {pod(CPU_FIRST): "judged"}[pod(MEMORY_FIRST)] == "judged"


def test_a_pod_cannot_be_changed():
    with pytest.raises(AttributeError):
        Pod(()).priority = 1  # type: ignore[misc]  # what is tested


def test_containers_come_with_their_paths_init_containers_first():
    init = Container("i", ContainerType.INIT)
    paths = [
        path for path, _ in Pod((Container("a"), Container("b")), (init,)).containers_with_paths()
    ]
    assert paths == [("initContainers", 0), ("containers", 0), ("containers", 1)]


def test_a_list_that_is_rounded_stays_the_same_object():
    authored = ResourceList({"cpu": parse("1500u"), "memory": parse("1Gi")})
    rounded = authored.rounded_up()
    assert {name: str(quantity) for name, quantity in rounded.items()} == {
        "cpu": "2m",
        "memory": "1Gi",
    }
    assert rounded.rounded_up() is rounded
    assert authored.rounded_up() == rounded != authored
