"""A namespace of a judged cluster: what decides about its pods, and the pods."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from qoslint.model.effective import Admitted
from qoslint.model.judged import JudgedCluster
from qoslint.model.objects import KubeObject
from qoslint.model.scopes import NamespaceScope


@dataclass(frozen=True, slots=True, eq=False)
class Namespace:
    """A namespace that some object of a cluster names."""

    name: str
    cluster: JudgedCluster
    given: NamespaceScope
    """What decides about pods of the namespace; only what names it, or the whole cluster."""
    admitted: tuple[Admitted, ...]
    """The workloads of the namespace that are judged, by kind and name."""
    checked: frozenset[KubeObject]
    """The objects of the cluster that findings may be about; the rest is only context."""

    @property
    def object(self) -> KubeObject | None:
        """The Namespace object itself, if the repository holds it."""
        return self.cluster.cluster.namespaces.get(self.name)


def namespaces(judged: JudgedCluster) -> Iterator[Namespace]:
    """Every namespace that a workload, or an object that decides about pods, lives in; by name."""
    admitted: dict[str, list[Admitted]] = {}
    for item in judged.admitted:
        admitted.setdefault(item.namespace, []).append(item)
    checked = frozenset(judged.cluster.objects)
    for name in sorted({*admitted, *judged.cluster.namespaces, *judged.cluster.ruled_namespaces}):
        scope = judged.cluster.scope(name)
        yield Namespace(name, judged, scope, tuple(admitted.get(name, ())), checked)
