import dataclasses
import functools
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qoslint.finding import Finding, Location, Severity
from qoslint.report.fingerprint import fingerprints, line_hashes
from qoslint.span import Lines, Position, Span

SPAN = Span(Position(3, 1), Position(3, 5))
FINDING = Finding(
    "QOS103", Severity.WARNING, "x", Location("a.yaml", SPAN), ("shop/Deployment/api",), field="f"
)


def all_hashes(text):
    lines = range(1, Lines(text).position(len(text)).line + 1)
    hashes = line_hashes(text, lines)
    assert list(hashes) == list(lines)
    return list(hashes.values())


def test_the_line_hash_of_an_empty_file_is_codeqls():
    assert all_hashes("") == ["c129715d7a2bc9a3:1"]


def test_the_line_hash_of_a_short_file_is_codeqls():
    assert all_hashes(" a\nb\n  \t\tc\n d")[0] == "271789c17abda88f:1"


def test_equal_line_hashes_are_numbered():
    hashes = all_hashes("a: " + "b" * 200 + "\n" + "a: " + "b" * 200)
    assert hashes[0] == f"{hashes[1][:-2]}:1"
    assert hashes[1].endswith(":2")


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_hashes_do_not_depend_on_the_line_ends(end):
    text = "one\ntwo\n\n  three\n"
    assert all_hashes(text.replace("\n", end)) == all_hashes(text)


def test_line_hashes_do_not_depend_on_blanks():
    assert all_hashes("a:\n  - b c\n") == all_hashes("a:\n\t-bc\n")


def test_a_character_beyond_the_basic_plane_counts_as_two_units():
    assert all_hashes("\U0001f600") == all_hashes("\ud83d\ude00")


def test_a_line_that_an_editor_does_not_show_has_no_hash():
    text = "a\r\n\rb\n\nc"
    assert list(line_hashes(text, {2, 5, 6})) == [2, 5]


def test_a_line_that_is_not_asked_for_is_counted_all_the_same():
    text = "a\n" * 300
    assert line_hashes(text, {120}) == {120: all_hashes(text)[119]}
    assert line_hashes(text, {120})[120].endswith(":120")


@given(st.text(st.sampled_from("a b\t\n\r\U0001f600\ud83d\0"), max_size=300))
def test_the_hash_is_the_polynomial_of_the_units_from_the_line_on(text):
    kept = "".join(text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ").split(" "))
    units = [*memoryview(kept.encode("utf-16", "surrogatepass")[2:]).cast("H"), 0xFFFF]
    starts = [0, *(index + 1 for index, unit in enumerate(units) if unit == 10)]
    seen = []
    for start in starts:
        window = [*units[start : start + 100], *[0] * 100][:100]
        seen.append(functools.reduce(lambda value, unit: (37 * value + unit) % 2**64, window))
    expected = [f"{value:x}:{seen[: index + 1].count(value)}" for index, value in enumerate(seen)]
    assert all_hashes(text) == expected


def test_the_hashes_of_few_lines_of_a_large_file_take_little_memory():
    text = "".join(f"k{number}: a b\n" for number in range(200_000))
    tracemalloc.start()
    try:
        line_hashes(text, {1, 100_000, 200_000})
        assert tracemalloc.get_traced_memory()[1] < 6 * len(text)
    finally:
        tracemalloc.stop()


def test_a_fingerprint_survives_a_new_wording_line_and_file():
    moved = dataclasses.replace(
        FINDING,
        message="y",
        severity=Severity.ERROR,
        location=Location("b.yaml", Span(Position(9, 1), Position(9, 2))),
    )
    assert fingerprints([moved]) == fingerprints([FINDING])


@pytest.mark.parametrize(
    "change", [{"rule": "QOS104"}, {"objects": ("shop/Deployment/web",)}, {"field": "g"}]
)
def test_a_fingerprint_differs_by_rule_object_and_field(change):
    assert fingerprints([dataclasses.replace(FINDING, **change)]) != fingerprints([FINDING])


def test_a_finding_without_objects_is_recognised_by_its_file():
    first = dataclasses.replace(FINDING, objects=())
    other = dataclasses.replace(first, location=Location("b.yaml", SPAN))
    assert fingerprints([first]) != fingerprints([other])


def test_equal_fingerprints_are_numbered():
    first, second = fingerprints([FINDING, FINDING])
    assert (first[-2:], second[-2:]) == (":1", ":2")
    assert first[:-2] == second[:-2]


def test_what_the_objects_of_a_finding_share_is_what_it_is_recognised_by():
    one = dataclasses.replace(FINDING, shared="charts.example/web")
    more = dataclasses.replace(one, objects=("shop/Deployment/a", "shop/Deployment/b"))
    assert fingerprints([one]) == fingerprints([more])
    assert fingerprints([one]) != fingerprints([FINDING])
