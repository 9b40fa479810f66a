"""What SARIF says of the rules that ran; imported by the format alone, for `sarif_om` is slow."""

from __future__ import annotations

import sarif_om as om

from qoslint.finding import RuleInfo, Severity
from qoslint.report.visible import visible, visible_lines

_LONGEST = 1024
_LONGEST_GUIDE = 16_384
_LONGEST_NAME = 255
_MOST_TAGS = 20
_PRECISION = {"certain": "very-high", "likely": "high", "possible": "medium"}
_PROBLEM = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.NOTE: "recommendation",
}


def descriptor(rule: RuleInfo) -> om.ReportingDescriptor:
    """The rule with its texts in the lengths that code scanning takes."""
    summary = _text(rule.summary or rule.name)
    tags = list(dict.fromkeys(["reliability", "kubernetes", *map(visible, rule.tags)]))
    return om.ReportingDescriptor(
        id=rule.code,
        name=_pascal_case(visible(rule.name))[:_LONGEST_NAME],
        short_description=summary,
        full_description=summary,
        help=_help(rule),
        default_configuration=om.ReportingConfiguration(level=str(rule.severity)),
        properties={
            "tags": tags[:_MOST_TAGS],
            "precision": _PRECISION.get(rule.confidence, "medium"),
            "problem.severity": _PROBLEM[rule.severity],
        },
    )


def _pascal_case(name: str) -> str:
    """The name as other tools write theirs: `BestEffortPod`."""
    return "".join(word[:1].upper() + word[1:] for word in name.split("-"))


def _help(rule: RuleInfo) -> om.MultiformatMessageString:
    """The advice, and for readers of Markdown the page."""
    message = _text(rule.help or rule.summary or rule.name)
    if rule.guide:
        guide = visible_lines(rule.guide)
        message.markdown = guide if len(guide) <= _LONGEST_GUIDE else _cut(guide)
    return message


def _cut(guide: str) -> str:
    """As many whole lines as there is room for."""
    return guide[: guide.rfind("\n", 0, _LONGEST_GUIDE) + 1] + "…"


def _text(text: str) -> om.MultiformatMessageString:
    shown = visible(text)
    return om.MultiformatMessageString(
        text=shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 1]}…"
    )
