import pytest

from qoslint.report.visible import shortened, visible, width


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("日本 é", "日本 é"),
        ("\x1b[31m", r"\x1b[31m"),
        ("a\nb\tc\r", r"a\nb\tc\r"),
        ("\x9b2J", r"\x9b2J"),
        ("\u202eevil\u2066", r"\u202eevil\u2066"),
        ("\u200b\ufeff\u2028", r"\u200b\ufeff\u2028"),
        ("\udc80", r"\x80"),
        ("\ud800", r"\ud800"),
        ("\U000e0041", r"\U000e0041"),
    ],
)
def test_hidden_characters_are_written_as_escapes(text, shown):
    assert visible(text) == shown


@pytest.mark.parametrize(("text", "columns"), [("abc", 3), ("日本", 4), ("e\u0301", 1)])
def test_the_width_counts_terminal_columns(text, columns):
    assert width(text) == columns


def test_a_text_of_ordinary_length_is_not_cut():
    assert shortened("a\x1b" * 300) == visible("a\x1b" * 300)
    assert shortened("a" * 2000) == "a" * 2000


@pytest.mark.parametrize("text", ["a" * 2001, "\x1b" * 501, "a" * 4_000_000])
def test_a_longer_text_is_cut_and_says_so(text):
    shown = shortened(text)
    assert len(shown) == 2000
    assert shown.endswith("…")
