"""Two revisions compared: every workload of one paired with that of the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from qoslint.model.change.causes import causes
from qoslint.model.change.facets import ADMITTED, Facets, differences, facets
from qoslint.model.change.inputs import Sides, differing
from qoslint.model.change.nodes import node_changes
from qoslint.model.change.pairs import ClusterPair, Pair, cluster_pairs, pairs
from qoslint.model.change.ranks import rank_changes
from qoslint.model.change.record import (
    Comparison,
    Difference,
    Fate,
    NodeChange,
    WorkloadChange,
)
from qoslint.model.change.resize import resize
from qoslint.model.change.wishes import expectations, statuses
from qoslint.model.effective import Admitted
from qoslint.model.judged import JudgedCluster


def compare(base: Sequence[JudgedCluster], head: Sequence[JudgedCluster]) -> Comparison:
    """All that is different at the newer revision, with what made it so."""
    changes: list[WorkloadChange] = []
    nodes: list[NodeChange] = []
    unchanged = 0
    for clusters in cluster_pairs(base, head):
        found = list(pairs(clusters))
        ranks = rank_changes(clusters, found)
        made = zip(found, _changes(clusters, found), strict=True)
        for index, (pair, change) in enumerate(made):
            ranked = ranks.get(index, ())
            if change is None and not ranked:
                unchanged += 1
                continue
            whole = change or WorkloadChange(pair.fate, pair.before, pair.after, clusters.either)
            changes.append(replace(whole, ranks=ranked))
        nodes.extend(node_changes(clusters))
    return Comparison(tuple(sorted(changes, key=_order)), tuple(nodes), unchanged)


def _order(change: WorkloadChange) -> tuple[str, str, str, str, str]:
    subject = change.subject
    thing = subject.workload.object
    return subject.cluster, subject.namespace, thing.kind, thing.name, thing.file


def _changes(clusters: ClusterPair, found: Iterable[Pair]) -> Iterator[WorkloadChange | None]:
    """What is different of each pair; None where nothing is."""
    old, new = statuses(clusters.before), statuses(clusters.after)
    cluster = clusters.either
    found_differing = _Differing()
    given = differing()
    for pair in found:
        before, after = pair.before, pair.after
        wishes = tuple(expectations(before, after, old, new)) if after else ()
        if before is None or after is None:
            yield WorkloadChange(pair.fate, before, after, cluster, expectations=wishes)
            continue
        assert clusters.before, "a workload of both is in a cluster of both"
        assert clusters.after, "likewise"
        sides = Sides(before, after, clusters.before, clusters.after)
        differences = found_differing.of(sides)
        if not differences and not wishes and pair.fate is Fate.KEPT:
            yield None
            continue
        yield WorkloadChange(
            pair.fate,
            before,
            after,
            cluster,
            differences,
            causes(sides, differences, given) if differences else (),
            wishes,
            resize(sides) if pair.fate is Fate.KEPT else None,
        )


class _Differing:
    """The differences of pods; those that many workloads share are computed once."""

    def __init__(self) -> None:
        self._found: dict[tuple[int, int], tuple[Difference, ...]] = {}

    def of(self, sides: Sides) -> tuple[Difference, ...]:
        """What differs between the pods of a workload."""
        key = id(sides.before.effective), id(sides.after.effective)
        if sides.before.effective is None or sides.after.effective is None:
            return tuple(_differences(sides))
        if key not in self._found:
            self._found[key] = tuple(_differences(sides))
        return self._found[key]


def _differences(sides: Sides) -> Iterator[Difference]:
    old = _facets(sides.before, sides.earlier)
    new = _facets(sides.after, sides.later)
    return differences(old, new)


def _facets(admitted: Admitted, cluster: JudgedCluster) -> Facets:
    if admitted.effective is None:
        return {ADMITTED: admitted.admitted}
    return facets(admitted.effective, cluster.kubelets)
