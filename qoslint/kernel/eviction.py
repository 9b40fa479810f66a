"""Who goes first when a node runs out of something: the kubelet's ranking.

Mirrors `pkg/kubelet/eviction/helpers.go`: rankMemoryPressure, rankDiskPressureFunc and
rankPIDPressure with their comparators (unchanged in v1.31 to v1.36; requests change in v1.34).

The comparators are written as sort keys. Pods with equal keys tie: the kubelet's sort is not
stable, so any of them may come first.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import groupby
from typing import NamedTuple, TypeAlias

from qoslint.kernel.features import Features
from qoslint.kernel.pod import EPHEMERAL_STORAGE, MEMORY, Pod, is_critical_pod
from qoslint.kernel.podstats import PodStats, usage
from qoslint.kernel.quantity import ZERO, Format, Quantity, new_quantity
from qoslint.kernel.scheduling import eviction_requests
from qoslint.kernel.signals import Filesystems, Signal, StarvedResource, starved_resource

Key: TypeAlias = tuple[int, int, int]
"""Compares as the kubelet compares: the smaller key is evicted first, equal keys tie."""

KeyFunction: TypeAlias = Callable[[int | None, int, int], Key]
"""From usage (None without stats), request in billionths, and priority to a key."""

NANOS = 10**9
"""Requests may have fractions of a byte, so they are compared in billionths."""

_NO_STATS, _EXCEEDS, _WITHIN = range(3)


def request_key(usage: int | None, request_nanos: int, priority: int) -> Key:
    """For memory and for bytes of disk: above the request first, then lower priority.

    Among equals the largest usage above the request goes first. A pod that uses exactly its
    request does not exceed it. A pod without stats goes before all others.
    (`exceedMemoryRequests`, `priority`, `memory`; `exceedDiskRequests`, `disk`.)
    """
    if usage is None:
        return _NO_STATS, priority, 0
    overage = usage * NANOS - request_nanos
    return _EXCEEDS if overage > 0 else _WITHIN, priority, -overage


def inodes_key(usage: int | None, request_nanos: int, priority: int) -> Key:
    """For inodes: nobody can request any, so whoever uses one exceeds.

    `disk` still subtracts the ephemeral-storage request, bytes from inodes, so that a pod with
    such a request goes after all others of its priority.
    """
    if usage is None:
        return _NO_STATS, priority, 0
    exceeds = _EXCEEDS if usage > 0 else _WITHIN
    return exceeds, priority, request_nanos - usage * NANOS


def process_key(usage: int | None, request_nanos: int, priority: int) -> Key:
    """For PIDs: lower priority first, then more processes (`priority`, `process`).

    A pod without stats goes first only within its priority; requests play no part.
    """
    if usage is None:
        return priority, _NO_STATS, 0
    return priority, _EXCEEDS, -usage


def key_function(signal: Signal) -> KeyFunction:
    """How pods are compared for a signal (`helpers.go buildSignalToRankFunc`)."""
    match starved_resource(signal):
        case StarvedResource.MEMORY | StarvedResource.EPHEMERAL_STORAGE:
            return request_key
        case StarvedResource.INODES:
            return inodes_key
        case StarvedResource.PIDS:
            return process_key


def compared_request(pod: Pod, signal: Signal, features: Features) -> Quantity:
    """What usage is subtracted from for a signal: memory, or ephemeral storage; zero for PIDs.

    The features are the kubelet's. For inodes it is a number of bytes, see `inodes_key`.
    """
    match starved_resource(signal):
        case StarvedResource.MEMORY:
            return eviction_requests(pod, features)[MEMORY]
        case StarvedResource.PIDS:
            return ZERO
        case _:
            return eviction_requests(pod, features)[EPHEMERAL_STORAGE]


def exceeds_request(signal: Signal, usage: int | None, request_nanos: int) -> bool:
    """Whether the first key puts the pod ahead; false without stats, and always for PIDs."""
    if usage is None or signal is Signal.PID:
        return False
    return key_function(signal)(usage, request_nanos, 0)[0] == _EXCEEDS


class Candidate(NamedTuple):
    """A pod as it is ranked for one signal. `critical` pods are ranked, then refused."""

    usage: int | None
    """Bytes, inodes or processes; None if the kubelet found no stats."""
    request: Quantity
    priority: int
    critical: bool


def candidate(
    pod: Pod, stats: PodStats | None, signal: Signal, filesystems: Filesystems, features: Features
) -> Candidate:
    """What the ranking for a signal looks at in a pod; no priority counts as 0."""
    return Candidate(
        None if stats is None else usage(pod, stats, signal, filesystems),
        compared_request(pod, signal, features),
        pod.priority or 0,
        is_critical_pod(pod),
    )


def rank(candidates: Sequence[Candidate], signal: Signal) -> tuple[tuple[int, ...], ...]:
    """Indexes of the candidates, first to go first, in groups that tie."""
    key = key_function(signal)
    return tie_groups([key(each.usage, each.request.nanos, each.priority) for each in candidates])


def tie_groups(keys: Sequence[Key]) -> tuple[tuple[int, ...], ...]:
    """Indexes of the keys, smallest first, those with equal keys together."""
    order = sorted(range(len(keys)), key=keys.__getitem__)
    return tuple(tuple(group) for _, group in groupby(order, key=keys.__getitem__))


def victims(groups: Sequence[Sequence[int]], critical: Collection[int]) -> tuple[int, ...]:
    """The pods of which the kubelet evicts one: the first in the ranking that are not critical.

    Several only if they tie, none if all are critical (`eviction_manager.go evictPod`).
    """
    for group in groups:
        if evictable := tuple(index for index in group if index not in critical):
            return evictable
    return ()


def usage_quantity(signal: Signal, usage: int) -> Quantity:
    """Usage as the kubelet prints it: bytes with binary suffixes, counts with decimal ones."""
    counted = starved_resource(signal) in (StarvedResource.INODES, StarvedResource.PIDS)
    return new_quantity(usage, Format.DECIMAL_SI if counted else Format.BINARY_SI)
