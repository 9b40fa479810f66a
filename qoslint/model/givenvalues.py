"""What the values say of resources and priorities that a chart would be rendered with.

The chart is not here, so that nothing says what becomes of them. Those at the usual places mean the
same in nearly all charts: a key that ends in `resources`, and one that ends in `priorityClassName`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice

from qoslint.finding import ObjectId
from qoslint.model.cluster import Cluster
from qoslint.model.clusterspec import ClusterSpec
from qoslint.model.objects import KubeObject
from qoslint.model.placeholders import holding
from qoslint.model.priorities import known_classes
from qoslint.model.quantities import Authored
from qoslint.model.subject import NamedClass, Stated, stated_values
from qoslint.source.document import Document, lies_under
from qoslint.source.paths import Paths
from qoslint.span import Path

_BLOCKS = ("requests", "limits")
_MOST = 10_000


def given_values(
    documents: Iterable[Document], specs: Iterable[ClusterSpec], clusters: Iterable[Cluster]
) -> Iterator[tuple[Stated, str]]:
    """What each of the documents of values states, once for each cluster by its name.

    Where no settings declare a cluster the name is empty.
    """
    known = {cluster.name: cluster for cluster in clusters}
    declared = [spec for spec in specs if spec.declared and spec.name in known]
    for document in documents:
        obj = _object(document)
        quantities = tuple(islice(_quantities(document.data, ()), _MOST))
        for spec in declared:
            if lies_under(document.source, Paths.of(spec.paths)):
                unknown = tuple(_unknown(document.data, known[spec.name]))
                yield stated_values(obj, quantities, unknown), spec.name
        if not declared:
            yield stated_values(obj, quantities), ""


def _object(document: Document) -> KubeObject:
    """What gives the values, as a check names it: `HelmRelease flux-system/metrics`."""
    rendered = document.source.rendered
    assert rendered is not None, "values are merged from what states them"
    kind, _, name = rendered.target.partition(" ")
    namespace, _, name = name.rpartition("/")
    data = document.data if isinstance(document.data, dict) else {}
    place = ObjectId(document.source.id, document.number, ())
    return KubeObject(place, document, "", kind, namespace or None, name, data)


def _quantities(value: object, path: Path) -> Iterator[Authored]:
    """The quantities of the blocks below keys that end in `resources`."""
    for key, inner in _children(value):
        below = (*path, key)
        if isinstance(inner, dict) and str(key).lower().endswith("resources"):
            for block in _BLOCKS:
                for resource, amount in _children(inner.get(block)):
                    # What is empty is left out by most charts.
                    if not isinstance(amount, dict | list) and amount not in (None, ""):
                        yield Authored((*below, block, resource), str(resource), amount)
        yield from _quantities(inner, below)


def _unknown(value: object, cluster: Cluster) -> Iterator[NamedClass]:
    if cluster.complete:
        yield from islice(_named(value, (), known_classes(cluster.cluster_wide)), _MOST)


def _named(value: object, path: Path, known: Collection[str]) -> Iterator[NamedClass]:
    """The names of PriorityClasses that the cluster does not have."""
    for key, inner in _children(value):
        if isinstance(inner, str) and str(key).lower().endswith("priorityclassname"):
            if inner and inner not in known and next(holding(inner), None) is None:
                yield NamedClass((*path, key), inner, tuple(known))
        else:
            yield from _named(inner, (*path, key), known)


def _children(value: object) -> Sequence[tuple[str | int, object]]:
    if isinstance(value, dict):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list) else []
