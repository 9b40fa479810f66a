"""The format `concise`: one line for each finding, as editors and `grep` read them.

The form is that of gcc, which the problem matchers of VS Code, Vim and Emacs know, with its
severity.
"""

from __future__ import annotations

from qoslint.finding import Report
from qoslint.report import Texts
from qoslint.report.places import place
from qoslint.report.results import Result, results
from qoslint.report.sentences import statement
from qoslint.report.style import Style
from qoslint.report.visible import inert, shortened


def render(report: Report, texts: Texts, style: Style) -> str:
    """The lines, as `apps/api.yaml:12:5: warning: QOS103 Pod shop/api runs as BestEffort.`"""
    return inert("".join(f"{concise_line(result)}\n" for result in results(report)))


def concise_line(result: Result) -> str:
    """The finding in a line, without the line's end."""
    finding = result.finding
    rule = shortened(finding.rule)
    told = f"{rule} {statement(finding, result.clusters)}"
    return f"{place(finding.location)}: {finding.severity}: {told}"
