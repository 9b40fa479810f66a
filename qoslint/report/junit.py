"""The format `junit`: a test suite for each file, in which each finding is a test that failed."""

from __future__ import annotations

from itertools import groupby
from xml.etree import ElementTree as ET

from qoslint.finding import Report
from qoslint.report import Texts
from qoslint.report.concise import concise_line
from qoslint.report.results import Result, results
from qoslint.report.sentences import statement
from qoslint.report.style import Style
from qoslint.report.visible import shortened, visible
from qoslint.report.xml import document

_SELF = "qoslint"


def render(report: Report, texts: Texts, style: Style) -> str:
    """The suites; a clean run is one test that passed, for some readers take none for an error."""
    helps = {rule.code: rule.help for rule in report.rules}
    suites = [
        _suite(file, [_failed(result, helps.get(result.finding.rule, "")) for result in group])
        for file, group in groupby(results(report), key=lambda it: it.finding.location.file)
    ]
    if report.failed_checks or not suites:
        suites.append(_suite(_SELF, [*map(_broken, report.failed_checks)] or [_passed()]))
    return document(_counted(ET.Element("testsuites", name=_SELF), suites))


def _suite(name: str, cases: list[ET.Element]) -> ET.Element:
    return _counted(ET.Element("testsuite", name=visible(name)), cases)


def _counted(parent: ET.Element, children: list[ET.Element]) -> ET.Element:
    parent.extend(children)
    for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
        parent.set(name, str(sum(1 for _ in parent.iter(tag))))
    return parent


def _failed(result: Result, advice: str) -> ET.Element:
    finding = result.finding
    case = _case(finding.rule, finding.location.file)
    failure = ET.SubElement(
        case,
        "failure",
        message=statement(finding, result.clusters),
        type=str(finding.severity),
    )
    failure.text = "\n".join([concise_line(result), shortened(advice)]).rstrip()
    return case


def _broken(line: str) -> ET.Element:
    case = _case("check failed", _SELF)
    ET.SubElement(case, "error", message=shortened(line), type="error")
    return case


def _passed() -> ET.Element:
    return _case("no findings", _SELF)


def _case(name: str, classname: str) -> ET.Element:
    return ET.Element("testcase", name=shortened(name), classname=visible(classname))
