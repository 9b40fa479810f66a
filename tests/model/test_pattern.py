"""Patterns of names, in which only a star is special."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qoslint.model.pattern import fits, fits_any


@pytest.mark.parametrize(
    ("pattern", "name", "expected"),
    [
        ("kube-*", "kube-system", True),
        ("kube-*", "kube-", True),
        ("kube-*", "my-kube-system", False),
        ("*", "", True),
        ("*-a-*-b", "x-a-y-b", True),
        ("*-a-*-b", "x-a-b", False),
        ("a*a", "a", False),
        ("[a]", "a", False),
        ("[a]", "[a]", True),
        ("a?", "ab", False),
        ("**/x", "/y/x", True),
    ],
)
def test_a_star_stands_for_any_characters(pattern, name, expected):
    assert fits(name, pattern) is expected
    assert fits_any(name, ["no", pattern]) is expected


@given(st.lists(st.tuples(st.text("ab"), st.text("ab"))), st.text("ab"))
def test_what_is_made_by_filling_in_the_stars_fits(pairs, last):
    name = "".join([*(piece + filling for piece, filling in pairs), last])
    assert fits(name, "*".join([*(piece for piece, _ in pairs), last]))
