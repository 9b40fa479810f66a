"""Which pods share a node: those that are known to, or one of each that may."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, repeat
from typing import NamedTuple

from qoslint.kernel.allocatable import PODS
from qoslint.kernel.pod import EPHEMERAL_STORAGE, MEMORY, ResourceList, is_hugepage
from qoslint.kernel.quantity import ZERO, Format, from_nanos
from qoslint.kernel.scheduling import pod_requests
from qoslint.model.effective import Admitted
from qoslint.model.judged import JudgedCluster
from qoslint.model.kubelet import Kubelet
from qoslint.model.placement import DAEMON_SET, keeps_away
from qoslint.model.verdict import Verdict
from qoslint.span import Path


class PopulationKind(StrEnum):
    """How it is known which pods share the node."""

    LISTED = "listed"
    """The profile lists them: one of each workload that it takes."""
    ALL = "all"
    """It is the only node (`count: 1`), and takes every pod."""
    POSSIBLE = "possible"
    """One pod of each workload that may run on such a node, as if all shared one."""


class Member(NamedTuple):
    """A pod on a node, of the workload that makes it."""

    admitted: Admitted
    verdict: Verdict


class LeftOut(NamedTuple):
    """A workload without a pod on the node, and why, as a clause."""

    admitted: Admitted
    why: str


class Excess(NamedTuple):
    """A resource of which the pods request more than is allocatable, both in billionths."""

    resource: str
    requested: int
    allocatable: int

    @property
    def wants(self) -> str:
        """What is requested, as Kubernetes prints it."""
        return amount(self.requested, self.resource)

    @property
    def has(self) -> str:
        """What is allocatable, likewise."""
        return amount(self.allocatable, self.resource)


def amount(nanos: int, resource: str) -> str:
    """So many billionths of a resource, as Kubernetes prints them."""
    in_bytes = resource in (MEMORY, EPHEMERAL_STORAGE) or is_hugepage(resource)
    return from_nanos(nanos, Format.BINARY_SI if in_bytes else Format.DECIMAL_SI).canonical()


@dataclass(frozen=True, slots=True, eq=False)
class Population:
    """The pods of a node."""

    kind: PopulationKind
    members: tuple[Member, ...]
    left_out: tuple[LeftOut, ...]
    excess: tuple[Excess, ...]
    """Why the scheduler would not put all of them on one node; empty if it may."""

    @property
    def known(self) -> bool:
        """Whether it is known that they share the node, and not only possible."""
        return self.kind is not PopulationKind.POSSIBLE

    @property
    def fits(self) -> bool:
        """Whether what the pods request is allocatable on the node."""
        return not self.excess


def population(cluster: JudgedCluster, kubelet: Kubelet) -> Population:
    """The pods that share a node of the profile, by namespace, kind and name of the workload."""
    verdicts = {
        id(admitted): verdict for verdict, sharing in cluster.verdicts for admitted in sharing
    }
    members: list[Member] = []
    left_out: list[LeftOut] = []
    for admitted in cluster.admitted:
        verdict = verdicts.get(id(admitted))
        if verdict is None:
            left_out.append(LeftOut(admitted, _why_unknown(admitted)))
        elif why := kept_off(kubelet, admitted, verdict) or _too_large(kubelet, verdict):
            left_out.append(LeftOut(admitted, why))
        else:
            members.append(Member(admitted, verdict))
    if kubelet.node.pods:
        return _population(PopulationKind.LISTED, members, left_out, kubelet)
    if kubelet.node.count == 1 and (every := _every_replica(members, kubelet)) is not None:
        return _population(PopulationKind.ALL, every, left_out, kubelet)
    return _population(PopulationKind.POSSIBLE, members, left_out, kubelet)


def _why_unknown(admitted: Admitted) -> str:
    if admitted.admitted is False:
        return "its pods are refused"
    return "what its pods are is not known"


def kept_off(kubelet: Kubelet, admitted: Admitted, verdict: Verdict) -> str | None:
    """Why no pod of the workload is on a node of the profile, as a clause; None if one may be."""
    thing = admitted.workload.object
    if listed := kubelet.node.pods:
        labels = admitted.workload.pod_labels
        where = admitted.namespace, thing.kind, thing.name, labels
        if not any(selector.selects(*where) for selector in listed):
            return "the profile lists other pods"
    if admitted.workload.replicas == 0:
        return "it has no replicas"
    return keeps_away(kubelet.node, verdict.effective.pod, thing.kind)


def _too_large(kubelet: Kubelet, verdict: Verdict) -> str | None:
    """Why not even an empty node of the profile has room for the pod, as a clause.

    `pkg/scheduler/framework/plugins/noderesources/fit.go fitsRequest`, which the kubelet asks, too.
    """
    most = kubelet.most_allocatable
    for name, quantity in pod_requests(verdict.effective.pod, kubelet.features).items():
        has = most.get(name)
        if has is not None and quantity.nanos > has.nanos:
            return (
                f"it requests {name} {amount(quantity.nanos, name)}, and even an empty node of "
                f"that profile has only {amount(has.nanos, name)} allocatable"
            )
    return None


def largest_request(members: Sequence[Member], index: int, kubelet: Kubelet) -> ResourceList:
    """What a pod may request of each resource beside the others, if all of its replicas do.

    Less than nothing is left where they do not fit even without it.
    """
    own = members[index].admitted
    replicas = sum(each.admitted is own for each in members)
    others = [requested(each, kubelet) for each in members if each.admitted is not own]
    left = {}
    for place, (name, quantity) in enumerate(allocatable(kubelet).items()):
        taken = sum(each[place] for each in others)
        left[name] = from_nanos((quantity.nanos - taken) // replicas, quantity.format)
    return ResourceList(left)


def defined_once(items: Iterable[Admitted]) -> Iterator[Admitted]:
    """The workloads but for those that have several definitions, of which only one can run.

    What gets its name when it is made is another object each time.
    """
    every = list(items)
    counts = Counter(map(_key, every))
    for item in every:
        if not item.workload.object.metadata.get("name") or counts[_key(item)] == 1:
            yield item


def _key(item: Admitted) -> tuple[str, str, str, str, Path]:
    thing = item.workload.object
    return item.namespace, thing.group, thing.kind, thing.name, item.workload.template


def _population(
    kind: PopulationKind,
    members: Sequence[Member],
    left_out: Sequence[LeftOut],
    kubelet: Kubelet,
) -> Population:
    excess = tuple(excesses(members, kubelet))
    return Population(kind, tuple(members), tuple(left_out), excess)


def _every_replica(members: Iterable[Member], kubelet: Kubelet) -> tuple[Member, ...] | None:
    """All pods of the members; None if the node does not take them all."""
    most = allocatable(kubelet).get(PODS, ZERO).value()
    counts = [(member, _replicas(member.admitted)) for member in members]
    if sum(count for _, count in counts) > most:
        return None
    every = tuple(chain.from_iterable(repeat(member, count) for member, count in counts))
    return None if any(excesses(every, kubelet)) else every


def _replicas(admitted: Admitted) -> int:
    """The pods of a workload on the only node there is."""
    if admitted.workload.object.kind == DAEMON_SET:
        return 1
    replicas = admitted.workload.replicas
    return 1 if replicas is None else replicas


def excesses(members: Sequence[Member], kubelet: Kubelet) -> Iterator[Excess]:
    """Of what the members request more than is allocatable, added up as the scheduler does.

    `pkg/scheduler/framework/plugins/noderesources/fit.go fitsRequest`.
    """
    sums = map(sum, zip(*(requested(member, kubelet) for member in members), strict=True))
    # Without members there are no sums.
    for asked, (name, quantity) in zip(sums, allocatable(kubelet).items(), strict=False):
        if asked > quantity.nanos:
            yield Excess(name, asked, quantity.nanos)


def requested(member: Member, kubelet: Kubelet) -> tuple[int, ...]:
    """What the pod takes of each thing that is allocatable, in that order, in billionths."""
    requests = pod_requests(member.verdict.effective.pod, kubelet.features)
    return tuple(
        10**9 if name == PODS else requests.get(name, ZERO).nanos for name in allocatable(kubelet)
    )


def allocatable(kubelet: Kubelet) -> ResourceList:
    """What the scheduler may hand out of a node of the profile."""
    found = kubelet.resources.allocatable
    assert found is not None, "a kubelet that does not start is no node"
    return found.allocatable
