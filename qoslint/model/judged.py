"""Judging a cluster: every workload admitted, every pod that may run given its verdict."""

from __future__ import annotations

from dataclasses import dataclass

from qoslint.errors import UsageError
from qoslint.kernel.features import Features, features
from qoslint.model.admitting import admit_cluster
from qoslint.model.cluster import Cluster
from qoslint.model.effective import Admitted, Effective
from qoslint.model.kubelet import Kubelet, kubelet
from qoslint.model.node import NodeProfile, ProfileError
from qoslint.model.verdict import Verdict, judge


@dataclass(frozen=True, slots=True, eq=False)
class JudgedCluster:
    """A cluster with what becomes of its workloads, by namespace, kind and name."""

    cluster: Cluster
    kubelets: tuple[Kubelet, ...]
    admitted: tuple[Admitted, ...]
    verdicts: tuple[tuple[Verdict, tuple[Admitted, ...]], ...]
    """Each verdict with the workloads that share it; none for pods that are refused."""


def judge_cluster(cluster: Cluster) -> JudgedCluster:
    """The whole cluster judged; equal pods of a namespace are judged once."""
    kubelets = tuple(kubelet_in(cluster.name, cluster.features, node) for node in cluster.nodes)
    admitted = tuple(sorted(admit_cluster(cluster), key=_order))
    sharing: dict[Effective, list[Admitted]] = {}
    for item in admitted:
        if item.effective:
            sharing.setdefault(item.effective, []).append(item)
    verdicts = tuple(
        (verdict, tuple(items))
        for effective, items in sharing.items()
        if (verdict := judge(effective, kubelets))
    )
    return JudgedCluster(cluster, kubelets, admitted, verdicts)


def _order(item: Admitted) -> tuple[str, str, str, str, int]:
    thing = item.workload.object
    return (item.namespace, thing.kind, thing.name, thing.file, thing.id.document)


def kubelet_in(cluster: str, cluster_features: Features, node: NodeProfile) -> Kubelet:
    """The kubelet with the cluster's gates; UsageError if its own do not go with them."""
    same = node.version == cluster_features.version
    try:
        return kubelet(node, cluster_features if same else features(node.version))
    except ProfileError as error:
        message = f"cluster {cluster}: the profile {node.name} {error.message}"
        raise UsageError(message) from error
