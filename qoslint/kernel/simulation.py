"""One pass of the kubelet's eviction loop, as a step from a state and observations to the next.

Mirrors `pkg/kubelet/eviction/eviction_manager.go synchronize` and the functions it calls in
`pkg/kubelet/eviction/helpers.go` (v1.31 to v1.36; the grace of soft evictions changes in v1.32).
Times are nanoseconds, as Go counts them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from qoslint.kernel.eviction import candidate, rank, victims
from qoslint.kernel.features import Features
from qoslint.kernel.localstorage import local_storage_eviction
from qoslint.kernel.pod import Pod
from qoslint.kernel.podstats import PodStats
from qoslint.kernel.quantity import Quantity
from qoslint.kernel.signals import (
    MEMORY_SIGNALS,
    Filesystems,
    NodeCondition,
    Signal,
    node_condition,
)
from qoslint.kernel.thresholds import Threshold, threshold_quantity

IMMEDIATE_EVICTION_GRACE_PERIOD_SECONDS = 1
"""What a pod gets when a hard threshold or a limit of local storage is exceeded."""

_NANOS = 10**9


class Observation(NamedTuple):
    """What is left of a resource, in bytes or counts, and when it was measured, if known."""

    available: int
    capacity: int
    time: int | None = None


Observations: TypeAlias = Mapping[Signal, Observation]
_NO_OBSERVATIONS: Observations = MappingProxyType({})


class Garbage(StrEnum):
    """What the kubelet deletes on a full disk before it evicts pods."""

    DEAD_CONTAINERS = "dead containers"
    UNUSED_IMAGES = "unused images"


class EvictionConfig(NamedTuple):
    """How a kubelet evicts (`pkg/kubelet/eviction/types.go Config`), and its filesystems.

    The thresholds include those that the kubelet adds for containerfs.
    """

    thresholds: tuple[Threshold, ...]
    features: Features
    filesystems: Filesystems = Filesystems.NODEFS
    max_pod_grace_period_seconds: int = 0
    pressure_transition_period: int = 5 * 60 * _NANOS
    local_storage_capacity_isolation: bool = True


class ActivePod(NamedTuple):
    """A running pod and its stats, None if the kubelet has none."""

    pod: Pod
    stats: PodStats | None


class State(NamedTuple):
    """What the kubelet remembers from one pass to the next."""

    met: tuple[Threshold, ...] = ()
    """Thresholds met in the last pass whose grace had elapsed."""
    first_observed: Mapping[Threshold, int] = MappingProxyType({})
    condition_last_observed: Mapping[NodeCondition, int] = MappingProxyType({})
    observations: Observations = _NO_OBSERVATIONS


class Victim(NamedTuple):
    """A pod by its index, and the seconds it is given to end; below 1 they count as 1."""

    pod: int
    grace_period_override: int


class LocalStorageEviction(NamedTuple):
    """A pod, by its index, that exceeds a limit of its own, and what its status says."""

    victim: Victim
    message: str


class Reclaim(NamedTuple):
    """What a pass does about one threshold.

    `victims` holds the pods of which exactly one is evicted: several only if they tie. It is empty
    if deleting `garbage` was enough, and if every pod is critical. `refused` are the critical pods
    ranked before the victims, or tied with them.
    """

    threshold: Threshold
    garbage: tuple[Garbage, ...]
    ranking: tuple[tuple[int, ...], ...]
    refused: tuple[int, ...]
    victims: tuple[Victim, ...]


class Pass(NamedTuple):
    """What one pass saw and did.

    `reclaims` holds the thresholds of which exactly one is dealt with, memory first: several only
    where the kubelet's choice is open (the order of a Go map, sorted by an unstable sort).
    """

    conditions: tuple[NodeCondition, ...]
    local_storage: tuple[LocalStorageEviction, ...]
    reclaims: tuple[Reclaim, ...]
    state: State


def synchronize(
    config: EvictionConfig,
    state: State,
    now: int,
    pods: Sequence[ActivePod],
    observations: Observations,
    observations_without: Callable[[tuple[Garbage, ...]], Observations],
) -> Pass:
    """One pass at the time `now`.

    `observations_without` says what would be observed once garbage is deleted; it is asked only
    for signals of disks. Pods in the result are indexes of `pods`.
    """
    if not config.thresholds and not config.local_storage_capacity_isolation:
        return Pass((), (), (), state)
    met = thresholds_met(config.thresholds, observations)
    unresolved = thresholds_unresolved(state.met, observations)
    observed = {each: state.first_observed.get(each, now) for each in _merged(met, unresolved)}
    last = dict(state.condition_last_observed) | {node_condition(e.signal): now for e in observed}
    period = config.pressure_transition_period
    conditions = tuple(sorted(each for each, at in last.items() if now - at < period))
    due = tuple(each for each, at in observed.items() if now - at >= each.grace_period)
    after = State(due, MappingProxyType(observed), MappingProxyType(last), observations)

    local = tuple(_local_storage_evictions(config, pods))
    if local:
        return Pass(conditions, local, (), after)
    updated = [each for each in due if _is_updated(each, observations, state.observations)]
    reclaims = tuple(
        _reclaim(config, threshold, pods, observations_without) for threshold in _first(updated)
    )
    return Pass(conditions, (), reclaims, after)


def thresholds_met(
    thresholds: Iterable[Threshold], observations: Observations
) -> tuple[Threshold, ...]:
    """Those with less available than they ask; none for a signal that was not observed."""
    return tuple(
        each
        for each in thresholds
        if (seen := observations.get(each.signal)) is not None
        and threshold_quantity(each.value, seen.capacity).nanos > seen.available * _NANOS
    )


def thresholds_unresolved(
    thresholds: Iterable[Threshold], observations: Observations
) -> tuple[Threshold, ...]:
    """Those with less available than they ask and what must be reclaimed once they are met.

    `thresholdsMet` with enforceMinReclaim.
    """
    return tuple(
        each
        for each in thresholds
        if (seen := observations.get(each.signal)) is not None
        and _wanted(each, seen.capacity).nanos > seen.available * _NANOS
    )


def _wanted(threshold: Threshold, capacity: int) -> Quantity:
    value = threshold_quantity(threshold.value, capacity)
    if threshold.min_reclaim is None:
        return value
    return value + threshold_quantity(threshold.min_reclaim, capacity)


def reclaimable_garbage(signal: Signal, filesystems: Filesystems) -> tuple[Garbage, ...]:
    """What is deleted before pods are ranked for a signal (`buildSignalToNodeReclaimFuncs`)."""
    if signal in MEMORY_SIGNALS or signal is Signal.PID:
        return ()
    on_images = signal in (Signal.IMAGEFS, Signal.IMAGEFS_INODES)
    on_nodefs = signal in (Signal.NODEFS, Signal.NODEFS_INODES)
    if filesystems is Filesystems.SPLIT:
        return (Garbage.UNUSED_IMAGES,) if on_images else (Garbage.DEAD_CONTAINERS,)
    if filesystems is Filesystems.IMAGEFS and on_nodefs:
        return ()
    return Garbage.DEAD_CONTAINERS, Garbage.UNUSED_IMAGES


def grace_period_override(config: EvictionConfig, threshold: Threshold, pod: Pod) -> int:
    """The seconds handed to the pod worker, which raises what is below 1 to 1.

    Until v1.31 a soft eviction may give a pod more than its own terminationGracePeriodSeconds.
    """
    if threshold.grace_period == 0:
        return IMMEDIATE_EVICTION_GRACE_PERIOD_SECONDS
    most, own = config.max_pod_grace_period_seconds, pod.termination_grace_period_seconds
    return most if own is None or not config.features.since(32) else min(most, own)


def _merged(met: Iterable[Threshold], unresolved: Iterable[Threshold]) -> Iterator[Threshold]:
    """`mergeThresholds`; what is alike but for its minimum reclaim counts once."""
    seen = set()
    for threshold in (*met, *unresolved):
        quantity = threshold.value.quantity
        value = threshold.value.percentage if quantity is None else quantity.nanos
        identity = (threshold.signal, threshold.grace_period, quantity is None, value)
        if identity not in seen:
            seen.add(identity)
            yield threshold


def _is_updated(threshold: Threshold, observations: Observations, last: Observations) -> bool:
    """`thresholdsUpdatedStats`: whether the signal was measured since the last pass."""
    seen, before = observations.get(threshold.signal), last.get(threshold.signal)
    if seen is None:
        return False
    if before is None or before.time is None or seen.time is None:
        return True
    return seen.time > before.time


def _first(thresholds: Sequence[Threshold]) -> Sequence[Threshold]:
    """Those that may come first in `byEvictionPriority`: memory if there is any, else all."""
    memory = [each for each in thresholds if each.signal in MEMORY_SIGNALS]
    return memory or thresholds


def _local_storage_evictions(
    config: EvictionConfig, pods: Sequence[ActivePod]
) -> Iterator[LocalStorageEviction]:
    if not config.local_storage_capacity_isolation:
        return
    for index, (pod, stats) in enumerate(pods):
        message = local_storage_eviction(pod, stats, config.filesystems, config.features)
        if message is not None:
            victim = Victim(index, IMMEDIATE_EVICTION_GRACE_PERIOD_SECONDS)
            yield LocalStorageEviction(victim, message)


def _reclaim(
    config: EvictionConfig,
    threshold: Threshold,
    pods: Sequence[ActivePod],
    observations_without: Callable[[tuple[Garbage, ...]], Observations],
) -> Reclaim:
    garbage = reclaimable_garbage(threshold.signal, config.filesystems)
    if garbage and not thresholds_unresolved(config.thresholds, observations_without(garbage)):
        return Reclaim(threshold, garbage, (), (), ())
    candidates = [
        candidate(pod, stats, threshold.signal, config.filesystems, config.features)
        for pod, stats in pods
    ]
    ranking = rank(candidates, threshold.signal)
    critical = {index for index, each in enumerate(candidates) if each.critical}
    going = victims(ranking, critical)
    return Reclaim(
        threshold,
        garbage,
        ranking,
        tuple(_refused(ranking, going, critical)),
        tuple(Victim(i, grace_period_override(config, threshold, pods[i].pod)) for i in going),
    )


def _refused(
    ranking: Sequence[Sequence[int]], going: Sequence[int], critical: set[int]
) -> Iterator[int]:
    for group in ranking:
        yield from (index for index in group if index in critical)
        if any(index in going for index in group):
            return
