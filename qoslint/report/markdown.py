"""The format `markdown`: a table for the summary of a job or a comment on a pull request."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from itertools import islice

from qoslint.finding import Report
from qoslint.model.wording import counted
from qoslint.report import Texts
from qoslint.report.escape import MOST_ROWS, markdown, within
from qoslint.report.results import Result, by_severity
from qoslint.report.sentences import statement
from qoslint.report.style import PLAIN, Style
from qoslint.report.summary import summary, verdict
from qoslint.report.visible import shortened

_FOR_ROWS = 45_000
_FOR_SUMMARY = 10_000
_MARKER = "<!-- qoslint -->"
"""By it a bot finds its earlier comment."""


def render(report: Report, texts: Texts, style: Style) -> str:
    """The page: the verdict, a row for each finding, the most severe first, and the coverage."""
    return "\n".join(_page(report)) + "\n"


def _page(report: Report) -> Iterator[str]:
    told = [*verdict(report, PLAIN)]
    account = [*summary(report, PLAIN)][: -len(told)]
    yield _MARKER
    yield "### qoslint"
    yield ""
    yield from map(markdown, told)
    yield ""
    yield from _table(report)
    yield "<details><summary>What was checked</summary>"
    yield ""
    # What stands here is no Markdown, whatever it holds.
    yield "<pre>"
    yield from within(_FOR_SUMMARY, (html.escape(line) for line in account if line))
    yield "</pre>"
    yield ""
    yield "</details>"


def _table(report: Report) -> Iterator[str]:
    if not report.findings:
        return
    names = {rule.code: rule.name for rule in report.rules}
    yield "| Severity | Where | Rule | What |"
    yield "| --- | --- | --- | --- |"
    found = by_severity(report)
    rows = [*within(_FOR_ROWS, (_row(result, names) for result in islice(found, MOST_ROWS)))]
    yield from rows
    yield ""
    if more := len(found) - len(rows):
        yield f"{counted(more, 'more finding')} not shown here."
        yield ""


def _row(result: Result, names: Mapping[str, str]) -> str:
    finding = result.finding
    where = f"{finding.location.file}:{finding.location.span.start.line}"
    rule = f"{finding.rule} {names.get(finding.rule, '')}".rstrip()
    cells = (where, rule, statement(finding, result.clusters))
    told = (markdown(shortened(cell)) for cell in cells)
    return f"| {' | '.join([str(finding.severity), *told])} |"
