import pytest

from qoslint.finding import Location
from qoslint.report.places import first_line, lines_of, utf8_column, utf16_offset
from qoslint.span import Position, Span

LINES = lines_of({"a.yaml": "é𐐀b: x  \r\nsecond: y\n"}.get)


def location(start, end):
    return Location("a.yaml", Span(Position(*start), Position(*end)))


def test_a_column_in_bytes_counts_those_of_utf8():
    columns = [utf8_column(Position(1, column), LINES("a.yaml")) for column in (1, 2, 3, 4)]
    assert columns == [1, 3, 7, 8]


def test_an_offset_in_utf16_counts_surrogates_from_zero():
    offsets = [utf16_offset(Position(1, column), LINES("a.yaml")) for column in (1, 2, 3, 4)]
    assert offsets == [0, 1, 3, 4]


@pytest.mark.parametrize("file", ["a.yaml", "gone.yaml"])
def test_a_position_behind_its_line_has_neither(file):
    lines = LINES(file)
    assert utf8_column(Position(2, 11), lines) is None
    assert utf16_offset(Position(2, 11), lines) is None


def test_a_span_of_several_lines_ends_with_the_text_of_its_first():
    assert first_line(location((1, 3), (2, 4)), LINES) == location((1, 3), (1, 7)).span


def test_a_span_of_one_line_stays_as_it_is():
    one = location((2, 1), (2, 7))
    assert first_line(one, LINES) == one.span


def test_a_span_whose_file_is_gone_stays_as_it_is():
    gone = Location("gone.yaml", location((1, 3), (2, 4)).span)
    assert first_line(gone, LINES) == gone.span
