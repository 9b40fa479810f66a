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


CODEQLS = {
    "": "c129715d7a2bc9a3:1",
    " a\nb\n  \t\tc\n d": (
        "271789c17abda88f:1 54703d4cd895b18:1 180aee12dab6264:1 a23a3dc5e078b07b:1"
    ),
    " hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End": (
        "8b7cf3e952e7aeb2:1 b1ae1287ec4718d9:1 bff680108adb0fcc:1 c6805c5e1288b612:1 "
        "b86d3392aea1be30:1 e6ceba753e1a442:1"
    ),
    **dict.fromkeys(
        [
            " hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n",
            " hello; \t\nworld!!!\r\r\r  \t\tGreetings\r End\r",
            " hello; \t\r\nworld!!!\r\n\r\n\r\n  \t\tGreetings\r\n End\r\n",
            " hello; \t\nworld!!!\r\n\n\r  \t\tGreetings\r End\r\n",
        ],
        "e9496ae3ebfced30:1 fb7c023a8b9ccb3f:1 ce8ba1a563dcdaca:1 e20e36e16fcb0cc8:1 "
        "b3edc88f2938467e:1 c8e28b0b4002a3a0:1 c129715d7a2bc9a3:1",
    ),
    "Lorem ipsum dolor sit amet.\n" * 10: (
        "a7f2ff13bc495cf2:1 a7f2ff13bc495cf2:2 a7f2ff13bc495cf2:3 a7f2ff13bc495cf2:4 "
        "a7f2ff13bc495cf2:5 a7f2ff13bc495cf2:6 a7f2ff1481e87703:1 a9cf91f7bbf1862b:1 "
        "55ec222b86bcae53:1 cc97dc7b1d7d8f7b:1 c129715d7a2bc9a3:1"
    ),
    "x = 2\nx = 1\nprint(x)\nx = 3\nprint(x)\nx = 4\nprint(x)\n": (
        "e54938cc54b302f1:1 bb609acbe9138d60:1 1131fd5871777f34:1 5c482a0f8b35ea28:1 "
        "54517377da7028d2:1 2c644846cb18d53e:1 f1b89f20de0d133:1 c129715d7a2bc9a3:1"
    ),
}
"""Texts and the hashes of their lines, as the upload action of GitHub computes them."""


@pytest.mark.parametrize("text", CODEQLS)
def test_the_line_hashes_are_those_of_githubs_upload(text):
    assert all_hashes(text) == CODEQLS[text].split()


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
