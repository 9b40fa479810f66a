"""Which of the proposed clusters hold: those with which no pod is lost and none contradicted."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from qoslint.model.members import declared_members
from qoslint.model.objects import KubeObject
from qoslint.model.scopes import is_namespaced, is_scope_object
from qoslint.settings.annotated import Line, is_writable, value_text
from qoslint.settings.proposal.clusters import Proposed, proposals, undecided
from qoslint.settings.proposal.evidence import Evidence, at, title
from qoslint.settings.settings import Settings
from qoslint.source.paths import covers
from qoslint.source.writing import scalar

_MOST_PATHS = 40
"""More than a person would read: folders do not tell such clusters apart."""

_ANYWHERE = (None, "default")

Load = Callable[[Sequence[Line]], Settings | None]
"""What makes settings of lines; None if they cannot be used."""


class Choice(NamedTuple):
    """The clusters to declare, or in `instead` those that nobody can be sure of, and why."""

    clusters: tuple[Proposed, ...]
    instead: tuple[Proposed, ...] = ()
    why: str = ""


def chosen(evidence: Evidence, load: Load) -> Choice:
    """The first proposal that holds."""
    found = [each for each in proposals(evidence) if each]
    instead = found[0] if found else ()
    if why := next(_unplaced(evidence), ""):
        return Choice((), instead, f"{why}: name namespaces there, then declare clusters")
    for each in found:
        if _is_short(each) and _holds(each, evidence, load):
            return Choice(each)
    notices = (notice.message for members in evidence.members for notice in members.notices)
    why = next(undecided(evidence), None) or next(notices, "nothing tells of any cluster")
    return Choice((), instead, why)


def path_lines(cluster: Proposed) -> Iterator[Line]:
    """The name of a cluster and its paths, each with the reason for it."""
    yield Line(f"  - name: {scalar(cluster.name)}", cluster.why)
    if len(cluster.paths) == 1:
        ((path, why),) = cluster.paths.items()
        yield Line(f"    paths: {value_text([path])}", why)
        return
    yield Line("    paths:", "what is applied to it")
    yield from (Line(f"      - {scalar(path)}", why) for path, why in cluster.paths.items())


def _is_short(clusters: Sequence[Proposed]) -> bool:
    return all(
        len(each.paths) <= _MOST_PATHS and is_writable(each.name, *each.paths) for each in clusters
    )


def _holds(clusters: Sequence[Proposed], evidence: Evidence, load: Load) -> bool:
    lines = [Line("clusters:", ""), *(line for each in clusters for line in path_lines(each))]
    settings = load(lines)
    if settings is None:
        return False
    having = [m for spec in settings.clusters for m in declared_members(spec, evidence.inventory)]
    judged = {item for members in having for item in members.judged}
    before = {item for members in evidence.members for item in members.judged}
    return before <= judged and not any(each.notices or each.contradictory for each in having)


def _unplaced(evidence: Evidence) -> Iterator[str]:
    """Objects that decide about more or other pods where clusters are declared.

    Where none are, LimitRanges and quotas of no stated namespace decide about such pods in their
    own folder, and those of a stated one perhaps about pods of none beside them.
    """
    items = evidence.inventory.items
    anywhere = [i.object for i in items if i.workloads and i.object.namespace in _ANYWHERE]
    homeless = {
        posixpath.dirname(thing.file): thing
        for thing in reversed(anywhere)
        if thing.namespace is None
    }

    @cache
    def outside(folder: str) -> KubeObject | None:
        return next((each for each in anywhere if not covers([folder], each.file)), None)

    for item in items:
        thing = item.object
        if not is_scope_object(thing) or not is_namespaced(thing.kind):
            continue
        folder = posixpath.dirname(thing.file)
        other = outside(folder) if thing.namespace is None else homeless.get(folder)
        if other is not None:
            which = f"{at(thing)}: whether {title(thing)}"
            yield f"{which} is for {title(other)}, in {other.file}, nothing tells"
