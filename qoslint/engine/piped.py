"""Findings on what is piped in: which template each comes from, as Helm says above it."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from qoslint.finding import Finding, Location, RelatedLocation
from qoslint.source.text import NotTextError, decode
from qoslint.source.tree import STDIN
from qoslint.span import Position, Span

_LINE_END = re.compile(r"\r\n|\r|\n")
_SOURCE = re.compile(r"# Source: (\S.*?)\s*")


class _Start(NamedTuple):
    """A line from which on a template is known, or, where a document starts, not known."""

    line: int
    said: Location | None = None
    template: str = ""


def from_templates(findings: tuple[Finding, ...], given: bytes | None) -> tuple[Finding, ...]:
    """The findings, those on standard input with the template that the text names for them.

    They have no fixes: nothing of what was piped in can be written back.
    """
    if given is None:
        return findings
    try:
        starts = list(_starts(decode(given)))
    except NotTextError:
        return findings
    return tuple(_named(finding, starts) for finding in findings)


def _named(finding: Finding, starts: Sequence[_Start]) -> Finding:
    if finding.location.file != STDIN:
        return finding
    related = (*_template(finding.location, starts), *finding.related)
    return replace(finding, related=related, fixes=())


def _template(location: Location, starts: Sequence[_Start]) -> Iterator[RelatedLocation]:
    line = location.span.start.line
    start = starts[bisect.bisect_right(starts, line, key=lambda start: start.line) - 1]
    if start.said is not None:
        yield RelatedLocation(start.said, f"rendered from {start.template}")


def _starts(text: str) -> Iterator[_Start]:
    """Helm writes it right below the marker; further down it could be a comment of anybody's."""
    yield _Start(0)
    at_start = True
    for number, line in enumerate(_LINE_END.split(text), start=1):
        if at_start and (match := _SOURCE.fullmatch(line)):
            span = Span(Position(number, 1), Position(number, len(line.rstrip()) + 1))
            yield _Start(number, Location(STDIN, span), match[1])
        at_start = line.startswith("---")
        if at_start:
            yield _Start(number)
