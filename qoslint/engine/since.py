"""The findings of a change: those that it causes, and those of the lines that it touches."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

from qoslint.engine.subjects import Bearer, Subject
from qoslint.finding import Finding
from qoslint.model.change.changes import Changes
from qoslint.model.change.record import WorkloadChange
from qoslint.span import Span

_INDEX = re.compile(r"\[\d+\]")

Changed: TypeAlias = Mapping[str, tuple[Subject, ...]]
"""The subjects of rules that compare two revisions."""

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
    }


def fresh(
    found: Iterable[Finding], before: Iterable[Finding], touches: Touches
) -> Iterator[Finding]:
    """The findings that the older revision does not have, and those of lines that were touched.

    One is another's if it is of the same rule, object and field; the places of containers in their
    lists do not count, but their number does.
    """
    known = Counter(key for finding in before for key in _keys(finding))
    for finding in found:
        keys = list(_keys(finding))
        is_new = any(known[key] <= 0 for key in keys)
        known.subtract(keys)
        if is_new or touches(finding.location.file, finding.location.span):
            yield finding


def _keys(finding: Finding) -> Iterator[tuple[str, str, str]]:
    field = _INDEX.sub("[]", finding.field)
    for label in finding.objects or ("",):
        yield finding.rule, label, field
