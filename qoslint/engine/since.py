"""The findings of a change: those that it causes, and those of the lines that it touches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TypeAlias

from qoslint.engine.subjects import Bearer, Changed, Subject
from qoslint.finding import Finding
from qoslint.model.change.changes import Changes
from qoslint.model.change.record import WorkloadChange
from qoslint.span import Span

Touches: TypeAlias = Callable[[str, Span], bool]
"""Whether a change touches a span of a file of the newer revision."""


def change_subjects(changes: Changes, workloads: Iterable[WorkloadChange]) -> Changed:
    """The subjects of rules about changes; what is removed has no place at the newer revision."""
    return {
        "check_change": tuple(
            Subject(each, (Bearer(each.after.label, each.after.cluster, each.after),))
            for each in workloads
            if each.after is not None
        ),
        "check_changes": (Subject(changes, (Bearer("the change", ""),)),),
        "check_new_suppression": (),  # what is suppressed is known only when all this is checked
    }


def fresh(
    found: Iterable[Finding],
    before: Iterable[Finding],
    touches: Touches,
    renamed: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Finding]:
    """The findings that the older revision does not have, and those of lines that were touched.

    A finding is another one's by its signs, rule, object and field, in each of its clusters.
    `renamed` gives the new names of clusters by their old ones.
    """
    known = Counter(
        (sign, renamed.get(cluster, cluster))
        for finding in before
        for sign, cluster in finding.borne
    )
    for finding in found:
        is_new = any(known[each] <= 0 for each in finding.borne)
        known.subtract(finding.borne)
        if is_new or touches(finding.location.file, finding.location.span):
            yield finding
