"""Whether pods are evicted after those that they shall outlive, whatever all of them use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from typing import NamedTuple

from qoslint.finding import OBJECT
from qoslint.kernel.eviction import Key
from qoslint.kernel.signals import Filesystems, Signal
from qoslint.model.contenders import Contender
from qoslint.model.expect.answer import Answer, Broken, Doubt, Judgement, Kept
from qoslint.model.expect.guests import (
    NO_NODES,
    Ground,
    guests,
    judgements,
    never_evicted,
)
from qoslint.model.expect.intent import Outlives
from qoslint.model.expect.pairs import (
    Example,
    amount,
    deciding,
    example,
    key_at,
    may_precede,
    ties,
)
from qoslint.model.expect.trial import Trial, told, trial
from qoslint.model.judged import JudgedCluster
from qoslint.model.kubelet import Kubelet
from qoslint.model.population import Member
from qoslint.model.wording import counted, some

_SIGNALS: Mapping[str, tuple[Signal, ...]] = {
    "memory": (Signal.MEMORY,),
    "disk": (Signal.NODEFS, Signal.IMAGEFS, Signal.CONTAINERFS),
    "inodes": (Signal.NODEFS_INODES, Signal.IMAGEFS_INODES, Signal.CONTAINERFS_INODES),
    "pid": (Signal.PID,),
}
"""What watches each of the resources that settings name."""

_OWN = {
    Filesystems.NODEFS: 1,
    Filesystems.IMAGEFS: 2,
    Filesystems.SPLIT: 3,
}
"""How many of the three signals of a filesystem watch one of their own, by layout."""


_TRIED = 8
"""Of how many rivals the whole node is tried, where its pods are known: rather brief than slow."""


class Rival(NamedTuple):
    """A pod that shall go first."""

    member: Member
    contender: Contender


class Shown(NamedTuple):
    """That a pod may be evicted before a rival."""

    ground: Ground
    own: Contender
    rival: Rival
    example: Example
    known_to_share: bool
    """Whether both are known to be on one node, and not only may be."""
    trial: Trial | None
    """Usages of all pods of such a node with which it is evicted first, where those are known."""


def outlives(cluster: JudgedCluster) -> Iterator[Judgement]:
    """The judgement on each wish of that kind, in the order of workloads."""
    field = guests(cluster)

    @cache
    def rivals(wish: Outlives, index: int, signal: Signal) -> list[tuple[Key, Rival]]:
        """Those on the profile, first those that go last when they use their least."""
        ground, here = field.ground(index, signal), field.on(index)
        found = []
        for member in field.selected(wish.pods).members:
            if id(member.admitted) in here:
                own = ground.contender(member.verdict.effective.pod)
                found.append((key_at(own, own.usage.lo, signal), Rival(member, own)))
        return sorted(found, key=lambda each: (each[1].contender.critical, each[0]), reverse=True)

    def shown(member: Member, wish: Outlives, index: int, signal: Signal) -> Shown | None:
        """What shows it best: usages of the whole node, where its pods are known, else of two."""
        every = islice(pairs(member, wish, index, signal), _TRIED)
        first = next(every, None)
        if first is None or first.trial:
            return first
        return next((each for each in every if each.trial), first)

    def pairs(member: Member, wish: Outlives, index: int, signal: Signal) -> Iterator[Shown]:
        ground, shared = field.ground(index, signal), field.shared(index)
        own = ground.contender(member.verdict.effective.pod)
        for _, rival in rivals(wish, index, signal):
            if rival.member is member:
                continue
            if not may_precede(own, rival.contender, signal):
                return
            if not field.may_share(index, member, rival.member):
                continue
            found = example(own, rival.contender, signal, ground.pressure.limits)
            if found:
                tried = trial(ground, shared, member, rival.member)
                yield Shown(ground, own, rival, found, shared.known, tried)

    def answer(member: Member, wish: Outlives) -> Answer:
        others, unknown = field.selected(wish.pods)
        if not others and not unknown:
            return Doubt("what it shall outlive selects no pod of this cluster")
        if critical := never_evicted(member):
            return Kept(critical)
        if not cluster.kubelets:
            return Doubt(NO_NODES)
        here = [i for i in range(len(cluster.kubelets)) if id(member.admitted) in field.on(i)]
        grounds = [
            (index, signal)
            for index in here
            for signal in _signals(wish, cluster.kubelets[index])
            if field.ground(index, signal).pressure.thresholds
        ]
        unmeasured = []
        for index, signal in grounds:
            if field.ground(index, signal).pressure.capacity is None:
                unmeasured.append(f"{signal} of node {cluster.kubelets[index].node.name}")
            elif found := shown(member, wish, index, signal):
                return Broken(_sentence(found))
        if unknown:
            return Doubt(f"what some of them are is not known ({some(unknown, len(unknown))})")
        if unmeasured:
            return Doubt(f"capacity is not known for {some(unmeasured, len(unmeasured))}")
        return Kept(_argument(len(others), [cluster.kubelets[index] for index, _ in grounds]))

    yield from judgements(cluster, field, Outlives, answer)


def _signals(wish: Outlives, kubelet: Kubelet) -> Iterator[Signal]:
    """The signals that watch something of their own: of one filesystem, the first tells all."""
    for resource in wish.resources:
        watching = _SIGNALS[resource]
        yield from watching[: _OWN[kubelet.node.filesystems]]


def _sentence(shown: Shown) -> str:
    ground, own, (member, other), found, known_to_share, tried = shown
    signal = ground.signal
    if tried:
        used = tried.example
        return (
            f"On node {ground.kubelet.node.name}, {OBJECT} at {_usage(own, used.first, signal)} is "
            f"evicted before {member.admitted.label} at {_usage(other, used.second, signal)}, "
            f"though it shall outlive it: {deciding(own, other, used, signal)}. "
            f"{' '.join(told(tried))}"
        )
    # Not "is evicted": whoever stays within its request may never be.
    goes = "may go" if ties(own, other, found, signal) else "goes"
    shared = "" if known_to_share else "if the scheduler puts both on one such node, "
    return (
        f"On node {ground.kubelet.node.name}, {shared}{OBJECT} at "
        f"{_usage(own, found.first, signal)} {goes} before {member.admitted.label} at "
        f"{_usage(other, found.second, signal)}, though it shall outlive it: "
        f"{deciding(own, other, found, signal)}. That is the order of these two; {_rest(found)}"
    )


def _rest(found: Example) -> str:
    """What the order of two pods does not say."""
    if not found.others:
        return "what else runs there and ranks before both goes first."
    return (
        "a threshold is met once all else on the node uses enough, and what of that ranks before "
        "both goes first."
    )


def _usage(contender: Contender, usage: int, signal: Signal) -> str:
    if signal is Signal.PID:
        return f"{amount(usage, signal)} (priority {contender.priority})"
    return (
        f"{amount(usage, signal)} (request {contender.request.canonical()}, "
        f"priority {contender.priority})"
    )


def _argument(others: int, kubelets: list[Kubelet]) -> str:
    names = list(dict.fromkeys(each.node.name for each in kubelets))
    if not names:
        return "no node that takes it has a threshold for that"
    return (
        f"on {some(names, len(names))} it goes after each of {counted(others, 'workload')} that it "
        "shall outlive, even if it uses the most and they the least that a node with both can show"
    )
