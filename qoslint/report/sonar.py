"""The format `sonar`: generic issues of SonarQube, in the form that it takes since 10.3."""

from __future__ import annotations

import json

from qoslint.finding import Location, Report, RuleInfo, Severity
from qoslint.report import Texts
from qoslint.report.places import LinesOf, first_line, lines_of, utf16_offset
from qoslint.report.results import Result, results
from qoslint.report.sentences import statement
from qoslint.report.style import Style
from qoslint.report.visible import shortened, visible

_IMPACTS = {Severity.ERROR: "HIGH", Severity.WARNING: "MEDIUM", Severity.NOTE: "LOW"}


def render(report: Report, texts: Texts, style: Style) -> str:
    """The rules that ran and the issues, as JSON; an issue has the severity of its rule there."""
    lines = lines_of(texts)
    document = {
        "rules": [_rule(rule) for rule in report.rules],
        "issues": [_issue(result, lines) for result in results(report)],
    }
    return json.dumps(document, indent=2) + "\n"


def _rule(rule: RuleInfo) -> dict[str, object]:
    return {
        "id": shortened(rule.code),
        "name": shortened(rule.name),
        "description": shortened(" ".join(filter(None, [rule.summary, rule.help]))) or rule.code,
        "engineId": "qoslint",
        "cleanCodeAttribute": "COMPLETE",
        "impacts": [{"softwareQuality": "RELIABILITY", "severity": _IMPACTS[rule.severity]}],
    }


def _issue(result: Result, lines: LinesOf) -> dict[str, object]:
    finding = result.finding
    return {
        "ruleId": shortened(finding.rule),
        "primaryLocation": _location(statement(finding, result.clusters), finding.location, lines),
        "secondaryLocations": [
            _location(shortened(each.message), each.location, lines) for each in finding.related
        ],
    }


def _location(message: str, location: Location, lines: LinesOf) -> dict[str, object]:
    return {
        "message": message,
        "filePath": visible(location.file),
        "textRange": _range(location, lines),
    }


def _range(location: Location, lines: LinesOf) -> dict[str, int]:
    """Lines and UTF-16 offsets; only the first line where those would be none, or an empty range.

    SonarQube refuses the whole file for a range that is not one of the text.
    """
    span = first_line(location, lines)
    start, end = (utf16_offset(position, lines(location.file)) for position in span)
    if start is None or end is None or span.start >= span.end:
        return {"startLine": span.start.line}
    return {
        "startLine": span.start.line,
        "endLine": span.end.line,
        "startColumn": start,
        "endColumn": end,
    }
