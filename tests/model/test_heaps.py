"""What a container's manifest says of the largest heap of its runtime."""

import pytest

from qoslint.model.heaps import heap

LIMIT = 1024**3


def size(container):
    found = heap(container)
    return found and found.size(LIMIT)


@pytest.mark.parametrize(
    ("flag", "expected"),
    [
        ("-Xmx512m", 512 * 1024**2),
        ("-Xmx2G", 2 * 1024**3),
        ("-Xmx1048576", 1024**2),
        ("-XX:MaxHeapSize=64k", 64 * 1024),
        ("-XX:MaxRAMPercentage=75", LIMIT * 3 // 4),
        ("-XX:MaxRAMPercentage=12.5", LIMIT // 8),
        ("--max-old-space-size=256", 256 * 1024**2),
        ("--max_old_space_size 256", 256 * 1024**2),
    ],
)
def test_a_flag_is_read_as_its_runtime_reads_it(flag, expected):
    assert size({"args": [f"exec run {flag} app"]}) == expected


@pytest.mark.parametrize(
    "flag", ["-Xmx512mb", "-Xmx", "-Xmx${HEAP}", "-Xmx1.5g", "no-Xmx1g", "-Xmx1g.jar", "-Xms1g"]
)
def test_what_is_no_flag_of_a_heap_is_left_alone(flag):
    assert size({"command": ["sh", "-c", flag]}) is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [("100MiB", 100 * 1024**2), ("1000", 1000), ("7B", 7), ("1GiB", LIMIT)],
)
def test_the_memory_limit_of_go_has_its_own_units(value, expected):
    assert size({"env": [{"name": "GOMEMLIMIT", "value": value}]}) == expected


@pytest.mark.parametrize("value", ["off", "1Gi", "1G", "$(LIMIT)", None, 5, ["1GiB"]])
def test_what_go_does_not_read_is_left_alone(value):
    assert size({"env": [{"name": "GOMEMLIMIT", "value": value}]}) is None


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ({"resource": "limits.memory"}, LIMIT),
        ({"resource": "limits.memory", "divisor": "1"}, LIMIT),
        ({"resource": "limits.memory", "divisor": "1Mi"}, None),
        ({"resource": "requests.memory"}, None),
        ({"resource": "limits.memory", "containerName": "other"}, None),
    ],
)
def test_the_memory_limit_of_go_may_be_taken_from_the_limit(source, expected):
    variable = {"name": "GOMEMLIMIT", "valueFrom": {"resourceFieldRef": source}}
    assert size({"env": [variable]}) == expected


def test_of_several_settings_the_smallest_counts_and_in_one_text_the_last():
    options = [
        {"name": "A_OPTS", "value": "-Xmx1g -Xmx3g"},
        {"name": "B_OPTS", "value": "-Xmx2g -XX:MaxRAMPercentage=1"},
    ]
    found = heap({"env": options})
    assert (found.setting, found.path) == ("-Xmx2g", ("env", 1, "value"))


@pytest.mark.parametrize(
    "container", [{}, {"args": "-Xmx1g"}, {"env": {"name": 1}}, {"env": [None, "x", {"value": []}]}]
)
def test_fields_of_the_wrong_type_say_nothing(container):
    assert heap(container) is None


def test_a_script_with_data_in_it_is_not_searched():
    assert heap({"args": [" -Xmx1g" * 100_000]}) is None
