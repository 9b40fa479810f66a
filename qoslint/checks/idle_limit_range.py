"""QOS208: a LimitRange that covers no pod that is known."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import Problem
from qoslint.model.judged import JudgedCluster


def check_repository(clusters: tuple[JudgedCluster, ...]) -> Iterator[Problem]:
    """One problem for each LimitRange that decides about no workload in any cluster."""
    scopes = {
        judged.cluster.scope_of(admitted.workload.object)
        for judged in clusters
        for admitted in judged.admitted
    }
    used = {obj for scope in scopes for obj in scope.limit_ranges}
    for judged in clusters:
        checked = frozenset(judged.cluster.objects).difference(used)
        for namespace, given in judged.cluster.standing_together():
            for obj in checked.intersection(given.limit_ranges):
                about = f"LimitRange {namespace}/{obj.name}"
                placed = obj in judged.cluster.scope(namespace).limit_ranges
                why = _why(namespace if placed else "")
                yield Problem(obj.at(("metadata", "namespace")), f"{about} {why}", about=about)


def _why(namespace: str) -> str:
    if namespace:
        return f"decides about no pod: nothing that was read makes pods in namespace {namespace}."
    return (
        "names no namespace, and nothing in its folder or below makes pods without naming one: "
        "which pods it decides about is not known."
    )
