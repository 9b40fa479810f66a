"""Which lines a change touched."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qoslint.source.lines import changed_lines
from qoslint.span import Lines

TEXTS = st.lists(st.sampled_from(string.ascii_lowercase[:6]), max_size=30).map("\n".join)


def test_an_edited_line_and_an_added_line_are_touched():
    assert changed_lines("a\nb\nc\n", "a\nB\nc\nd\n") == {2, 4}


def test_what_stands_around_a_removed_line_is_touched():
    assert changed_lines("a\nb\nc\n", "a\nc\n") == {1, 2}
    assert changed_lines("a\nb\n", "b\n") == {1}


def test_lines_that_move_down_are_not_touched():
    assert changed_lines("a\nb\nc\n", "x\ny\na\nb\nc\n") == {1, 2}


def test_edits_far_from_each_other_leave_what_is_between_alone():
    lines = [f"line {number}" for number in range(5000)]
    edited = ["first", *lines[1:-1], "last"]
    assert changed_lines("\n".join(lines), "\n".join(edited)) == {1, 5000}


def test_texts_of_equal_lines_are_compared_in_no_time():
    assert changed_lines("a\n" * 100_000, "b\n" + "a\n" * 100_000) == {1}
    assert len(changed_lines("a\nb\n" * 20_000, "b\na\n" * 20_000)) <= 40_000


@given(TEXTS)
def test_a_text_differs_in_no_line_from_itself(text):
    assert changed_lines(text, text) == frozenset()


@given(TEXTS, TEXTS)
def test_all_lines_that_are_not_touched_stand_in_the_older_text_in_that_order(before, after):
    touched = changed_lines(before, after)
    new = after.splitlines()
    kept = iter(before.splitlines())
    untouched = [line for number, line in enumerate(new, start=1) if number not in touched]
    assert all(line in kept for line in untouched)
    assert all(1 <= number <= len(new) for number in touched)


@pytest.mark.parametrize("other", ["\u2028", "\u2029", "\x85", "\f", "\v", "\x1c"])
def test_only_line_feeds_and_carriage_returns_end_lines_as_in_spans(other):
    text = f"a{other}b\r\nc\rd\n"
    assert changed_lines(text, text.replace("c", "C")) == {2}
    assert changed_lines(text, text.replace("d", "D")) == {3}
    assert Lines(text).position(text.index("d")).line == 3
