"""A node under growing usage, played pass by pass: what the kubelet does, and when it is too late.

The kubelet looks every 10 s (`pkg/kubelet/kubelet.go evictionMonitoringPeriod`). Between two looks
the kernel acts by itself when more memory is used than there is. How a killed container goes on
after its restart is not known, so a play ends there.

Evicted pods keep what they use until their grace has passed, the last second of it included, and
delay the next pass until they are gone. What a controller makes in their place is not played. The
real kubelet looks again as soon as a victim is cleaned up (`eviction_manager.go
waitForPodsCleanup`, which waits 30 s at the most): most often sooner than here, and later where
unmounting volumes or removing cgroups takes longer than 10 s.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import accumulate
from typing import NamedTuple

from qoslint.kernel.oomkill import Task, by_badness
from qoslint.kernel.podstats import PodStats
from qoslint.kernel.ramps import Moment, Node, RunningPod, memory_load, moves, observe, pod_stats
from qoslint.kernel.signals import MEMORY_SIGNALS, Signal
from qoslint.kernel.simulation import (
    IMMEDIATE_EVICTION_GRACE_PERIOD_SECONDS,
    ActivePod,
    EvictionConfig,
    Garbage,
    Observation,
    Pass,
    Reclaim,
    State,
    Victim,
    synchronize,
)
from qoslint.kernel.thresholds import Threshold

MONITORING_PERIOD_SECONDS = 10

_NANOS = 10**9


class MemoryLimit(StrEnum):
    """What is full when the kernel kills: the node, or the cgroup of all pods."""

    NODE = "node"
    KUBEPODS = "kubepods"


class KubeletPass(NamedTuple):
    """What the kubelet saw and did in a second.

    Where several thresholds or victims were possible, `evicted` holds the first, and the play goes
    on with it.
    """

    second: int
    observations: Mapping[Signal, Observation]
    done: Pass
    evicted: tuple[Victim, ...]


class Suspect(NamedTuple):
    """A process as the kernel judges it: a container of a pod, or a daemon, whose `pod` is None."""

    pod: int | None
    name: str
    badness: int
    memory: int
    """Bytes, all of which are free once it is killed."""


class _Process(NamedTuple):
    pod: int | None
    name: str
    task: Task


class KernelKill(NamedTuple):
    """The kernel acts before the kubelet looks: `used` bytes are more than `limit`.

    It kills the first of the suspects, or one that is as bad, and the next for as long as the rest
    does not fit (`mm/oom_kill.c out_of_memory`, called again for each allocation that fails).
    """

    second: int
    full: MemoryLimit
    used: int
    limit: int
    suspects: tuple[Suspect, ...]

    @property
    def killed(self) -> tuple[Suspect, ...]:
        """Those that are killed until the rest fits, in this order; all if it never does."""
        before = accumulate((each.memory for each in self.suspects), initial=0)
        missing = self.used - self.limit
        return tuple(
            each for each, freed in zip(self.suspects, before, strict=False) if freed < missing
        )

    @property
    def left(self) -> int:
        """Bytes that are free after that; 0 if the rest does not fit."""
        freed = sum(each.memory for each in self.killed)
        return max(0, self.limit - self.used + freed)


def worst_wait(threshold: Threshold) -> int:
    """The most seconds from when less than a threshold is left until the kubelet evicts for it.

    It sleeps 10 s between two looks (`eviction_manager.go Start`), so that it first sees a
    threshold up to 10 s late; one with a grace is due at the first look when that has passed. What
    a look itself takes comes on top.
    """
    looks = 1 + -(-threshold.grace_period // (MONITORING_PERIOD_SECONDS * _NANOS))
    return MONITORING_PERIOD_SECONDS * looks


def longest_grace(config: EvictionConfig) -> int:
    """The most seconds that a pod which is evicted for memory keeps its memory."""
    thresholds = [each for each in config.thresholds if each.signal in MEMORY_SIGNALS]
    if all(each.hard for each in thresholds):
        return IMMEDIATE_EVICTION_GRACE_PERIOD_SECONDS
    return max(IMMEDIATE_EVICTION_GRACE_PERIOD_SECONDS, config.max_pod_grace_period_seconds)


def in_time(threshold: Threshold, capacity: int, grace: int) -> int:
    """Growth in bytes per second up to which an eviction comes in time, wherever the looks fall.

    While nothing less than the threshold is left the kubelet does nothing. With this much growth
    and no more, what is left then lasts until it evicts for the threshold and the pod, that has so
    many seconds of grace at the most, is gone; with more it depends on the moments at which it
    looks, and the kernel may act before.
    """
    left = -(-threshold.resolved(capacity).nanos // _NANOS)
    return max(0, left) // (worst_wait(threshold) + grace)


def play(
    node: Node, pods: Sequence[RunningPod], config: EvictionConfig, seconds: int
) -> Iterator[KubeletPass | KernelKill]:
    """The passes from second 0 until `seconds`, or until the kernel acts.

    Pods are told by their index. If node and cgroup are full in the same second there are two
    kills, in an order that is open.
    """
    state, next_look = State(), 0
    ends: dict[int, int] = {}
    deleted: frozenset[Garbage] = frozenset()
    running = dict(enumerate(pods))
    load = memory_load(running)
    still = {index: pod_stats(pod, 0) for index, pod in running.items() if not moves(pod)}
    for second in range(seconds + 1):
        moment = Moment(node, config.filesystems, running, load, deleted, second)
        # Before those whose grace ends now are gone: until then they use what they do.
        if kills := tuple(_kernel_kills(moment)):
            yield from kills
            return
        if second in ends.values():
            running = {i: pod for i, pod in running.items() if i not in ends or second < ends[i]}
            load = memory_load(running)
            moment = moment._replace(running=running, load=load)
        if second < next_look:
            continue
        step = _kubelet_pass(moment, config, state, still)
        yield step
        state = step.done.state
        deleted |= {each for reclaim in step.done.reclaims[:1] for each in reclaim.garbage}
        graces = {each.pod: max(1, each.grace_period_override) for each in step.evicted}
        ends |= {pod: second + grace for pod, grace in graces.items()}
        next_look = second + max((MONITORING_PERIOD_SECONDS, *graces.values()))


def _kubelet_pass(
    moment: Moment, config: EvictionConfig, state: State, still: Mapping[int, PodStats]
) -> KubeletPass:
    second, running = moment.second, moment.running
    active = [
        ActivePod(each.pod, still[index] if index in still else pod_stats(each, second))
        for index, each in running.items()
    ]

    def without(garbage: tuple[Garbage, ...]) -> Mapping[Signal, Observation]:
        return observe(moment._replace(deleted=moment.deleted | set(garbage)))

    observations = observe(moment)
    done = synchronize(config, state, second * _NANOS, active, observations, without)
    done = _renumbered(done, tuple(running))
    evicted = [each.victim for each in done.local_storage]
    evicted += [victim for reclaim in done.reclaims[:1] for victim in reclaim.victims[:1]]
    return KubeletPass(second, observations, done, tuple(evicted))


def _renumbered(done: Pass, indexes: tuple[int, ...]) -> Pass:
    """The pass with the indexes that the pods have in the play, where some are gone."""

    def victim(of: Victim) -> Victim:
        return of._replace(pod=indexes[of.pod])

    def reclaim(of: Reclaim) -> Reclaim:
        return of._replace(
            ranking=tuple(tuple(indexes[i] for i in group) for group in of.ranking),
            refused=tuple(indexes[i] for i in of.refused),
            victims=tuple(map(victim, of.victims)),
        )

    return done._replace(
        local_storage=tuple(e._replace(victim=victim(e.victim)) for e in done.local_storage),
        reclaims=tuple(map(reclaim, done.reclaims)),
    )


def _kernel_kills(moment: Moment) -> Iterator[KernelKill]:
    second, pods, limit = moment.second, moment.pods_memory(), moment.node.kubepods_limit
    used, capacity = pods + moment.daemons_memory(), moment.node.memory
    if used > capacity:
        suspects = _suspects((*_in_pods(moment), *_outside_pods(moment)), capacity)
        yield KernelKill(second, MemoryLimit.NODE, used, capacity, suspects)
    if limit is not None and pods > limit:
        suspects = _suspects(tuple(_in_pods(moment)), limit)
        yield KernelKill(second, MemoryLimit.KUBEPODS, pods, limit, suspects)


def _suspects(processes: Sequence[_Process], limit: int) -> tuple[Suspect, ...]:
    judged = by_badness([each.task for each in processes], limit)
    return tuple(
        Suspect(processes[index].pod, processes[index].name, badness, processes[index].task.memory)
        for index, badness in judged
    )


def _in_pods(moment: Moment) -> Iterator[_Process]:
    for index, pod in moment.running.items():
        for each in pod.containers:
            yield _Process(
                index, each.name, Task(each.oom_score_adj, each.memory.at(moment.second))
            )


def _outside_pods(moment: Moment) -> Iterator[_Process]:
    for each in moment.node.daemons:
        yield _Process(None, each.name, Task(each.oom_score_adj, each.memory.at(moment.second)))
