"""The format `text`: findings with their lines, the pods, and what was covered, for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from qoslint.finding import Finding, Location, RelatedLocation, Report, RuleInfo
from qoslint.model.wording import counted
from qoslint.report import Texts
from qoslint.report.excerpt import excerpt
from qoslint.report.places import lines_of, place
from qoslint.report.pods import pod_table
from qoslint.report.results import has_clusters, in_order
from qoslint.report.style import PLAIN, Palette, Style
from qoslint.report.summary import summary
from qoslint.report.visible import inert, shortened

Sources: TypeAlias = Callable[[Location], str]
"""The line at the start of a location; empty where its file cannot be had any more."""

_GUTTER = 6
_NARROWEST = 20
_LISTED = 5


def render(report: Report, texts: Texts, style: Style) -> str:
    """The whole report; its last line is the verdict of the run."""
    lines = lines_of(texts)

    def source(location: Location) -> str:
        return lines(location.file).line(location.span.start.line)

    return inert("\n".join(_page(report, source, style)) + "\n")


def _page(report: Report, sources: Sources, style: Style) -> Iterator[str]:
    rules = {rule.code: rule for rule in report.rules}
    told = has_clusters(report)
    for finding in in_order(report):
        shown = finding if told else replace(finding, clusters=())
        yield from _finding(shown, rules.get(finding.rule), sources, style)
        yield ""
    if report.pods:
        yield from pod_table(report.pods, style)
        yield ""
    yield from summary(report, style.palette)


def _finding(
    finding: Finding, rule: RuleInfo | None, sources: Sources, style: Style
) -> Iterator[str]:
    palette = style.palette
    severity = palette.paint(palette.severity(finding.severity), str(finding.severity))
    where = palette.paint(palette.strong, f"{place(finding.location)}:")
    name = f" {shortened(rule.name)}" if rule else ""
    yield f"{where} {severity} {shortened(finding.rule)}{name}"
    yield f"  {shortened(finding.message)}"
    yield from _source(finding, sources, style)
    if len(finding.objects) > 1:
        yield _listed("objects", finding.objects)
    if finding.clusters:
        yield _listed("clusters" if len(finding.clusters) > 1 else "cluster", finding.clusters)
    yield from _related(finding.related, sources, style)
    if rule and rule.help:
        yield f"  {palette.paint(palette.strong, 'help')}: {shortened(rule.help)}"


def _source(finding: Finding, sources: Sources, style: Style) -> Iterator[str]:
    palette, location = style.palette, finding.location
    line = sources(location)
    if not line:
        return
    shown = excerpt(line, location.span, _room(style))
    carets = palette.paint(palette.severity(finding.severity), "^" * shown.carets)
    # The span of a field that is missing is that of its nearest parent: say so.
    remark = "" if location.exact else f" {shortened(finding.field) or 'the field'} is missing here"
    yield _gutter(str(location.span.start.line), palette) + shown.text
    yield _gutter("", palette) + " " * shown.indent + carets + remark


def _room(style: Style) -> int:
    return max(_NARROWEST, style.width - len(_gutter("", PLAIN)))


def _gutter(number: str, palette: Palette) -> str:
    return palette.paint(palette.faint, f"{number:>{_GUTTER}} |") + " "


def _listed(label: str, names: Sequence[str]) -> str:
    """A line for names that the message does not hold."""
    more = len(names) - _LISTED
    rest = f" and {more} more" if more > 0 else ""
    return f"  {label}: {', '.join(map(shortened, names[:_LISTED]))}{rest}"


def _related(related: Sequence[RelatedLocation], sources: Sources, style: Style) -> Iterator[str]:
    palette = style.palette
    for location, message in related[:_LISTED]:
        note = palette.paint(palette.note, "note")
        yield f"  {note}: {place(location)}: {shortened(message)}"
        if line := sources(location):
            shown = excerpt(line, location.span, _room(style))
            yield _gutter(str(location.span.start.line), palette) + shown.text.rstrip()
    if len(related) > _LISTED:
        yield f"  and {counted(len(related) - _LISTED, 'more place')}"
