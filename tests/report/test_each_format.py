"""What a format does that no other does."""

import dataclasses
import json
from xml.etree import ElementTree as ET

from qoslint.finding import Location, Replacement
from qoslint.report import render
from qoslint.span import Position, Span


def span(line, first, last):
    return Span(Position(line, first), Position(line, last))


def only(report, **changes):
    """The report with its first finding alone, and nothing that failed."""
    one = dataclasses.replace(report.findings[0], **changes)
    return report._replace(findings=(one,), failed_checks=())


def test_an_annotation_ends_with_the_advice_in_a_line_of_its_own(report, texts):
    assert render("github", only(report), texts).endswith("%0ADo what above-maximum asks for.\n")


def test_an_annotation_over_several_lines_has_no_column(report):
    long = Location("gone.yaml", Span(Position(3, 1), Position(5, 2)))
    printed = render("github", only(report, location=long), lambda file: None)
    assert printed.startswith(
        "::error file=gone.yaml,line=3,endLine=5,title=QOS203 above-maximum::"
    )


def test_a_fingerprint_of_gitlab_stays_when_lines_move(report, texts):
    def fingerprint(line):
        moved = Location("deploy/api.yaml", span(line, 1, 2))
        [issue] = json.loads(render("gitlab", only(report, location=moved), texts))
        return issue["fingerprint"]

    assert fingerprint(3) == fingerprint(8)


def test_a_suggestion_is_the_whole_fix(report, texts):
    [item] = json.loads(render("rdjson", only(report), texts))["diagnostics"]
    [suggestion] = item["suggestions"]
    assert suggestion["text"] == "1Gi\r\n            limits:\r\n\t      x: 1"
    assert suggestion["range"] == {
        "start": {"line": 11, "column": 23},
        "end": {"line": 11, "column": 26},
    }


def test_a_suggestion_keeps_what_stands_between_two_edits(report, texts):
    fixes = tuple(Replacement("deploy/api.yaml", span(1, n, n + 3), "X") for n in (13, 1))
    [item] = json.loads(render("rdjson", only(report, fixes=fixes), texts))["diagnostics"]
    assert item["suggestions"][0]["text"] == "XVersion: X"


def test_a_fix_of_another_file_is_no_suggestion(report, texts):
    fixes = (*report.findings[0].fixes, Replacement("ns/limits.yaml", span(4, 1, 2), ""))
    [item] = json.loads(render("rdjson", only(report, fixes=fixes), texts))["diagnostics"]
    assert item["suggestions"] == []


def test_a_range_of_sonar_counts_columns_from_zero(report, texts):
    [issue] = json.loads(render("sonar", only(report), texts))["issues"]
    assert issue["primaryLocation"]["textRange"] == {
        "startLine": 11, "endLine": 11, "startColumn": 14, "endColumn": 25,
    }  # fmt: skip
    [related] = issue["secondaryLocations"]
    assert related["filePath"] == "ns/limits.yaml"


def test_an_empty_range_is_its_line_for_sonar(report, texts):
    empty = Location("deploy/api.yaml", span(3, 5, 5))
    [issue] = json.loads(render("sonar", only(report, location=empty), texts))["issues"]
    assert issue["primaryLocation"]["textRange"] == {"startLine": 3}


def test_a_clean_run_is_one_test_that_passed(report, texts):
    clean = report._replace(findings=(), failed_checks=())
    root = ET.fromstring(render("junit", clean, texts))
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("1", "0", "0")


def test_a_check_that_failed_is_a_test_with_an_error(report, texts):
    root = ET.fromstring(render("junit", report._replace(findings=()), texts))
    [error] = root.iter("error")
    assert error.get("message") == "QOS999 raised ValueError at shop/Deployment/api\\x07"
    assert (root.get("tests"), root.get("errors")) == ("1", "1")


def test_a_page_of_markdown_says_what_was_not_checked(report, texts):
    printed = render("markdown", report, texts)
    assert "Not checked: 2 files not understood, 1 pod unknown, 1 check failed.\n" in printed
    assert "  - charts/a b/Chart.yaml:1: The chart was not rendered.\n" in printed


def test_markdown_calls_nobody(report, texts):
    called = only(report, message="Ask @team, see #12.", objects=())
    assert "Ask <span>@</span>team, see <span>\\#</span>12." in render("markdown", called, texts)
