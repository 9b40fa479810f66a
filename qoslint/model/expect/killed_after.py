"""Whether the kernel kills pods after those that shall go first, by their oom_score_adj.

The kernel adds up what a process uses and its oom_score_adj in thousandths of the memory
(`mm/oom_kill.c oom_badness`). So of processes that use the same the higher score goes first, and
only that is the manifests' to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from qoslint.finding import OBJECT
from qoslint.kernel.oom import get_container_oom_score_adjust
from qoslint.kernel.pod import ContainerType
from qoslint.model.expect.answer import Answer, Broken, Doubt, Judgement, Kept
from qoslint.model.expect.guests import NO_NODES, guests, judgements
from qoslint.model.expect.intent import KilledAfter
from qoslint.model.judged import JudgedCluster
from qoslint.model.kubelet import Kubelet
from qoslint.model.population import Member
from qoslint.model.wording import counted, some


class Scored(NamedTuple):
    """A container and its oom_score_adj."""

    score: int
    container: str


class Span(NamedTuple):
    """Of the containers of a pod that run beside each other, those that score least and most."""

    lowest: Scored
    highest: Scored


class Rival(NamedTuple):
    """A pod that shall be killed first."""

    span: Span
    member: Member


class Meeting(NamedTuple):
    """A pod and one that shall be killed first, on a node that may run both."""

    node: str
    own: Span
    rival: Rival

    @property
    def contradicts(self) -> bool:
        """Whether the first to be killed is surely of the pod itself."""
        return self.own.highest.score > self.rival.span.highest.score


def killed_after(cluster: JudgedCluster) -> Iterator[Judgement]:
    """The judgement on each wish of that kind, in the order of workloads."""
    field = guests(cluster)

    @cache
    def rivals(wish: KilledAfter, index: int, memory: int) -> list[Rival]:
        """Those on the profile, the one with the lowest score first."""
        here, found = field.on(index), []
        for member in field.selected(wish.pods).members:
            span = _span(member, cluster.kubelets[index], memory)
            if span and id(member.admitted) in here:
                found.append(Rival(span, member))
        return sorted(found, key=lambda rival: rival.span)

    def meetings(member: Member, wish: KilledAfter, index: int) -> Iterator[Meeting]:
        """With those on a profile that are not surely killed first."""
        kubelet = cluster.kubelets[index]
        # Nodes of an approximate profile have its memory at least, and at most so much.
        for memory in dict.fromkeys((kubelet.node.memory_bytes, kubelet.node.most_memory_bytes)):
            own = _span(member, kubelet, memory)
            if own is None:
                return
            for rival in rivals(wish, index, memory):
                if rival.span.lowest.score > own.highest.score:
                    break
                if rival.member is not member and field.may_share(index, member, rival.member):
                    yield Meeting(kubelet.node.name, own, rival)

    def answer(member: Member, wish: KilledAfter) -> Answer:
        others, unknown = field.selected(wish.pods)
        if not others and not unknown:
            return Doubt("what shall be killed before it selects no pod of this cluster")
        if not cluster.kubelets:
            return Doubt(NO_NODES)
        undecided = None
        pod, names = member.verdict.effective.pod, []
        for index, kubelet in enumerate(cluster.kubelets):
            if id(member.admitted) not in field.on(index) or not kubelet.has_cgroups(pod):
                continue
            names.append(kubelet.node.name)
            for meeting in meetings(member, wish, index):
                if meeting.contradicts:
                    return Broken(_sentence(meeting))
                undecided = undecided or meeting
        if undecided:
            return Doubt(_open(undecided))
        if unknown:
            return Doubt(f"what some of them are is not known ({some(unknown, len(unknown))})")
        return Kept(_argument(len(others), names))

    yield from judgements(cluster, field, KilledAfter, answer)


def _span(member: Member, kubelet: Kubelet, memory: int) -> Span | None:
    """The scores on a node with so many bytes of memory; None where containers have none."""
    verdict = member.verdict
    pod = verdict.effective.pod
    if not kubelet.has_cgroups(pod):
        return None
    scored = [
        Scored(
            get_container_oom_score_adjust(pod, each, verdict.qos, memory, kubelet.features),
            each.name,
        )
        for _, each in pod.containers_with_paths()
        if each.type is not ContainerType.INIT
    ]
    return Span(min(scored), max(scored)) if scored else None


def _sentence(meeting: Meeting) -> str:
    own, (span, member) = meeting.own.highest, meeting.rival
    other = member.admitted.label
    return (
        f"On node {meeting.node}, container {own.container!r} of {OBJECT} has oom_score_adj "
        f"{own.score}, and no container of {other} more than {span.highest.score} "
        f"({span.highest.container!r}): when the node is out of memory, the kernel kills {OBJECT} "
        f"before {other}, which shall go first, unless that uses "
        f"{own.score - span.highest.score} thousandths of the node's memory and swap more."
    )


def _open(meeting: Meeting) -> str:
    own, (span, member) = meeting.own.highest, meeting.rival
    other = member.admitted.label
    theirs = f"{span.lowest.score} ({span.lowest.container!r})"
    if span.highest.score > span.lowest.score:
        theirs += f" to {span.highest.score} ({span.highest.container!r})"
    return (
        f"on node {meeting.node} its container {own.container!r} has oom_score_adj {own.score}, "
        f"and {other} has {theirs}, so that what each of them uses decides"
    )


def _argument(others: int, nodes: list[str]) -> str:
    if not nodes:
        return "no Linux node takes it"
    return (
        f"on {some(nodes, len(nodes))} each of its containers has a lower oom_score_adj than each "
        f"of {counted(others, 'workload')} that may run beside it and shall go first"
    )
