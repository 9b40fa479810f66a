"""Clusters: which workloads and which deciding objects stand in one API server together."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import attrgetter

from qoslint.finding import Notice
from qoslint.kernel.features import Features, features
from qoslint.model.clusterspec import ClusterSpec
from qoslint.model.expect.intent import Expected
from qoslint.model.injection import WEBHOOKS, Webhooks
from qoslint.model.inventory import Inventory
from qoslint.model.jvmsizes import JvmSize, jvm_sizes
from qoslint.model.members import Members, applied, declared_members
from qoslint.model.node import NodeProfile
from qoslint.model.objects import KubeObject
from qoslint.model.policies import POLICY_KINDS, policies
from qoslint.model.scaler import SCALER_KINDS
from qoslint.model.scopes import (
    InvalidObject,
    NamespaceScope,
    Reader,
    is_namespaced,
    is_scope_object,
)
from qoslint.model.variants import variants
from qoslint.model.wording import some
from qoslint.model.workloads import Workload
from qoslint.source.paths import Paths
from qoslint.source.tree import STDIN


@dataclass(frozen=True, slots=True, eq=False)
class Cluster:
    """A cluster with all that is in it; a workload may be in several clusters."""

    name: str
    features: Features
    complete: bool
    namespace: str
    """The namespace of objects that name none."""
    environment: bool
    """Whether it stands for an API server; else for a part of a collection, such as examples."""
    nodes: tuple[NodeProfile, ...]
    webhooks: Webhooks
    """What adds containers to pods."""
    expected: tuple[Expected, ...]
    """What the settings want of pods."""
    workloads: tuple[Workload, ...]
    """Those to judge, in the order of files and documents."""
    objects: tuple[KubeObject, ...]
    """The objects to check: those that make pods, and what decides about pods or is a namespace.
    What is only context is not among them."""
    jvm_sizes: Mapping[KubeObject, tuple[JvmSize, ...]]
    """By object the sizes that a JVM reads, of those objects whose kind has such."""
    namespaces: Mapping[str, KubeObject]
    """The Namespace objects by name, of the context too."""
    budgets: tuple[KubeObject, ...]
    """The PodDisruptionBudgets, which the kubelet does not ask."""
    scaling: tuple[KubeObject, ...]
    """What scales workloads, of the context and of files that are not asked for, too."""
    asked: Paths
    """The files and folders that findings may be about."""
    contradictory: tuple[tuple[KubeObject, ...], ...]
    """The different definitions of each object that decides about pods and has several; of those
    none decides, or in a declared cluster the last one."""
    _deciding: Mapping[str, tuple[KubeObject, ...]]
    """Scope objects by namespace, under the empty name those of the whole cluster."""
    _unplaced: tuple[KubeObject, ...]
    """Scope objects that name no namespace, where it is not known which one they get."""
    _beside: Mapping[str, tuple[str, ...]]
    """By folder the namespaces that LimitRanges in it name, where no settings declare the cluster
    and objects that name none may be meant for them."""
    _kustomized: Mapping[str, tuple[str, ...]]
    """By file the namespaces that kustomizations put its objects into."""
    _reader: Reader
    _scopes: dict[tuple[tuple[KubeObject, ...], str | None], NamespaceScope] = field(
        default_factory=dict
    )

    def namespace_of(self, obj: KubeObject) -> str:
        """The namespace that the object is created in."""
        return obj.namespace or self.namespace

    def qualified_name(self, obj: KubeObject) -> str:
        """The name with the namespace, where the object lives in one: `shop/api`."""
        return f"{self.namespace_of(obj)}/{obj.name}" if is_namespaced(obj.kind) else obj.name

    @property
    def cluster_wide(self) -> NamespaceScope:
        """The classes, which decide about the pods of every namespace."""
        return self._scope((), "")

    @property
    def ruled_namespaces(self) -> frozenset[str]:
        """The namespaces in which an object stands that decides about the pods of others."""
        return frozenset(name for name in self._deciding if name)

    def scope(self, namespace: str) -> NamespaceScope:
        """What decides about the pods of a namespace.

        Namespaces without deciding objects of their own share one value.
        """
        return self._scope((), namespace)

    def scope_of(self, obj: KubeObject) -> NamespaceScope:
        """What decides about the pods that an object makes.

        In a repository without settings, objects that name no namespace may be applied to any. A
        LimitRange of that kind counts for such workloads in its own folder and below.
        """
        return self._scope(tuple(self._above(obj)), self.namespace_of(obj))

    def other_namespaces(self, obj: KubeObject) -> Iterator[str]:
        """The namespaces that an object may really get, beside the one that it seems to get.

        These are those of the kustomizations that reach its file. In a repository without settings
        an object that names none may also be meant for those that the LimitRanges in its folder
        name: such a folder is often applied with `kubectl apply --namespace`.
        """
        if is_namespaced(obj.kind):
            yield from self._put_into(obj)
            if obj.namespace is None:
                yield from self._beside.get(posixpath.dirname(obj.file), ())

    def scope_elsewhere(self, obj: KubeObject, namespace: str) -> NamespaceScope:
        """What would decide about the pods of an object in one of the other namespaces."""
        moved = (
            each
            for each in (*self._unplaced, *self._deciding.get(self.namespace, ()))
            if namespace in self._put_into(each)
        )
        return self._scope(tuple(dict.fromkeys((*self._above(obj), *moved))), namespace)

    def standing_together(self) -> Iterator[tuple[str, NamespaceScope]]:
        """Scopes whose LimitRanges and quotas certainly hold together, each with its namespace.

        Those of a namespace do. Of those for which it is not known which namespace they get, only
        those of one file do.
        """
        for namespace in sorted(self.ruled_namespaces):
            yield namespace, self.scope(namespace)
        for _, group in groupby(self._unplaced, key=attrgetter("file")):
            yield self.namespace, self._scope(tuple(group), None)

    def invalid(self) -> tuple[InvalidObject, ...]:
        """Every scope object that the API server refuses."""
        placed = (obj for deciding in self._deciding.values() for obj in deciding)
        return self._scope((*placed, *self._unplaced), None).invalid

    def under(self, paths: Iterable[str]) -> Cluster:
        """The same cluster, judging and checking only what the files and folders hold."""
        asked = Paths.of(paths)
        return replace(
            self,
            workloads=tuple(item for item in self.workloads if item.object.lies_under(asked)),
            objects=tuple(obj for obj in self.objects if obj.lies_under(asked)),
            budgets=tuple(obj for obj in self.budgets if obj.lies_under(asked)),
            asked=asked,
            contradictory=tuple(
                objects for objects in self.contradictory if objects[-1].lies_under(asked)
            ),
        )

    def _put_into(self, obj: KubeObject) -> tuple[str, ...]:
        """The namespaces that kustomizations put it into; what was rendered is in its own."""
        return () if obj.is_rendered else self._kustomized.get(obj.file, ())

    def _above(self, obj: KubeObject) -> Iterator[KubeObject]:
        if obj.namespace is None:
            yield from (each for each in self._unplaced if _is_above(each.file, obj.file))

    def _scope(self, more: tuple[KubeObject, ...], namespace: str | None) -> NamespaceScope:
        """What decides in a namespace, and more; in no namespace only the latter."""
        ruled = namespace if namespace is None or namespace in self._deciding else ""
        # Not keyed by all that decides: there may be thousands, and each workload asks.
        if (more, ruled) not in self._scopes:
            own = () if ruled is None else dict.fromkeys((ruled, ""))
            ruling = (thing for name in own for thing in self._deciding.get(name, ()))
            deciding = tuple(dict.fromkeys((*more, *ruling)))
            scope = self._reader.scope(self.features, deciding, complete=self.complete)
            self._scopes[more, ruled] = scope
        return self._scopes[more, ruled]


def assemble(
    specs: Sequence[ClusterSpec], inventory: Inventory
) -> tuple[tuple[Cluster, ...], tuple[Notice, ...]]:
    """The clusters of the settings, each with what the files of the inventory put into it.

    The implicit cluster may become several, one a variant. Raises FeatureError for a version or
    gate of a spec that does not exist.
    """
    reader = Reader()
    clusters: list[Cluster] = []
    notices: list[Notice] = []
    for spec in specs:
        parts = declared_members(spec, inventory) if spec.declared else variants(spec, inventory)
        members = list(parts)
        own = [_cluster(spec, each, inventory, reader) for each in members]
        clusters.extend(own)
        notices.extend(notice for each in members for notice in each.notices)
        notices.extend(_assumed(own))
    return tuple(clusters), tuple(notices)


def _cluster(spec: ClusterSpec, members: Members, inventory: Inventory, reader: Reader) -> Cluster:
    deciding = [item.object for item in (*members.deciding, *members.context)]
    scopes = [obj for obj in deciding if is_scope_object(obj)]
    unplaced = tuple(obj for obj in scopes if not spec.declared and _is_unplaced(obj))
    placed = [obj for obj in scopes if spec.declared or not _is_unplaced(obj)]
    namespaces = {obj.name: obj for obj in deciding if obj.kind == "Namespace"}
    checked = sorted((*members.judged, *members.deciding), key=lambda item: item.place)
    return Cluster(
        name=members.name,
        features=features(spec.kubernetes, spec.feature_gates),
        complete=spec.complete,
        namespace=spec.namespace,
        environment=members.environment,
        nodes=spec.nodes,
        webhooks=_webhooks(spec, namespaces, inventory),
        expected=spec.expected,
        workloads=tuple(workload for item in members.judged for workload in item.workloads),
        objects=tuple(item.object for item in checked),
        jvm_sizes={
            item.object: tuple(jvm_sizes(item.object, item.kind))
            for item in checked
            if item.kind is not None and item.kind.jvm_sizes
        },
        namespaces=namespaces,
        budgets=tuple(
            obj
            for obj in inventory.by_kind.get(("policy", "PodDisruptionBudget"), ())
            if applied(spec, obj)
        ),
        scaling=tuple(
            obj
            for kind in SCALER_KINDS
            for obj in inventory.by_kind.get(kind, ())
            if _is_present(spec, obj)
        ),
        asked=Paths.of(spec.paths),
        contradictory=tuple(
            tuple(item.object for item in items) for items in members.contradictory
        ),
        _deciding=_by_namespace(placed, spec.namespace),
        _unplaced=unplaced,
        _beside={} if spec.declared else _limited_by_folder(placed),
        _kustomized=inventory.kustomized,
        _reader=reader,
    )


def _webhooks(
    spec: ClusterSpec, namespaces: Mapping[str, KubeObject], inventory: Inventory
) -> Webhooks:
    def within(kind: tuple[str, str]) -> tuple[KubeObject, ...]:
        return tuple(obj for obj in inventory.by_kind.get(kind, ()) if _is_present(spec, obj))

    holding = {
        values: tuple(filter(values.holds, within((values.group, values.kind))))
        for injector in spec.injectors
        for values in injector.values
    }
    found = tuple(policies({kind: within(kind) for kind in POLICY_KINDS}, WEBHOOKS))
    return Webhooks(spec.injectors, namespaces, holding, found, spec.complete)


def _is_present(spec: ClusterSpec, obj: KubeObject) -> bool:
    return applied(spec, obj) or obj.lies_under(Paths.of(spec.context))


def _assumed(clusters: Sequence[Cluster]) -> Iterator[Notice]:
    """A notice of namespaces that are taken to have no labels, since they are not there."""
    missing = {
        (cluster.name, namespace)
        for cluster in clusters
        if cluster.webhooks.asking_namespaces
        for namespace in map(cluster.namespace_of, (each.object for each in cluster.workloads))
        if namespace not in cluster.namespaces
    }
    if missing:
        names = sorted({name for name, _ in missing})
        namespaces = sorted({namespace for _, namespace in missing})
        asking = clusters[0].webhooks.asking_namespaces
        yield Notice(
            "Labels or annotations of namespaces decide which pods are changed by "
            f"{some(asking, len(asking))}. No object of Namespace "
            f"{some(namespaces, len(namespaces))} is in "
            f"{'clusters' if len(names) > 1 else 'cluster'} {some(names, len(names))}: such a "
            "namespace is taken to have no annotations, and no label but its name."
        )


def _is_unplaced(obj: KubeObject) -> bool:
    return obj.namespace is None and is_namespaced(obj.kind)


def _limited_by_folder(placed: Iterable[KubeObject]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for obj in placed:
        if obj.kind == "LimitRange" and obj.namespace is not None:
            found.setdefault(posixpath.dirname(obj.file), []).append(obj.namespace)
    return {folder: tuple(dict.fromkeys(names)) for folder, names in found.items()}


def _is_above(file: str, other: str) -> bool:
    """Whether the other file is in the folder of the file, or below it; what is piped in is."""
    folder = posixpath.dirname(file)
    return not folder or other == STDIN or other.startswith(f"{folder}/")


def _by_namespace(
    deciding: Iterable[KubeObject], default: str
) -> Mapping[str, tuple[KubeObject, ...]]:
    grouped: dict[str, list[KubeObject]] = {}
    for obj in deciding:
        namespace = (obj.namespace or default) if is_namespaced(obj.kind) else ""
        grouped.setdefault(namespace, []).append(obj)
    return {namespace: tuple(found) for namespace, found in grouped.items()}
