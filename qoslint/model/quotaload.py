"""What the workloads of a namespace need of its quotas, at the least."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from qoslint.kernel.amount import MAX_INT32
from qoslint.kernel.pod import ResourceList
from qoslint.kernel.quota import ResourceQuota
from qoslint.kernel.quotaevaluator import matches, pod_usage
from qoslint.model.autoscaler import GROUP, KIND, read_autoscaler
from qoslint.model.effective import Admitted
from qoslint.model.expect.known import why_unknown
from qoslint.model.judged import JudgedCluster
from qoslint.model.objects import KubeObject
from qoslint.model.population import amount, defined_once
from qoslint.model.rollout import needs_one_more
from qoslint.model.scaler import Name, Scaler, scalers
from qoslint.model.verdict import Verdict
from qoslint.model.workloads import KUSTOMIZED, REMOVED_API
from qoslint.span import value_at

_LASTING = frozenset(
    {
        ("apps", "Deployment"),
        ("apps", "ReplicaSet"),
        ("apps", "StatefulSet"),
        ("", "ReplicationController"),
        ("", "Pod"),
    }
)
"""What runs for good, with a number of pods that it states."""

_PASSING = frozenset({KUSTOMIZED, REMOVED_API, "hook", "test", "mirror", "static"})


class Share(NamedTuple):
    """A workload whose pods a quota counts."""

    admitted: Admitted
    usage: ResourceList
    """What one pod counts for, by quota key."""
    pods: int
    """How many there are at the least."""
    scalers: tuple[Scaler, ...] = ()
    """What sets the number of pods."""

    def needs(self, key: str) -> int:
        """What the pods count for, in billionths."""
        return self.usage[key].nanos * self.pods if key in self.usage else 0


class Lack(NamedTuple):
    """A key of a quota that is too small, in billionths: its limit, and what is counted."""

    key: str
    hard: int
    needed: int

    @property
    def allows(self) -> str:
        """The limit, as Kubernetes prints it."""
        return quota_amount(self.hard, self.key)

    @property
    def counts(self) -> str:
        """What is counted, likewise."""
        return quota_amount(self.needed, self.key)


def quota_amount(nanos: int, key: str) -> str:
    """So many billionths of what a key of a quota counts, as Kubernetes prints them."""
    return amount(nanos, key.removeprefix("requests.").removeprefix("limits."))


class Blocked(NamedTuple):
    """A workload for whose further pods a quota has no room beside all others."""

    share: Share
    lack: Lack
    room: int
    """How many pods of the workload there is room for."""


@dataclass(frozen=True, slots=True, eq=False)
class QuotaLoad:
    """A ResourceQuota with the workloads that it counts for as long as they are there."""

    object: KubeObject
    quota: ResourceQuota
    shares: tuple[Share, ...]

    def lacks(self) -> Iterator[Lack]:
        """The keys of which less is allowed than all pods need, when each is there."""
        for key, needed in self._needed().items():
            if needed > self._hard(key):
                yield Lack(key, self._hard(key), needed)

    def unreached(self) -> Iterator[Blocked]:
        """The workloads that cannot be scaled up to what their scaler may ask for."""
        needed = self._needed()
        for share in self.shares:
            # Several scalers of one workload contradict each other.
            most = share.scalers[0].most if len(share.scalers) == 1 else None
            if most is not None:
                yield from self._blocked(share, most, needed)

    def stalled(self) -> Iterator[Blocked]:
        """The Deployments of which no new pod can run beside all old ones, as they demand."""
        needed = self._needed()
        for share in self.shares:
            thing = share.admitted.workload.object
            rolls = thing.kind == "Deployment" and not share.scalers and share.pods > 0
            if rolls and needs_one_more(thing, share.pods):
                yield from self._blocked(share, share.pods + 1, needed)

    def _blocked(self, share: Share, pods: int, needed: Mapping[str, int]) -> Iterator[Blocked]:
        """The key that has room for the fewest pods, if it has too little for so many."""
        found: list[Blocked] = []
        for key, total in needed.items():
            each = share.usage[key].nanos if key in share.usage else 0
            others, hard = total - share.needs(key), self._hard(key)
            if each and others <= hard < others + each * pods:
                lack = Lack(key, hard, others + each * pods)
                found.append(Blocked(share, lack, (hard - others) // each))
        yield from sorted(found, key=lambda each: each.room)[:1]

    def _needed(self) -> Mapping[str, int]:
        return {key: sum(each.needs(key) for each in self.shares) for key in self.quota.hard}

    def _hard(self, key: str) -> int:
        return self.quota.hard[key].nanos


def quota_loads(cluster: JudgedCluster) -> Iterator[QuotaLoad]:
    """Each quota of the cluster that counts a workload which lasts, in the order of these.

    What is not certain to be there counts for nothing: pods that end, those of DaemonSets, whose
    number the nodes decide, what a kustomization may still change, what an autoscaler resizes.
    """
    if not cluster.cluster.environment:
        return
    # Most clusters have no quota, and nobody has to be counted for one.
    counting = [
        (verdict, sharing, quotas)
        for verdict, sharing in cluster.verdicts
        if (quotas := list(_counting(verdict, cluster)))
    ]
    if not counting:
        return
    lasting = [each for each in cluster.admitted if _lasts(each, cluster)]
    counted = {id(each) for each in defined_once(lasting)}
    scaling = scalers(cluster.cluster.scaling, cluster.cluster.namespace)
    resized = frozenset(_resized(cluster))
    loads: dict[KubeObject, tuple[ResourceQuota, list[Share]]] = {}
    for verdict, sharing, quotas in counting:
        usage = pod_usage(verdict.effective.pod, verdict.features)
        for admitted in sharing:
            name = _name(admitted)
            if id(admitted) in counted and name not in resized:
                share = _share(admitted, usage, scaling.get(name, ()))
                for thing, quota in quotas:
                    loads.setdefault(thing, (quota, []))[1].append(share)
    for thing, (quota, shares) in loads.items():
        yield QuotaLoad(thing, quota, tuple(shares))


def _counting(
    verdict: Verdict, cluster: JudgedCluster
) -> Iterator[tuple[KubeObject, ResourceQuota]]:
    """The quotas that count the pod, if it is certain in which namespace they are."""
    given = verdict.effective.given
    for thing, quota in zip(given.quotas, given.scope.quotas, strict=True):
        if _is_placed(thing, cluster) and matches(quota, verdict.effective.pod, verdict.qos):
            yield thing, quota


def _is_placed(thing: KubeObject, cluster: JudgedCluster) -> bool:
    named = thing.namespace is not None or cluster.cluster.complete
    return named and next(cluster.cluster.other_namespaces(thing), None) is None


def _lasts(admitted: Admitted, cluster: JudgedCluster) -> bool:
    workload = admitted.workload
    thing, pod_spec = workload.object, workload.pod_spec
    return (
        (thing.group, thing.kind) in _LASTING
        and _PASSING.isdisjoint(workload.tags)
        and pod_spec.get("restartPolicy", "Always") == "Always"
        and value_at(thing.data, ("spec", "paused")) is not True
        and _is_placed(thing, cluster)
        and not why_unknown(admitted)
    )


def _share(admitted: Admitted, usage: ResourceList, found: Sequence[Scaler]) -> Share:
    replicas = admitted.workload.replicas or 0
    if replicas > MAX_INT32:
        replicas = 0  # the API server takes no such number
    if not found or not replicas:  # what has no replicas, no autoscaler scales
        return Share(admitted, usage, replicas)
    return Share(admitted, usage, min(each.least for each in found), tuple(found))


def _resized(cluster: JudgedCluster) -> Iterator[Name]:
    """The workloads whose requests a VerticalPodAutoscaler sets."""
    for thing in cluster.cluster.objects:
        if (thing.group, thing.kind) == (GROUP, KIND):
            autoscaler = read_autoscaler(thing)
            if autoscaler.updates:
                _, kind, name = autoscaler.target
                yield cluster.cluster.namespace_of(thing), kind, name


def _name(admitted: Admitted) -> Name:
    thing = admitted.workload.object
    return admitted.namespace, thing.kind, thing.name
