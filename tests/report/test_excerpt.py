import time

import pytest

from qoslint.report.excerpt import excerpt
from qoslint.report.visible import width
from qoslint.span import Position, Span


def underlined(line, first, last, room=40, last_line=1):
    span = Span(Position(1, first), Position(last_line, last))
    shown = excerpt(line, span, room)
    assert width(shown.text) <= room
    return shown.text, shown.text[shown.indent : shown.indent + shown.carets]


def test_carets_stand_under_the_span():
    assert underlined("  memory: 2Gi", 11, 14) == ("  memory: 2Gi", "2Gi")


def test_a_tab_before_the_span_takes_four_columns():
    assert underlined("\tmemory: 2Gi", 10, 13) == ("    memory: 2Gi", "2Gi")


def test_wide_characters_before_the_span_take_two_columns():
    shown = excerpt("名前: 2Gi", Span(Position(1, 5), Position(1, 8)), 40)
    assert (shown.indent, shown.carets) == (6, 3)


def test_an_escaped_character_in_the_span_has_a_caret_for_each_column():
    assert underlined("a: \x1bx", 4, 6) == (r"a: \x1bx", r"\x1bx")


def test_a_span_of_several_lines_is_underlined_to_the_end_of_its_first():
    assert underlined("  resources:  # here  ", 3, 1, last_line=9)[1] == "resources:  # here"


def test_an_empty_span_has_one_caret():
    assert underlined("memory: 2Gi", 9, 9)[1] == "2"


def test_a_span_behind_the_end_of_the_line_has_one_caret_there():
    shown = excerpt("abc", Span(Position(1, 99), Position(1, 120)), 40)
    assert (shown.indent, shown.carets) == (3, 1)


@pytest.mark.parametrize("before", [0, 10, 39, 40, 41, 500])
def test_a_long_line_is_cut_around_the_span(before):
    line = "a" * before + "SPAN" + "b" * 500
    text, marked = underlined(line, before + 1, before + 5)
    assert marked == "SPAN"
    assert text.endswith("b…")
    assert text.startswith("…") == (before >= 39)


def test_a_span_longer_than_the_room_is_shown_from_its_start():
    text, marked = underlined("key: " + "v" * 100, 6, 106)
    assert text == "key: " + "v" * 34 + "…"
    assert marked == "v" * 34


def test_a_line_that_just_fits_is_not_cut():
    line = "x" * 40
    assert underlined(line, 40, 41) == (line, "x")


def test_a_long_line_of_wide_characters_is_cut_to_the_room():
    line = "日" * 300
    shown = excerpt(line, Span(Position(1, 150), Position(1, 151)), 40)
    assert width(shown.text) <= 40
    assert shown.carets == 2


def test_a_line_of_ten_million_characters_is_cut_at_once():
    line = "\x1b" * 10_000_000
    started = time.process_time()
    underlined(line, 5_000_000, 5_000_003)
    assert time.process_time() - started < 1
