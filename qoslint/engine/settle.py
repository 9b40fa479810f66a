"""Settling: raised problems become findings at lines, and equal ones become one.

Ten objects rendered from one line, or one file applied to three clusters, are one finding that
names them: code scanning would otherwise open an alert for each. What is said of a field in one
cluster, with its nodes and numbers, is not said again in other words for the next cluster. What a
rule says to have something in common is one finding at the first of its places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from qoslint.engine.run import Raised
from qoslint.finding import Finding, Location, Place, RelatedLocation, Replacement
from qoslint.source.places import Documents, locate_places
from qoslint.span import Span, field_path


def settle(raised: Iterable[Raised], documents: Documents) -> tuple[Finding, ...]:
    """The findings of a run, each at its line, merged and sorted by file and place."""
    found = tuple(raised)
    locations = locate_places(_places(found), documents)
    equal: dict[tuple[object, ...], list[Raised]] = {}
    for item in found:
        what = (item.shared,) if item.shared else (locations[item.place], item.template)
        equal.setdefault((item.rule.page.code, *what), []).append(item)
    groups = _across_clusters(equal.values(), locations)
    findings = (
        _finding(items, locations, fix)
        for items, fix in zip(groups, _fixes(groups, documents), strict=True)
    )
    return tuple(sorted(findings, key=_order))


def _across_clusters(
    groups: Iterable[Sequence[Raised]], locations: Mapping[Place, Location]
) -> list[list[Raised]]:
    """The groups, with those merged that a rule finds at one field in different clusters.

    If it finds several there in each cluster, the first of one goes with the first of the next.
    """
    merged: dict[tuple[object, ...], list[Raised]] = {}
    counts: Counter[tuple[object, ...]] = Counter()
    for group in groups:
        first = group[0]
        field = (first.rule.page.code, locations[first.place], field_path(first.place.path))
        clusters = {item.bearer.cluster for item in group}
        number = max(counts[*field, cluster] for cluster in clusters)
        for cluster in clusters:
            counts[*field, cluster] = number + 1
        merged.setdefault((*field, number), []).extend(group)
    return list(merged.values())


def _fixes(
    groups: Sequence[Sequence[Raised]], documents: Documents
) -> Sequence[tuple[Replacement, ...]]:
    if not any(item.edits for items in groups for item in items):
        return [()] * len(groups)
    # Imported here: most runs have nothing to fix.
    from qoslint.engine.fix import fixes

    return fixes(groups, documents)


def _places(found: Iterable[Raised]) -> Iterator[Place]:
    for item in found:
        yield item.place
        yield from (related.place for related in item.related)


def _finding(
    items: Sequence[Raised],
    locations: Mapping[Place, Location],
    fix: tuple[Replacement, ...],
) -> Finding:
    first = min(items, key=lambda item: (-item.severity, *_place(locations[item.place])))
    related = (
        *(
            RelatedLocation(locations[item.place], f"the same of {item.bearer.label}")
            for item in items
            if item.shared and locations[item.place] != locations[first.place]
        ),
        *(
            RelatedLocation(locations[related.place], related.message)
            for item in items
            for related in item.related
        ),
    )
    return Finding(
        rule=first.rule.page.code,
        severity=first.severity,
        message=first.message,
        location=locations[first.place],
        objects=tuple(dict.fromkeys(item.bearer.label for item in items)),
        clusters=tuple(dict.fromkeys(item.bearer.cluster for item in items if item.bearer.cluster)),
        field=field_path(first.place.path),
        related=tuple(dict.fromkeys(related)),
        fixes=fix,
        shared=first.shared,
    )


def _order(finding: Finding) -> tuple[object, ...]:
    return (*_place(finding.location), finding.rule, finding.message)


def _place(location: Location) -> tuple[str, Span]:
    return location.file, location.span
