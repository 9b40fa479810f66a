"""The format `github`: annotations of a pull request, by the commands of GitHub Actions.

GitHub shows ten annotations of each severity for a step, those that come first. So the most severe
come first, and beyond the tenth a finding is a plain line of the log.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from qoslint.finding import Report, RuleInfo, Severity
from qoslint.model.wording import counted
from qoslint.report import Texts
from qoslint.report.concise import concise_line
from qoslint.report.places import LinesOf, first_line, lines_of
from qoslint.report.results import Result, by_severity
from qoslint.report.sentences import statement_with_places
from qoslint.report.style import Style
from qoslint.report.visible import inert, shortened, visible

MOST = 10
"""So many annotations of a severity are shown for a step."""

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(report: Report, texts: Texts, style: Style) -> str:
    """A command for each finding that is shown, then the others in a group of the log."""
    lines, rules = lines_of(texts), {rule.code: rule for rule in report.rules}
    commands, rest = [], []
    for _, group in groupby(by_severity(report), key=lambda result: result.finding.severity):
        every = list(group)
        commands += [
            _command(result, lines, rules.get(result.finding.rule)) for result in every[:MOST]
        ]
        rest += every[MOST:]
    return "".join(f"{line}\n" for line in (*commands, *_rest(rest)))


def _command(result: Result, lines: LinesOf, rule: RuleInfo | None) -> str:
    finding = result.finding
    start, end = first_line(finding.location, lines)
    # Columns are only taken where they are of one line.
    columns = {"col": start.column, "endColumn": end.column} if start.line == end.line else {}
    properties = {
        "file": visible(finding.location.file),
        "line": start.line,
        "endLine": end.line,
        **columns,
        "title": shortened(f"{finding.rule} {rule.name}" if rule else finding.rule),
    }
    told = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    message = statement_with_places(finding, result.clusters)
    if rule and rule.help:
        message += f"\n{shortened(rule.help)}"
    return f"::{_COMMANDS[finding.severity]} {told}::{_data(message)}"


def _rest(results: list[Result]) -> Iterator[str]:
    if results:
        yield f"::group::{counted(len(results), 'more finding')}"
        yield from (inert(concise_line(result)) for result in results)
        yield "::endgroup::"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
