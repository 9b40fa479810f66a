"""Where the pods of one workload stand in the eviction rankings of a node."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from qoslint.errors import UsageError, nearest
from qoslint.kernel.signals import Signal
from qoslint.model.effective import Admitted
from qoslint.model.judged import JudgedCluster
from qoslint.model.kubelet import Kubelet
from qoslint.model.measured.join import NOT_MEASURED, Joined
from qoslint.model.measured.podnames import pod_owner
from qoslint.model.node import NO_PROFILE
from qoslint.model.noderanking import NodeRanking, Question, ranked
from qoslint.model.population import population
from qoslint.model.ranking import Row
from qoslint.model.verdict import judge
from qoslint.model.wording import listing


class Standing(NamedTuple):
    """The pods of a workload in a ranking."""

    found: NodeRanking
    measured: Joined
    rows: tuple[Row, ...]
    """Its pods, first to go first; several where the node has replicas."""

    @property
    def first(self) -> Row:
        """The one that goes first."""
        return self.rows[0]

    @property
    def ahead(self) -> Row | None:
        """The last pod that goes before the first of them."""
        before = [row for row in self._others() if row.position < self.first.position]
        return before[-1] if before else None

    @property
    def behind(self) -> Row | None:
        """The first pod of another workload that goes after the first of them."""
        return next((row for row in self._others() if row.position > self.first.position), None)

    @property
    def ties(self) -> tuple[Row, ...]:
        """The pods of other workloads that tie with the first of them."""
        return tuple(row for row in self._others() if row.position == self.first.position)

    def _others(self) -> Iterator[Row]:
        own = {row.pod for row in self.rows}
        return (row for row in self.found.ranking.rows if row.pod not in own)


def with_node(
    name: str, found: Sequence[tuple[Admitted, JudgedCluster]]
) -> tuple[tuple[Admitted, JudgedCluster], ...]:
    """Those whose cluster has a node profile of that name; UsageError if there are none."""
    there = tuple(pair for pair in found if _kubelets(name, pair[1]))
    if not there:
        clusters = dict.fromkeys(cluster for _, cluster in found)
        known = [kubelet.node.name for each in clusters for kubelet in each.kubelets]
        if not known:
            raise UsageError(f"no node profile is known, and a node is never guessed: {NO_PROFILE}")
        where = listing(f"cluster {each.cluster.name}" for each in clusters)
        raise UsageError(f"there is no node profile {name!r} of {where}{nearest(name, known)}")
    return there


def kubelet_named(name: str, cluster: JudgedCluster) -> Kubelet:
    """The node profile of that name."""
    (kubelet,) = _kubelets(name, cluster)
    return kubelet


def _kubelets(name: str, cluster: JudgedCluster) -> tuple[Kubelet, ...]:
    return tuple(each for each in cluster.kubelets if each.node.name == name)


def why_not_there(admitted: Admitted, cluster: JudgedCluster, kubelet: Kubelet) -> str | None:
    """Why the workload has no pod on the node, as a clause; None if it has one."""
    left = population(cluster, kubelet).left_out
    return next((each.why for each in left if each.admitted is admitted), None)


def standings(
    admitted: Admitted, cluster: JudgedCluster, kubelet: Kubelet, question: Question
) -> Iterator[Standing]:
    """The pods of a workload, for the signal that is asked for and for all that evict there.

    Raises UsageError if the pods that leak are not on the node.
    """
    evicting = {each.signal for each in kubelet.resources.thresholds or ()}
    evicting.discard(Signal.ALLOCATABLE_MEMORY)
    others = [each for each in Signal if each in evicting and each is not question.signal]
    for signal in (question.signal, *others):
        found = ranked(cluster, kubelet, question._replace(signal=signal))
        if found is None:
            raise UsageError(
                f"the pods of {question.leaking[0].label} do not run on node {kubelet.node.name}"
            )
        members = found.population.members
        rows = tuple(row for row in found.ranking.rows if members[row.pod].admitted is admitted)
        if rows:
            measured = question.measured.get(cluster.cluster.name, NOT_MEASURED)
            yield Standing(found, measured, rows)


def replaced(
    admitted: Admitted, after: Admitted, cluster: JudgedCluster, question: Question
) -> tuple[JudgedCluster, Question]:
    """The cluster and the question with what becomes of a workload in its place."""
    verdicts = [
        (verdict, left)
        for verdict, sharing in cluster.verdicts
        if (left := tuple(each for each in sharing if each is not admitted))
    ]
    effective = after.effective
    if effective and (verdict := judge(effective, cluster.kubelets)):
        verdicts.append((verdict, (after,)))
    changed = replace(
        cluster,
        admitted=tuple(after if each is admitted else each for each in cluster.admitted),
        verdicts=tuple(verdicts),
    )
    name, old, new = cluster.cluster.name, pod_owner(admitted), pod_owner(after)
    measured = question.measured.get(name, NOT_MEASURED)
    pods = {
        (new if owner == old else owner, resource): each
        for (owner, resource), each in measured.pods.items()
    }
    containers = {
        (new if owner == old else owner, container, resource): each
        for (owner, container, resource), each in measured.containers.items()
    }
    return changed, question._replace(
        leaking=tuple(after if each is admitted else each for each in question.leaking),
        measured={**question.measured, name: Joined(pods, containers)},
    )
