"""Each format as its consumer reads it: the same findings in all of them, whatever their texts."""

import csv
import dataclasses
import io
import json
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from qoslint.finding import Finding, Location, Notice, RelatedLocation, Severity
from qoslint.plugins.builtin import given as built_in
from qoslint.plugins.collect import collect
from qoslint.plugins.given import Given
from qoslint.report import FORMATS, render
from qoslint.report.github import MOST
from qoslint.report.visible import visible
from qoslint.span import Position, Span

HERE = Path(__file__).parent
EXAMPLE_PLUGIN = HERE.parents[1] / "examples" / "plugin"
SCHEMAS = {
    name: json.loads((HERE / "consumers" / f"{name}.schema.json").read_text("utf-8"))
    for name in ("gitlab", "rdjson", "sonar")
}


class Read(NamedTuple):
    """What a consumer reads of a finding; None for what the format does not tell apart."""

    file: str | None
    line: int
    rule: str
    message: str | None


def unescaped(text: str, *escapes: tuple[str, str]) -> str:
    for escape, character in escapes:
        text = text.replace(escape, character)
    return text


PLACED = re.compile(r"(.*?):(\d+):\d+: (?:error|warning|note): (QOS\d+) (.*)")
"""As the problem matchers of gcc read it."""


def placed(line: str) -> Read:
    match = PLACED.fullmatch(line)
    assert match, line
    return Read(None, int(match[2]), match[3], None)


def read_concise(text: str):
    lines = text.split("\n")
    assert lines.pop() == ""
    for line in lines:
        assert not acts_on_github(line)
        yield placed(line)


def acts_on_github(line: str) -> bool:
    """Whether a runner takes the line for a command (runner `ActionCommand.cs`)."""
    return line.lstrip().startswith("::") or "##[" in line


def read_github(text: str):
    data = ("%0A", "\n"), ("%0D", "\r"), ("%25", "%")
    lines = text.split("\n")
    assert lines.pop() == ""
    for line in lines:
        if not line.startswith("::"):
            assert not acts_on_github(line)
            yield placed(line)
            continue
        command, message = line[2:].split("::", 1)
        name, _, told = command.partition(" ")
        if name in ("group", "endgroup"):
            continue
        assert name in ("error", "warning", "notice")
        properties = dict(item.split("=", 1) for item in told.split(","))
        assert list(properties) == ["file", "line", "endLine", "col", "endColumn", "title"]
        file, title = (
            unescaped(properties[key], ("%3A", ":"), ("%2C", ","), *data)
            for key in ("file", "title")
        )
        yield Read(file, int(properties["line"]), title.split()[0], unescaped(message, *data))


def read_azure(text: str):
    data = ("%0A", "\n"), ("%0D", "\r"), ("%AZP25", "%")
    lines = text.split("\n")
    assert lines.pop() == ""
    for line in lines:
        # The agent looks for the first of these anywhere, and for the first ] behind it.
        assert line.index("##vso[") == 0
        command, message = line.split("]", 1)
        name, _, told = command.removeprefix("##vso[").partition(" ")
        assert name == "task.logissue"
        properties = dict(item.split("=", 1) for item in told.removesuffix(";").split(";"))
        assert list(properties) == ["type", "sourcepath", "linenumber", "columnnumber", "code"]
        file = unescaped(properties["sourcepath"], ("%3B", ";"), ("%5D", "]"), *data)
        rule = properties["code"]
        yield Read(file, int(properties["linenumber"]), rule, unescaped(message, *data))


def read_gitlab(text: str):
    issues = json.loads(text)
    jsonschema.Draft202012Validator(SCHEMAS["gitlab"]).validate(issues)
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)
    for issue in issues:
        rule = issue["check_name"]
        message = issue["description"].removeprefix(f"{rule}: ")
        yield Read(issue["location"]["path"], issue["location"]["lines"]["begin"], rule, message)


def read_rdjson(text: str):
    result = json.loads(text)
    jsonschema.Draft202012Validator(SCHEMAS["rdjson"]).validate(result)
    for item in result["diagnostics"]:
        location = item["location"]
        line = location["range"]["start"]["line"]
        yield Read(location["path"], line, item["code"]["value"], item["message"])


def read_sonar(text: str):
    document = json.loads(text)
    jsonschema.Draft202012Validator(SCHEMAS["sonar"]).validate(document)
    known = {rule["id"] for rule in document["rules"]}
    for issue in document["issues"]:
        assert issue["ruleId"] in known
        location = issue["primaryLocation"]
        line = location["textRange"]["startLine"]
        yield Read(location["filePath"], line, issue["ruleId"], location["message"])


def read_junit(text: str):
    root = ET.fromstring(text)
    assert {each.tag for each in root.iter()} <= {
        "testsuites", "testsuite", "testcase", "failure", "error",
    }  # fmt: skip
    for parent in (root, *root.iter("testsuite")):
        for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
            assert int(parent.get(name)) == len([*parent.iter(tag)])
    for suite in root:
        for case in suite.iter("testcase"):
            assert case.get("classname") == suite.get("name")
            for failure in case.iter("failure"):
                told = placed(failure.text.split("\n")[0])
                assert told.rule == case.get("name")
                yield Read(suite.get("name"), told.line, told.rule, failure.get("message"))


def read_checkstyle(text: str):
    root = ET.fromstring(text)
    assert root.tag == "checkstyle"
    for file in root:
        for error in file:
            assert (file.tag, error.tag, len(error)) == ("file", "error", 0)
            assert error.get("severity") in ("error", "warning", "info")
            rule = error.get("source").removeprefix("qoslint.")
            yield Read(file.get("name"), int(error.get("line")), rule, error.get("message"))


def read_sarif(text: str):
    [run] = json.loads(text)["runs"]
    for result in run["results"]:
        [location] = result["locations"]
        physical = location["physicalLocation"]
        file = unquote(physical["artifactLocation"]["uri"], errors="surrogateescape")
        line = physical["region"]["startLine"]
        yield Read(visible(file), line, result["ruleId"], None)


def read_json(text: str):
    for item in json.loads(text)["findings"]:
        yield Read(item["at"]["file"], item["at"]["line"], item["rule"], item["message"])


def read_text(text: str):
    pattern = re.compile(r"\S.*?:(\d+):\d+: (?:error|warning|note) (QOS\d+) \S+")
    for line in text.split("\n"):
        assert not acts_on_github(line)
        if match := pattern.fullmatch(line):
            yield Read(None, int(match[1]), match[2], None)


def read_markdown(text: str):
    assert len(text) <= 65_536
    tokens = MarkdownIt("commonmark", {"linkify": False}).enable("table").parse(text)
    blocks = [token for token in tokens if token.type == "html_block"]
    assert [token.content.split("\n")[0] for token in blocks] == [
        "<!-- qoslint -->", "<details><summary>What was checked</summary>", "<pre>", "</details>",
    ]  # fmt: skip
    assert {token.type for token in tokens} <= {
        *("html_block", "heading_open", "heading_close", "paragraph_open", "paragraph_close"),
        *("inline", "table_open", "table_close", "thead_open", "thead_close", "tbody_open"),
        *("tbody_close", "tr_open", "tr_close", "th_open", "th_close", "td_open", "td_close"),
    }
    cells = [plain(inline) for opening, inline in pairwise(tokens) if opening.type == "td_open"]
    for severity, where, rule, message in zip(*[iter(cells)] * 4, strict=True):
        assert severity in ("error", "warning", "note")
        file, _, line = where.rpartition(":")
        yield Read(file, int(line), rule.split()[0], message)


def plain(inline) -> str:
    """The text of a cell, in which nothing is more than text."""
    for child in inline.children:
        assert child.type in ("text", "text_special") or child.content in ("<span>", "</span>")
    text = "".join(it.content for it in inline.children if it.type != "html_inline")
    raw = "".join("\0" if it.type == "html_inline" else it.content for it in inline.children)
    assert not re.search(r"(?<!\w)@\w|#\d", raw), "GitHub would call somebody"
    return text


READERS: dict[str, Callable] = {
    name.removeprefix("read_"): reader
    for name, reader in list(globals().items())
    if name.startswith("read_")
}


def test_every_format_has_a_reader_here():
    assert set(READERS) == set(FORMATS)


def span(line):
    return Span(Position(line, 1), Position(line, 2))


def finding(number, severity, **changes):
    """A finding at a line of its own."""
    made = Finding(
        f"QOS{103 + 100 * (number % 2)}", severity, f"It is number-{number:04}.",
        Location(f"apps/{number // 10}.yaml", span(number)), (f"shop/Deployment/{number}",),
    )  # fmt: skip
    return dataclasses.replace(made, **changes)


def as_read(findings):
    return sorted((it.location.span.start.line, it.rule) for it in findings)


@pytest.fixture
def formats(monkeypatch):
    """What there is in a run with the example plugin."""
    monkeypatch.syspath_prepend(str(EXAMPLE_PLUGIN))
    plugin = Given("acme", reporters={"csv": "acme_qoslint.table.render"})
    return collect([built_in(), plugin]).formats


def test_every_format_carries_every_finding_a_plugins_too(report, texts, formats):
    findings = tuple(
        finding(number, severity)
        for severity in Severity
        for number in range(severity * 100, severity * 100 + MOST)
    )
    changed = report._replace(findings=findings)
    told = {f"number-{each.location.span.start.line:04}" for each in findings}
    assert "csv" in formats
    for name in formats:
        printed = render(name, changed, texts, formats=formats)
        assert set(re.findall(r"number-\d{4}", printed)) == told, name
        if name in READERS:
            read = [*READERS[name](printed)]
            assert sorted((it.line, it.rule) for it in read) == as_read(findings), name
    table = render("csv", changed, texts, formats=formats)
    assert len([*csv.DictReader(io.StringIO(table))]) == len(findings)


@pytest.mark.parametrize("name", READERS)
def test_a_format_of_a_clean_run_is_read_and_holds_no_finding(name, report, texts):
    clean = report._replace(findings=(), failed_checks=())
    assert [*READERS[name](render(name, clean, texts))] == []


def test_beyond_what_github_shows_findings_are_lines_of_the_log(report, texts):
    findings = tuple(finding(number, Severity.WARNING) for number in range(1, 26))
    lines = render("github", report._replace(findings=findings), texts).split("\n")
    assert sum(line.startswith("::warning ") for line in lines) == MOST
    assert "::group::15 more findings" in lines
    assert len([*read_github("\n".join(lines))]) == 25


def test_a_page_of_markdown_has_a_hundred_rows_the_most_severe_first(report, texts):
    notes = tuple(finding(number, Severity.NOTE) for number in range(1, 150))
    changed = report._replace(findings=(*notes, finding(150, Severity.ERROR)))
    printed = render("markdown", changed, texts)
    rows = [*read_markdown(printed)]
    assert (len(rows), rows[0].line) == (100, 150)
    assert "50 more findings not shown here." in printed


def test_a_page_of_markdown_fits_into_a_comment_whatever_is_in_it(report, texts):
    findings = tuple(finding(number, Severity.NOTE, message="<" * 3000) for number in range(1, 100))
    notices = tuple(Notice("&" * 3000) for _ in range(100))
    printed = render("markdown", report._replace(findings=findings, notices=notices), texts)
    rows = [*read_markdown(printed)]
    assert 5 < len(rows) < 99
    assert f"{99 - len(rows)} more findings not shown here." in printed


PIECES = """
\x1b[31m \u2028 \u202e \ufffe \U0001f600 é a 1 q0 Q ; : , = %
:: ::error:: ::error::x ::stop-commands::x ##[error] ##[set-output=x]y ##vso[task.complete] ##
##teamcity[x] %0A %0D %25 %3A %AZP25 %5D ] [ [x](http://y) ![x](y) <https://x> http://x
www.example.com ]]> <![CDATA[ <script> </pre> </details> <!-- --> -- & &amp; &#64; | \\ ` ``` ~~~
* ** _ # @user #1 $ ! " ' - + 1. > {{x}} / .. ./
"""
HOSTILE = st.lists(
    st.sampled_from([*PIECES.split(), *" \n\r\t\0\udc80\ud83d", "\r\n", "\u00a0", "\\|"]),
    min_size=1, max_size=8,
).map("".join)  # fmt: skip
VISIBLE = HOSTILE.filter(lambda text: text.strip())
# A name is relative, and of lone surrogates only those that Python holds for a byte are in it.
FILES = VISIBLE.filter(lambda text: "\ud83d" not in text and not text.startswith(("/", "./")))


@pytest.mark.parametrize("name", READERS)
@given(file=FILES, message=VISIBLE, other=HOSTILE)
def test_no_text_breaks_out_of_a_format(name, report, texts, file, message, other):
    elsewhere = (RelatedLocation(Location(file, span(7)), other),)
    findings = tuple(
        finding(line, severity, message=message, location=Location(file, span(line)),
                objects=(other, message), related=elsewhere)
        for line, severity in ((3, Severity.ERROR), (5, Severity.NOTE))
    )  # fmt: skip
    changed = report._replace(
        findings=findings,
        rules=tuple(it._replace(name=other, summary=other, help=other) for it in report.rules),
        notices=(Notice(other, file, 1), Notice(message)),
        failed_checks=(other,),
    )
    printed = render(name, changed, texts)
    printed.encode("utf-8")
    if name in ("text", "concise"):
        # A file's name may look like the rest of its line; but no line is a command, or a new one.
        assert not any(map(acts_on_github, printed.split("\n")))
        assert name == "text" or printed.count("\n") == len(findings)
        return
    read = [*READERS[name](printed)]
    assert sorted((it.line, it.rule) for it in read) == as_read(findings)
    # A cell of a table loses the blanks around it.
    for each in read:
        assert each.file is None or each.file.strip() == visible(file).strip()
        assert each.message is None or each.message.strip().startswith(visible(message).strip())
