"""How Go prints what templates and parameters hold."""

from __future__ import annotations

import pytest

from qoslint.render.argo.gotext import go_text


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3, "3"),
        (-1.5, "-1.5"),
        (100000, "100000"),
        (123456, "123456"),
        (1000000, "1e+06"),
        (1234567, "1.234567e+06"),
        (0.0001, "0.0001"),
        (0.00001, "1e-05"),
        (0, "0"),
        (True, "true"),
        (None, "<nil>"),
        ("x", "x"),
    ],
)
def test_numbers_are_printed_as_go_prints_floats(value, expected):
    assert go_text(value) == expected


@pytest.mark.parametrize("value", [10**400, float("nan"), float("inf"), [1], {"a": 1}])
def test_what_go_would_print_otherwise_is_refused(value):
    with pytest.raises(ValueError, match=r"\d|nan|inf"):
        go_text(value)
