"""Pods for which no declared node has room, whatever else runs there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from qoslint.kernel.allocatable import PODS
from qoslint.kernel.features import Features
from qoslint.kernel.pod import Pod, ResourceList
from qoslint.kernel.scheduling import pod_requests, summed_containers
from qoslint.model.expect.intent import Fits
from qoslint.model.expect.known import why_unknown
from qoslint.model.judged import JudgedCluster
from qoslint.model.kubelet import Kubelet
from qoslint.model.placement import DAEMON_SET, names_nodes
from qoslint.model.population import (
    Excess,
    Member,
    amount,
    defined_once,
    kept_off,
)
from qoslint.model.preemption import may_preempt
from qoslint.span import Path


class Shortage(NamedTuple):
    """Why no node of a profile has room for a pod: the first resource that lacks."""

    kubelet: Kubelet
    excess: Excess
    asked: int
    """Billionths that the pod itself requests."""
    beside: int
    """How many DaemonSets the pod would share the node with; 0 if it has no room even alone."""

    @property
    def own(self) -> str:
        """What the pod requests, as Kubernetes prints it."""
        return amount(self.asked, self.excess.resource)

    @property
    def taken(self) -> str:
        """What the DaemonSets request, likewise."""
        return amount(self.excess.requested - self.asked, self.excess.resource)


class Homeless(NamedTuple):
    """A workload that no node of any profile has room for."""

    member: Member
    shortages: tuple[Shortage, ...]
    """Of the profiles that take its pods."""
    elsewhere: tuple[tuple[str, str], ...]
    """The names of the other profiles, and why they do not take them, as a clause."""

    @property
    def path(self) -> Path:
        """The largest request of what lacks, in the PodSpec."""
        return _largest(self.member.verdict.effective.pod, self.shortages[0].excess.resource)


Amounts: TypeAlias = Mapping[str, int]
"""Billionths by resource, and of pods."""


class _Ground(NamedTuple):
    """A profile, with the pods of DaemonSets that each of its nodes runs."""

    kubelet: Kubelet
    allocatable: ResourceList
    daemons: tuple[tuple[Member, Amounts], ...]
    taken: Amounts
    """What all of them request together."""

    def shortage(self, asked: Amounts, taken: Amounts, beside: int) -> Shortage | None:
        """What lacks for a pod that asks for so much, on a node of which so much is taken."""
        for name, has in self.allocatable.items():
            own = asked.get(name, 0)
            wanted = own + taken.get(name, 0)
            # Of what it does not ask for no pod can have too little.
            if own and wanted > has.nanos:
                return Shortage(self.kubelet, Excess(name, wanted, has.nanos), own, beside)
        return None


def homeless(cluster: JudgedCluster) -> Iterator[Homeless]:
    """The workloads whose pods fit on no declared node.

    A pod that names its node is not scheduled, and of one that no profile takes it is not known
    which nodes it is for. Where somebody says on which nodes it shall fit, that is another answer.
    Beside it those DaemonSets count that it cannot preempt.
    """
    grounds = tuple(_grounds(cluster)) if cluster.kubelets else ()
    for verdict, sharing in cluster.verdicts if grounds else ():
        pod = verdict.effective.pod
        if pod.node_name or pod.static or pod.mirror:
            continue
        asked = requests(pod, verdict.features)
        crowded = [ground.shortage(asked, ground.taken, 0) is not None for ground in grounds]
        # Most pods fit everywhere even beside all DaemonSets: of them nothing else is asked.
        for admitted in sharing if any(crowded) else ():
            wished = any(isinstance(each.wish, Fits) for each in admitted.intents)
            if not wished and not why_unknown(admitted):
                yield from _homeless(Member(admitted, verdict), asked, grounds, crowded)


def takes(kubelet: Kubelet, member: Member) -> bool:
    """Whether a node of the profile may run the pod, and has room for it if it has nothing else."""
    if kept_off(kubelet, *member):
        return False
    asked = requests(member.verdict.effective.pod, member.verdict.features)
    return _Ground(kubelet, kubelet.most_allocatable, (), {}).shortage(asked, {}, 0) is None


def requests(pod: Pod, features: Features) -> Amounts:
    """What the scheduler looks for; the features are those of the control plane."""
    return {
        PODS: 10**9,
        **{name: each.nanos for name, each in pod_requests(pod, features).items()},
    }


def exceeds(asked: Amounts, allocatable: ResourceList) -> bool:
    """Whether more is asked for than is allocatable, of anything that is known.

    `pkg/scheduler/framework/plugins/noderesources/fit.go fitsRequest`.
    """
    return any(asked.get(name, 0) > has.nanos for name, has in allocatable.items())


def _sum(every: Iterable[Amounts]) -> Amounts:
    total: dict[str, int] = {}
    for amounts in every:
        for name, nanos in amounts.items():
            total[name] = total.get(name, 0) + nanos
    return total


def _grounds(cluster: JudgedCluster) -> Iterator[_Ground]:
    # What only stands in one repository, such as examples, need not run on the same nodes.
    every = cluster.admitted if cluster.cluster.environment else ()
    sets = defined_once(each for each in every if each.workload.object.kind == DAEMON_SET)
    certain = {id(each) for each in sets if each.admitted and not why_unknown(each)}
    daemons = [
        (Member(admitted, verdict), requests(verdict.effective.pod, verdict.features))
        for verdict, sharing in (cluster.verdicts if certain else ())
        for admitted in sharing
        if id(admitted) in certain and not names_nodes(verdict.effective.pod)
    ]
    for kubelet in cluster.kubelets:
        allocatable = kubelet.most_allocatable
        running = tuple(each for each in daemons if not kept_off(kubelet, *each[0]))
        taken = _sum(amounts for _, amounts in running)
        if exceeds(taken, allocatable):
            running, taken = (), {}  # not all of them run there
        yield _Ground(kubelet, allocatable, running, taken)


def _homeless(
    member: Member, asked: Amounts, grounds: Sequence[_Ground], crowded: Sequence[bool]
) -> Iterator[Homeless]:
    shortages: list[Shortage] = []
    elsewhere: list[tuple[str, str]] = []
    for ground, suspect in zip(grounds, crowded, strict=True):
        if why := kept_off(ground.kubelet, *member):
            elsewhere.append((ground.kubelet.node.name, why))
        elif suspect and (shortage := _shortage(member, asked, ground)):
            shortages.append(shortage)
        else:
            return
    if shortages:
        yield Homeless(member, tuple(shortages), tuple(elsewhere))


def _shortage(member: Member, asked: Amounts, ground: _Ground) -> Shortage | None:
    pod = member.verdict.effective.pod
    staying = [
        amounts
        for daemon, amounts in ground.daemons
        if daemon.admitted is not member.admitted
        and not may_preempt(pod, daemon.verdict.effective.pod)
    ]
    alone = ground.shortage(asked, {}, 0)
    return alone or ground.shortage(asked, _sum(staying), len(staying))


def _largest(pod: Pod, resource: str) -> Path:
    """The largest request of the resource among those that add up to the pod's."""
    if pod.resources is not None and resource in pod.resources.requests:
        return ("resources", "requests", resource)
    counting = summed_containers(pod, resource, attrgetter("requests"))
    paths = {
        path: container.resources.requests[resource].nanos
        for path, container in pod.containers_with_paths()
        if container in counting and resource in container.resources.requests
    }
    if not paths:
        return ("containers",)
    return (*max(paths, key=lambda path: paths[path]), "resources", "requests", resource)
