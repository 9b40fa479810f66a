"""What a run's checks look at, keyed by the name of the check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from qoslint.kernel.scope import ObjectError
from qoslint.model.effective import Admitted
from qoslint.model.judged import JudgedCluster
from qoslint.model.jvmsizes import JvmSize
from qoslint.model.namespace import namespaces
from qoslint.model.nodeconfiguration import NodeConfiguration
from qoslint.model.objects import KubeObject, shortened
from qoslint.model.subject import Stated, stated
from qoslint.model.workloads import Workload
from qoslint.source.document import Broken
from qoslint.span import Path


class Bearer(NamedTuple):
    """An object that a problem is found on: its name, its cluster, and its pod if it has one."""

    label: str
    cluster: str
    admitted: Admitted | None = None


class Subject(NamedTuple):
    """What one call of a check looks at, and every object for which its answer holds."""

    value: Any
    bearers: tuple[Bearer, ...]


Changed: TypeAlias = Mapping[str, tuple[Subject, ...]]
"""The subjects of rules that compare two revisions, keyed as all are."""


def subjects(
    broken: Iterable[Broken],
    clusters: Iterable[JudgedCluster],
    nodes: Iterable[NodeConfiguration] = (),
    values: Iterable[tuple[Stated, str]] = (),
) -> Mapping[str, tuple[Subject, ...]]:
    """The subjects of each kind of check, in the order of files and clusters.

    `values` are those given to charts that are not here, each with the name of its cluster.
    """
    judged = tuple(clusters)
    return {
        "check_document": tuple(Subject(item, (Bearer(_name(item), ""),)) for item in broken),
        "check_object": (*_objects(judged), *map(_values, values)),
        "check_workload": tuple(
            Subject(admitted, (_bearer(admitted),))
            for cluster in judged
            for admitted in cluster.admitted
        ),
        "check_pod": tuple(
            Subject(verdict, tuple(map(_bearer, whole)))
            for cluster in judged
            for verdict, sharing in cluster.verdicts
            # What an operator still changes is not what runs; nothing is claimed of it.
            if (whole := [each for each in sharing if not each.workload.partial])
        ),
        "check_namespace": tuple(
            Subject(namespace, (Bearer(f"Namespace {namespace.name}", cluster.cluster.name),))
            for cluster in judged
            for namespace in namespaces(cluster)
        ),
        "check_cluster": tuple(
            Subject(cluster, (Bearer(f"cluster {cluster.cluster.name}", cluster.cluster.name),))
            for cluster in judged
        ),
        "check_node": tuple(Subject(node, (Bearer(node.name, node.cluster),)) for node in nodes),
        "check_repository": (Subject(judged, (Bearer("the repository", ""),)),),
        "check_suppression": (),  # what becomes of them is known only when all this is checked
    }


def _name(broken: Broken) -> str:
    """The file, or what was to be rendered as people name it."""
    rendered = broken.source.rendered
    return rendered.target if rendered else broken.source.path


def _values(given: tuple[Stated, str]) -> Subject:
    stated, cluster = given
    obj = stated.object
    name = f"{obj.namespace}/{obj.name}" if obj.namespace else obj.name
    return Subject(stated, (Bearer(shortened(f"{obj.kind} {name}"), cluster),))


def _bearer(admitted: Admitted) -> Bearer:
    return Bearer(admitted.label, admitted.cluster, admitted)


def _objects(judged: Iterable[JudgedCluster]) -> Iterator[Subject]:
    """Each object once, with the clusters that it is in."""
    found: dict[KubeObject, list[Bearer]] = {}
    workloads: dict[KubeObject, dict[Path, Workload]] = {}
    errors: dict[KubeObject, tuple[ObjectError, ...]] = {}
    sizes: dict[KubeObject, tuple[JvmSize, ...]] = {}
    for each in judged:
        cluster = each.cluster
        sizes.update(cluster.jvm_sizes)
        errors.update(
            (item.object, item.errors) for item in cluster.invalid() if not item.unresolved
        )
        for workload in cluster.workloads:
            workloads.setdefault(workload.object, {})[workload.template] = workload
        for obj in cluster.objects:
            label = shortened(f"{obj.kind} {cluster.qualified_name(obj)}")
            found.setdefault(obj, []).append(Bearer(label, cluster.name))
    for obj, bearers in found.items():
        own = workloads.get(obj, {}).values()
        yield Subject(stated(obj, own, errors.get(obj, ()), sizes.get(obj, ())), tuple(bearers))
