"""What becomes of the pods of each workload of a cluster: created as what, or refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from qoslint.kernel.admission import admit
from qoslint.kernel.outcome import Rejection
from qoslint.kernel.pod import Pod
from qoslint.model.authoredpod import pod_of
from qoslint.model.cluster import Cluster
from qoslint.model.effective import Admitted, Effective
from qoslint.model.expect.annotations import intents
from qoslint.model.expect.selected import wishes_of
from qoslint.model.injection import Decision
from qoslint.model.refusing import object_refusals, pod_refusals
from qoslint.model.scopes import NamespaceScope
from qoslint.model.workloads import PATCHED, Workload
from qoslint.span import field_path

_DECIDING = ("LimitRange", "ResourceQuota")
_ELSEWHERE = "the namespace, which decides the class and is not the one in the file"


def admit_cluster(cluster: Cluster) -> Iterator[Admitted]:
    """Each workload of the cluster with what becomes of its pods, in the cluster's order."""

    @cache
    def effective(
        authored: Pod,
        metadata: tuple[Rejection, ...],
        given: NamespaceScope,
        namespace: str,
        injection: Decision,
    ) -> Effective:
        outcomes = admit(authored, given.scope, metadata, injection.injections)
        shown = next((each for each in outcomes if each.admitted is not False), outcomes[0])
        return Effective(authored, given, outcomes, shown, namespace, injection)

    def differs_elsewhere(
        workload: Workload, pod: Pod, metadata: tuple[Rejection, ...], here: Effective
    ) -> bool:
        """Whether the class is another one in a namespace that a kustomization sets."""
        for other in cluster.other_namespaces(workload.object):
            injection = cluster.webhooks.decide(workload, other)
            given = cluster.scope_elsewhere(workload.object, other)
            if effective(pod, metadata, given, other, injection).classes != here.classes:
                return True
        return False

    def admitted(workload: Workload) -> Admitted:
        namespace = cluster.namespace_of(workload.object)
        given = cluster.scope_of(workload.object)
        if hidden := tuple(_hidden(workload, given)):
            return Admitted(workload, cluster.name, namespace, hidden=hidden)
        pod, rejections = pod_of(workload, cluster.features)
        if pod is None:
            refusals = tuple(object_refusals(workload, rejections))
            return Admitted(workload, cluster.name, namespace, refusals)
        injection = cluster.webhooks.decide(workload, namespace)
        made = effective(pod, rejections, given, namespace, injection)
        if differs_elsewhere(workload, pod, rejections, made):
            return Admitted(workload, cluster.name, namespace, hidden=(_ELSEWHERE,))
        refusals = tuple(pod_refusals(workload, made, rejections, namespace))
        return Admitted(workload, cluster.name, namespace, refusals, made)

    wanted = wishes_of(cluster.expected)

    def with_intents(workload: Workload) -> Admitted:
        found = admitted(workload)
        own = (*intents(workload), *wanted(workload, found.namespace))
        return replace(found, intents=own) if own else found

    return map(with_intents, cluster.workloads)


def _hidden(workload: Workload, given: NamespaceScope) -> Iterator[str]:
    """Why nothing can be said of the pods: values that something else fills in later."""
    for path in workload.unresolved:
        yield f"placeholder in {field_path(path)}"
    for item in given.invalid:
        if item.unresolved and item.object.kind in _DECIDING:
            yield f"placeholder in {item.object.kind} {item.object.name}"
    if PATCHED in workload.tags:
        yield "resources that a kustomize patch changes"
    if workload.custom and not workload.pod_spec.get("containers"):
        yield "containers that the controller adds"
