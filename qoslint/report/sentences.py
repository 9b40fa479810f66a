"""All that is said of a finding in one text, for formats that have one place for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qoslint.finding import Finding
from qoslint.report.places import place
from qoslint.report.visible import shortened

_LISTED = 5
_CLUSTERS = ("cluster", "clusters")


def limited(texts: Sequence[str], separator: str) -> str:
    """The first texts, and how many more there are."""
    more = len(texts) - _LISTED
    return separator.join(texts[:_LISTED]) + (f" and {more} more" if more > 0 else "")


def extent(objects: Sequence[str], clusters: Sequence[str]) -> Iterator[str]:
    """Sentences about what else the finding concerns; its message names the one object."""
    if len(objects) > 1:
        yield f"Objects: {limited(objects, ', ')}."
    if clusters:
        yield f"In {_CLUSTERS[len(clusters) > 1]} {limited(clusters, ', ')}."


def statement(finding: Finding, named: Sequence[str]) -> str:
    """The message, the objects if there are several, and the clusters that are to be named."""
    objects = [*map(shortened, finding.objects)]
    return " ".join([shortened(finding.message), *extent(objects, [*map(shortened, named)])])


def statement_with_places(finding: Finding, named: Sequence[str]) -> str:
    """The statement, and where else to look."""
    related = [f"{shortened(each.message)} ({place(each.location)})" for each in finding.related]
    places = [f"Related: {limited(related, '; ')}."] if related else []
    return " ".join([statement(finding, named), *places])
