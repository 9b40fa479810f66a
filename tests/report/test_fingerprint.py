import dataclasses

import pytest

from qoslint.finding import Finding, Location, Severity
from qoslint.report.fingerprint import fingerprints, line_hashes
from qoslint.span import Lines, Position, Span

SPAN = Span(Position(3, 1), Position(3, 5))
FINDING = Finding(
    "QOS103", Severity.WARNING, "x", Location("a.yaml", SPAN), ("shop/Deployment/api",), field="f"
)


def test_the_line_hash_of_an_empty_file_is_codeqls():
    assert line_hashes("") == ("c129715d7a2bc9a3:1",)


def test_the_line_hash_of_a_short_file_is_codeqls():
    assert line_hashes(" a\nb\n  \t\tc\n d")[0] == "271789c17abda88f:1"


def test_equal_line_hashes_are_numbered():
    hashes = line_hashes("a: " + "b" * 200 + "\n" + "a: " + "b" * 200)
    assert hashes[0] == f"{hashes[1][:-2]}:1"
    assert hashes[1].endswith(":2")


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_hashes_do_not_depend_on_the_line_ends(end):
    text = "one\ntwo\n\n  three\n"
    assert line_hashes(text.replace("\n", end)) == line_hashes(text)


def test_line_hashes_do_not_depend_on_blanks():
    assert line_hashes("a:\n  - b c\n") == line_hashes("a:\n\t-bc\n")


def test_a_character_beyond_the_basic_plane_counts_as_two_units():
    assert line_hashes("\U0001f600") == line_hashes("\ud83d\ude00")


def test_there_is_a_hash_for_each_line_that_an_editor_shows():
    text = "a\r\n\rb\n\nc"
    assert len(line_hashes(text)) == Lines(text).position(len(text)).line


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
