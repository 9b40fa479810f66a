"""Findings as GitHub's code scanning takes them: one alert for each rule and region.

Two results with the same rule and region become two alerts that must be dismissed one by one,
and an alert shows in a pull request only when every line of its region is in the diff. So
findings are merged here and regions end with their first line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote

from qoslint.finding import Finding, RelatedLocation, Replacement, Report, Severity
from qoslint.report import Texts
from qoslint.report.fingerprint import line_hashes
from qoslint.report.places import first_line, lines_of
from qoslint.report.results import Result, results
from qoslint.report.sentences import extent, limited
from qoslint.report.visible import shortened
from qoslint.span import Span

MOST_RELATED = 100
"""GitHub shows so many locations of a result."""


class Alert(NamedTuple):
    """What becomes one SARIF result; its texts are visible, its messages have SARIF's links."""

    rule: str
    severity: Severity
    message: str
    uri: str
    region: Span
    objects: tuple[str, ...]
    """Names of objects, or of their fields: `shop/Deployment/api#spec.template.spec`."""
    related: tuple[RelatedLocation, ...]
    fixes: tuple[Replacement, ...]
    """Empty where the merged findings do not agree on them."""
    fingerprint: str
    line_hash: str | None
    """None where the text of the file is not at hand: GitHub's upload then computes it."""


def alerts(report: Report, texts: Texts) -> tuple[Alert, ...]:
    """The alerts of a report by file and place; none shares rule, URI and region with another."""
    lines = lines_of(texts)
    groups: dict[tuple[str, str, Span], list[Result]] = {}
    for result in results(report):
        location = result.finding.location
        region = first_line(location, lines)
        groups.setdefault((result.finding.rule, location.file, region), []).append(result)
    hashes = _hashes(((file, region.start.line) for _, file, region in groups), texts)
    return tuple(
        _alert(group, region, hashes[file].get(region.start.line))
        for (_, file, region), group in groups.items()
    )


def _hashes(places: Iterable[tuple[str, int]], texts: Texts) -> Mapping[str, Mapping[int, str]]:
    """The hashes of these lines by file; none for a file whose text is not at hand."""
    wanted: dict[str, set[int]] = {}
    for file, line in places:
        wanted.setdefault(file, set()).add(line)
    return {
        file: {} if (text := texts(file)) is None else line_hashes(text, lines)
        for file, lines in wanted.items()
    }


def uri(file: str) -> str:
    """The file as a relative URI reference; a byte that is not UTF-8 stays that byte."""
    return quote(file, safe="/", errors="surrogateescape")


def _alert(group: Sequence[Result], region: Span, line_hash: str | None) -> Alert:
    # The most severe message is the alert's title.
    findings = sorted((result.finding for result in group), key=lambda it: -it.severity)
    related = tuple(dict.fromkeys(related for it in findings for related in it.related))
    clusters = dict.fromkeys(name for result in group for name in result.clusters)
    return Alert(
        rule=findings[0].rule,
        severity=findings[0].severity,
        message=_message(findings, related[:MOST_RELATED], [*map(shortened, clusters)]),
        uri=uri(findings[0].location.file),
        region=region,
        objects=tuple(dict.fromkeys(name for it in findings for name in _objects(it))),
        related=related[:MOST_RELATED],
        fixes=findings[0].fixes if len({it.fixes for it in findings}) == 1 else (),
        fingerprint=group[0].fingerprint,
        line_hash=line_hash,
    )


def _objects(finding: Finding) -> Iterable[str]:
    field = f"#{finding.field}" if finding.field else ""
    return (shortened(f"{name}{field}") for name in finding.objects)


def _message(
    findings: Sequence[Finding], related: Sequence[RelatedLocation], clusters: Sequence[str]
) -> str:
    messages = list(dict.fromkeys(shortened(it.message) for it in findings))
    names = list(dict.fromkeys(shortened(name) for it in findings for name in it.objects))
    # As one text: a link could begin in one of the messages and end in the next.
    sentences = [literal(" ".join([limited(messages, " "), *extent(names, clusters)]))]
    if related:
        links = [
            f"[{_link_text(shortened(it.message))}]({number})"
            for number, it in enumerate(related, start=1)
        ]
        sentences.append(f"See {limited(links, ', ')}.")
    return " ".join(sentences)


def literal(text: str) -> str:
    """The text without links of its own: a name like `[x](https://...)` is not one.

    A link begins at a bracket before which no backslash counts (SARIF 2.1.0, 3.11.6); one that is
    there already could be what escapes ours, so it is doubled.
    """
    head, target, tail = text.rpartition("](")
    return re.sub(r"(?<!\\)(\\*)\[", r"\1\1\\[", head) + target + tail


def _link_text(text: str) -> str:
    return re.sub(r"([\\\[\]])", r"\\\1", text)
