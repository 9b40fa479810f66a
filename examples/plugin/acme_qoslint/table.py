"""The format `csv`: a line for each finding."""

import csv
import io

from qoslint.report.visible import visible


def render(report, texts, style):
    """File, line, severity, rule and message, behind a line of headings."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["file", "line", "severity", "rule", "message"])
    for finding in report.findings:
        location = finding.location
        cells = [location.file, location.span.start.line, finding.severity, finding.rule, finding.message]
        table.writerow([visible(str(cell)) for cell in cells])
    return text.getvalue()
