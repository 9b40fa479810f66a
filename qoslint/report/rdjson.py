"""The format `rdjson`: what reviewdog takes, whose suggestions people apply with a click."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from qoslint.finding import Finding, Location, Replacement, Report, Severity
from qoslint.report import Texts
from qoslint.report.places import LinesOf, first_line, lines_of, utf8_column
from qoslint.report.results import Result, results
from qoslint.report.sentences import statement_with_places
from qoslint.report.style import Style
from qoslint.report.visible import shortened, visible
from qoslint.span import Position, Span

_SEVERITIES = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.NOTE: "INFO"}


def render(report: Report, texts: Texts, style: Style) -> str:
    """The result as JSON."""
    lines = lines_of(texts)
    document = {
        "source": {"name": "qoslint"},
        "diagnostics": [_diagnostic(result, texts, lines) for result in results(report)],
    }
    return json.dumps(document, indent=2) + "\n"


def _diagnostic(result: Result, texts: Texts, lines: LinesOf) -> dict[str, object]:
    finding = result.finding
    location = finding.location
    span = first_line(location, lines)
    return {
        "message": statement_with_places(finding, result.clusters),
        "location": {
            "path": visible(location.file),
            "range": _range(location._replace(span=span), lines),
        },
        "severity": _SEVERITIES[finding.severity],
        "code": {"value": shortened(finding.rule)},
        "suggestions": list(_suggestions(finding, texts, lines)),
    }


def _range(location: Location, lines: LinesOf) -> dict[str, object]:
    """Positions with a column where the line is there to count its bytes."""
    return {
        name: _position(position, location.file, lines)
        for name, position in zip(("start", "end"), location.span, strict=True)
    }


def _position(position: Position, file: str, lines: LinesOf) -> dict[str, int]:
    column = utf8_column(position, lines(file))
    return {"line": position.line} | ({} if column is None else {"column": column})


def _suggestions(finding: Finding, texts: Texts, lines: LinesOf) -> Iterator[dict[str, object]]:
    """The fix as one suggestion: several would be choices, and each of them half of it."""
    fixes = sorted(finding.fixes, key=lambda fix: fix.span)
    files = {fix.file for fix in fixes}
    if files != {finding.location.file} or (text := texts(finding.location.file)) is None:
        return
    span = Span(fixes[0].span.start, fixes[-1].span.end)
    yield {
        "range": _range(Location(finding.location.file, span), lines),
        "text": _joined(fixes, text, lines),
    }


def _joined(fixes: Sequence[Replacement], text: str, lines: LinesOf) -> str:
    """What the fixes, in their order, make of the text from the first to the last of them."""
    index = lines(fixes[0].file).index
    parts, behind = [], index(fixes[0].span.start)
    for fix in fixes:
        parts += [text[behind : index(fix.span.start)], fix.text]
        behind = index(fix.span.end)
    return "".join(parts)
