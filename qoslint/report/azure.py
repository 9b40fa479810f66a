"""The format `azure`: issues of a build, by the logging commands of Azure Pipelines."""

from __future__ import annotations

from collections.abc import Iterable

from qoslint.finding import Report, Severity
from qoslint.report import Texts
from qoslint.report.results import Result, by_severity
from qoslint.report.sentences import statement_with_places
from qoslint.report.style import Style
from qoslint.report.visible import shortened, visible

# There is nothing below a warning.
_TYPES = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "warning"}
# `%` first: it begins the others.
_IN_DATA = (("%", "%AZP25"), ("\r", "%0D"), ("\n", "%0A"))
_IN_PROPERTIES = (*_IN_DATA, (";", "%3B"), ("]", "%5D"))


def render(report: Report, texts: Texts, style: Style) -> str:
    """A command for each finding, the most severe first."""
    return "".join(f"{_command(result)}\n" for result in by_severity(report))


def _command(result: Result) -> str:
    finding = result.finding
    line, column = finding.location.span.start
    properties = {
        "type": _TYPES[finding.severity],
        "sourcepath": visible(finding.location.file),
        "linenumber": line,
        "columnnumber": column,
        "code": shortened(finding.rule),
    }
    told = "".join(
        f"{key}={_escaped(str(value), _IN_PROPERTIES)};" for key, value in properties.items()
    )
    message = _escaped(statement_with_places(finding, result.clusters), _IN_DATA)
    return f"##vso[task.logissue {told}]{message}"


def _escaped(text: str, escapes: Iterable[tuple[str, str]]) -> str:
    for character, escape in escapes:
        text = text.replace(character, escape)
    return text
