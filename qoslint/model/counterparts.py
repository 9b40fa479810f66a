"""Counterparts: one workload in several clusters, as staging and production have it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from qoslint.model.effective import Admitted
from qoslint.model.judged import JudgedCluster
from qoslint.model.objects import text
from qoslint.span import Path

_Key: TypeAlias = tuple[str, str, str, Path]


def counterparts(clusters: Iterable[JudgedCluster]) -> Iterator[tuple[Admitted, ...]]:
    """The workloads of one kind and name in two or more clusters, one of each cluster.

    Their namespaces may differ where no cluster has two of the name. What a cluster defines in
    several ways has no counterpart, nor has what gets its name from the API server. In a collection
    of examples the same name means nothing.
    """
    found: dict[_Key, list[Admitted]] = {}
    environments = (cluster for cluster in clusters if cluster.cluster.environment)
    for cluster in environments:
        for admitted in cluster.admitted:
            thing = admitted.workload.object
            if name := text(thing.metadata.get("name")):
                key = (thing.group, thing.kind, name, admitted.workload.template)
                found.setdefault(key, []).append(admitted)
    for items in found.values():
        yield from _groups(items)


def _groups(items: list[Admitted]) -> Iterator[tuple[Admitted, ...]]:
    by_namespace: dict[str, list[Admitted]] = {}
    if _one_a_cluster(items):
        by_namespace[""] = items
    else:
        for item in items:
            by_namespace.setdefault(item.namespace, []).append(item)
    for group in by_namespace.values():
        if len(group) > 1 and _one_a_cluster(group):
            yield tuple(group)


def _one_a_cluster(items: list[Admitted]) -> bool:
    return len({item.cluster for item in items}) == len(items)
