"""Who takes whose place on a node: preemption by the scheduler, and by the kubelet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from qoslint.kernel.pod import Pod, is_critical_pod

NEVER = "Never"


class Preemption(NamedTuple):
    """Which pods of a node may be deleted to make room for which; each pod by its index.

    Priority alone decides, so that a level may preempt each level below it.
    """

    levels: tuple[tuple[int, tuple[int, ...]], ...]
    """Each priority with the pods that have it, the highest first."""
    never: tuple[int, ...]
    """Those that preempt nobody, though others have a lower priority."""
    critical: tuple[int, ...]
    """Those for which the kubelet itself makes room."""


def preemption(pods: Sequence[Pod]) -> Preemption:
    """Who may preempt whom among the pods.

    The kubelet evicts for a critical pod that it can run only with less beside it, and then the
    class does count (`pkg/kubelet/preemption/preemption.go HandleAdmissionFailure`).
    """
    by_priority: dict[int, list[int]] = {}
    for index, pod in enumerate(pods):
        by_priority.setdefault(pod.priority or 0, []).append(index)
    levels = tuple((each, tuple(by_priority[each])) for each in sorted(by_priority, reverse=True))
    lowest = levels[-1][0] if levels else 0
    return Preemption(
        levels,
        never=tuple(
            index
            for index, pod in enumerate(pods)
            if pod.preemption_policy == NEVER and (pod.priority or 0) > lowest
        ),
        critical=tuple(index for index, pod in enumerate(pods) if is_critical_pod(pod)),
    )


def may_preempt(pod: Pod, other: Pod) -> bool:
    """Whether the scheduler may delete the other pod to make room for the pod.

    Only the priority counts, and whether the pod preempts at all; neither class nor usage does.
    `pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go SelectVictimsOnNode`,
    `PodEligibleToPreemptOthers`.
    """
    return pod.preemption_policy != NEVER and (other.priority or 0) < (pod.priority or 0)
