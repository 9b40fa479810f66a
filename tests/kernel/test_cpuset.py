"""Sets of CPUs are read as the kubelet does."""

from __future__ import annotations

import pytest

from qoslint.kernel.cpuset import CPUSetError, parse_cpu_set


@pytest.mark.parametrize(
    ("text", "ranges", "size"),
    [
        ("", (), 0),
        ("0-3,8", ((0, 3), (8, 8)), 5),
        ("3,1,2,2", ((1, 3),), 3),
        ("1-5,2-3", ((1, 5),), 5),
        ("0-9999999999", ((0, 9_999_999_999),), 10_000_000_000),
    ],
)
def test_a_set_counts_every_cpu_once(text, ranges, size):
    found = parse_cpu_set(text)
    assert (found.ranges, found.size) == (ranges, size)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1-0", 'invalid range "1-0" (1 > 0)'),
        ("0,a", 'strconv.Atoi: parsing "a": invalid syntax'),
        ("-1", 'strconv.Atoi: parsing "": invalid syntax'),
        ("0,", 'strconv.Atoi: parsing "": invalid syntax'),
        ("9" * 20, f'strconv.Atoi: parsing "{"9" * 20}": value out of range'),
    ],
)
def test_what_is_no_set_is_refused_in_kubernetes_words(text, message):
    with pytest.raises(CPUSetError) as caught:
        parse_cpu_set(text)
    assert str(caught.value) == message
