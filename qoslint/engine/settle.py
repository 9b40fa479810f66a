"""Settling: located problems become findings, and equal ones become one.

Ten objects rendered from one line, or one file applied to three clusters, are one finding that
names them: code scanning would otherwise open an alert for each. What is said of a field in one
cluster, with its nodes and numbers, is not said again in other words for the next cluster. What a
rule says to have something in common is one finding at the first of its places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from qoslint.engine.located import Located
from qoslint.engine.sign import sign
from qoslint.finding import Finding, Location, RelatedLocation, Replacement
from qoslint.source.places import Documents
from qoslint.span import Span, field_path

Groups: TypeAlias = Sequence[Sequence[Located]]
"""Problems that are told as one finding."""


def grouped(found: Iterable[Located]) -> Groups:
    """The problems of a run, those together that are told as one, by file and place."""
    equal: dict[tuple[object, ...], list[Located]] = {}
    for item in found:
        raised = item.raised
        what = (raised.shared,) if raised.shared else (item.location, raised.template)
        equal.setdefault((raised.rule.page.code, *what), []).append(item)
    return sorted(_across_clusters(equal.values()), key=_order)


def settled(groups: Groups, documents: Documents) -> tuple[Finding, ...]:
    """One finding for each group."""
    fixes = _fixes(groups, documents)
    return tuple(_finding(items, fix, documents) for items, fix in zip(groups, fixes, strict=True))


def _across_clusters(groups: Iterable[Sequence[Located]]) -> list[list[Located]]:
    """The groups, with those merged that a rule finds at one field in different clusters.

    If it finds several there in each cluster, the first of one goes with the first of the next.
    """
    merged: dict[tuple[object, ...], list[Located]] = {}
    counts: Counter[tuple[object, ...]] = Counter()
    for group in groups:
        first = group[0]
        path = field_path(first.raised.place.path)
        field = (first.raised.rule.page.code, first.location, path)
        clusters = {item.raised.bearer.cluster for item in group}
        number = max(counts[*field, cluster] for cluster in clusters)
        for cluster in clusters:
            counts[*field, cluster] = number + 1
        merged.setdefault((*field, number), []).extend(group)
    return list(merged.values())


def _fixes(groups: Groups, documents: Documents) -> Sequence[tuple[Replacement, ...]]:
    if not any(item.raised.edits for items in groups for item in items):
        return [()] * len(groups)
    # Imported here: most runs have nothing to fix.
    from qoslint.engine.fix import fixes

    return fixes([[item.raised for item in items] for items in groups], documents)


def _finding(
    items: Sequence[Located], fix: tuple[Replacement, ...], documents: Documents
) -> Finding:
    first = _foremost(items)
    bearers = [item.raised.bearer for item in items]
    others = (
        RelatedLocation(item.location, f"the same of {item.raised.bearer.label}")
        for item in items
        if item.raised.shared and item.location != first.location
    )
    related = (*others, *(related for item in items for related in item.related))
    return Finding(
        rule=first.raised.rule.page.code,
        severity=first.raised.severity,
        message=first.raised.message,
        location=first.location,
        objects=tuple(dict.fromkeys(bearer.label for bearer in bearers)),
        clusters=tuple(dict.fromkeys(bearer.cluster for bearer in bearers if bearer.cluster)),
        field=field_path(first.raised.place.path),
        related=tuple(dict.fromkeys(related)),
        fixes=fix,
        shared=first.raised.shared,
        borne=tuple(
            dict.fromkeys(
                (sign(item.raised, documents), item.raised.bearer.cluster) for item in items
            )
        ),
    )


def _foremost(items: Sequence[Located]) -> Located:
    return min(items, key=lambda item: (-item.raised.severity, *_place(item.location)))


def _order(items: Sequence[Located]) -> tuple[object, ...]:
    first = _foremost(items)
    return (*_place(first.location), first.raised.rule.page.code, first.raised.message)


def _place(location: Location) -> tuple[str, Span]:
    return location.file, location.span
