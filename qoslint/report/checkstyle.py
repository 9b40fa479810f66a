"""The format `checkstyle`: the XML of Java's linter, which many tools read."""

from __future__ import annotations

from itertools import groupby
from xml.etree import ElementTree as ET

from qoslint.finding import Report, Severity
from qoslint.report import Texts
from qoslint.report.results import Result, results
from qoslint.report.sentences import statement_with_places
from qoslint.report.style import Style
from qoslint.report.visible import shortened, visible
from qoslint.report.xml import document

# The oldest readers know no other version.
_VERSION = "4.3"
_SEVERITIES = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "info"}


def render(report: Report, texts: Texts, style: Style) -> str:
    """The findings by file."""
    root = ET.Element("checkstyle", version=_VERSION)
    for name, group in groupby(results(report), key=lambda it: it.finding.location.file):
        file = ET.SubElement(root, "file", name=visible(name))
        file.extend(map(_error, group))
    return document(root)


def _error(result: Result) -> ET.Element:
    finding = result.finding
    line, column = finding.location.span.start
    return ET.Element(
        "error",
        line=str(line),
        column=str(column),
        severity=_SEVERITIES[finding.severity],
        message=statement_with_places(finding, result.clusters),
        source=f"qoslint.{shortened(finding.rule)}",
    )
