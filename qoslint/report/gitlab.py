"""The format `gitlab`: a Code Quality report, as its merge requests show it."""

from __future__ import annotations

import json

from qoslint.finding import Report, Severity
from qoslint.report import Texts
from qoslint.report.results import Result, results
from qoslint.report.sentences import statement_with_places
from qoslint.report.style import Style
from qoslint.report.visible import shortened, visible

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.NOTE: "info"}


def render(report: Report, texts: Texts, style: Style) -> str:
    """The issues as a JSON array.

    Their fingerprints hold no line, so that an issue stays the same when lines move, and no two are
    equal: GitLab would keep one of them.
    """
    return json.dumps([_issue(result) for result in results(report)], indent=2) + "\n"


def _issue(result: Result) -> dict[str, object]:
    finding = result.finding
    rule = shortened(finding.rule)
    return {
        # The name of the check is shown nowhere.
        "description": f"{rule}: {statement_with_places(finding, result.clusters)}",
        "check_name": rule,
        "fingerprint": result.fingerprint,
        "severity": _SEVERITIES[finding.severity],
        "location": {
            "path": visible(finding.location.file),
            "lines": {"begin": finding.location.span.start.line},
        },
    }
