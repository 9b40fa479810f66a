"""Settling: raised problems become findings at lines, and equal ones become one.

Ten objects rendered from one line, or one file applied to three clusters, are one finding that
names them: code scanning would otherwise open an alert for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from qoslint.engine.run import Raised
from qoslint.finding import Finding, Location, Place, RelatedLocation
from qoslint.source.places import Documents, locate_places
from qoslint.span import field_path


def settle(raised: Iterable[Raised], documents: Documents) -> tuple[Finding, ...]:
    """The findings of a run, each at its line, merged and sorted by file and place."""
    found = tuple(raised)
    locations = locate_places(_places(found), documents)
    merged: dict[tuple[str, Location, str], Finding] = {}
    for item in found:
        finding = _finding(item, locations)
        key = (finding.rule, finding.location, item.template)
        merged[key] = _merge(merged[key], finding) if key in merged else finding
    return tuple(sorted(merged.values(), key=_order))


def _places(found: Iterable[Raised]) -> Iterator[Place]:
    for item in found:
        yield item.place
        yield from (related.place for related in item.related)


def _finding(item: Raised, locations: Mapping[Place, Location]) -> Finding:
    return Finding(
        rule=item.rule.page.code,
        severity=item.severity,
        message=item.message,
        location=locations[item.place],
        objects=(item.bearer.label,),
        clusters=(item.bearer.cluster,) if item.bearer.cluster else (),
        field=field_path(item.place.path),
        related=tuple(
            RelatedLocation(locations[related.place], related.message) for related in item.related
        ),
    )


def _merge(one: Finding, other: Finding) -> Finding:
    return replace(
        one,
        severity=max(one.severity, other.severity),
        objects=tuple(dict.fromkeys((*one.objects, *other.objects))),
        clusters=tuple(dict.fromkeys((*one.clusters, *other.clusters))),
        related=tuple(dict.fromkeys((*one.related, *other.related))),
    )


def _order(finding: Finding) -> tuple[object, ...]:
    location = finding.location
    return (location.file, location.span, finding.rule, finding.message)
