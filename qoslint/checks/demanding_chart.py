"""QOS005: another version of a chart brings other resources or more containers."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem
from qoslint.model.change.record import Difference, WorkloadChange
from qoslint.model.wording import some


def check_change(change: WorkloadChange) -> Iterator[Problem]:
    """One problem for each workload of a chart with a new version whose pods ask for other things.

    A class that changes is told by itself.
    """
    found = [each for each in change.differences if _is_brought(each)]
    if not change.bumps or not found or change.after is None:
        return
    bump = change.bumps[0]
    yield Problem(
        change.line,
        f"Version {bump.after} of the chart {bump.name}, which was {bump.before}, changes what "
        f"{OBJECT} asks for: {some(map(_clause, found), len(found))}.",
    )


def _is_brought(found: Difference) -> bool:
    field = found.facet.field
    return field == "container" or field.startswith(("requests.", "limits."))


def _clause(found: Difference) -> str:
    field, container = found.facet.field, found.facet.container
    if field == "container":
        kind = {"init": "init container", "sidecar": "sidecar"}
        what = kind.get(str(found.after or found.before), "container")
        return f"{what} {container!r} {'comes' if found.before is None else 'goes'}"
    before, after = (each or "none" for each in (found.before, found.after))
    return f"container {container!r} {field} {before} → {after}"
