"""What a simulation takes for granted, as sentences that stand in every report of it."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.kernel.duration import format_duration
from qoslint.kernel.qos import QOSClass
from qoslint.kernel.scenario import KernelKill, KubeletPass
from qoslint.kernel.taints import (
    DAEMON_TOLERATIONS,
    MEMORY_PRESSURE,
    NO_SCHEDULE,
    Taint,
    untolerated,
)
from qoslint.model.placement import DAEMON_SET
from qoslint.model.population import Member
from qoslint.model.simulate import Simulation
from qoslint.model.wording import counted, some

_LISTED = 5


def assumptions(played: Simulation) -> Iterator[str]:
    """Each assumption that this result depends on."""
    yield _usage(played)
    yield from _unmeasured(played)
    yield from _bounded(played)
    yield from _shares(played)
    yield from _population(played)
    yield from _processes(played)
    if played.kubelet.node.approximate:
        yield (
            f"Nodes of the profile {played.kubelet.node.name} differ: this one has the least "
            "memory that such a node has."
        )
    yield from _ties(played)
    yield "Evicted pods use their memory until the grace that they get has passed."
    yield from _replaced(played)
    yield (
        "Only memory is played: disk, inodes and processes are taken to suffice. Active page cache "
        "counts as used, as the kubelet counts it."
    )


def _usage(played: Simulation) -> str:
    steady = "unless they are said to grow" if any(played.growing) else "the whole time"
    match played.scenario:
        case "requests":
            return f"Pods use their memory requests {steady}; those that request none, one byte."
        case "peak":
            return f"Pods use all memory that their limits or the node allow, {steady}."
        case "usage":
            return f"Pods use the most that was measured {steady}."
        case leak:
            leaking = leak.removeprefix("leak:")
            others = "the most that was measured" if played.measured else "their requests"
            return (
                f"{leaking} uses all memory that its limits or the node allow, from the start; the "
                f"other pods use {others} {steady}."
            )


def _unmeasured(played: Simulation) -> Iterator[str]:
    missing = [
        name
        for index, name in enumerate(played.names)
        if index not in played.measured and played.growing[index] is None
    ]
    if played.scenario not in ("peak", "requests") and played.measured and missing:
        yield f"Not measured, and taken to use what they request: {some(missing, len(missing))}."


def _bounded(played: Simulation) -> Iterator[str]:
    told = set()
    for growth, pod in zip(played.growing, played.pods, strict=True):
        if growth is None or growth in told:
            continue
        told.add(growth)
        target = sum(each.memory.target for each in pod.containers)
        if growth.container is not None:
            target = next(e.memory.target for e in pod.containers if e.name == growth.container)
        if target < growth.ramp.target:
            yield (
                f"{growth.workload} grows to the memory limit of its container and no further: "
                "there the kernel kills it in its own cgroup, whatever the node has left."
            )


def _shares(played: Simulation) -> Iterator[str]:
    pairs = zip(played.names, played.pods, strict=True)
    several = [name for name, pod in pairs if len(pod.containers) > 1]
    if several:
        yield (
            "What a pod uses is shared out among its containers as measured, else as they "
            f"request, within their limits: {some(several, len(several))}."
        )


def _population(played: Simulation) -> Iterator[str]:
    shared = played.population
    if not shared.known:
        unfit = "" if shared.fits else ", though the scheduler would not put all of them there"
        yield (
            "It is not known which pods share the node: one pod of each workload that may run on "
            f"it is taken to{unfit}."
        )
    for each in shared.left_out[:_LISTED]:
        yield f"{each.admitted.label} has no pod on the node: {each.why}."
    if len(shared.left_out) > _LISTED:
        more = counted(len(shared.left_out) - _LISTED, "more workload")
        yield f"The same is so of {more}."


def _processes(played: Simulation) -> Iterator[str]:
    if not played.daemons_stated:
        yield (
            "What runs outside of pods uses no memory, since neither the profile (`daemons`) nor "
            "--daemons says how much."
        )
    if any(isinstance(step, KernelKill) for step in played.steps):
        yield (
            "To the kernel each container is one process, and so is what runs outside of pods, "
            "with oom_score_adj 0; the kubelet and the container runtime have -999 themselves. "
            "Each is judged by all that it would use in that second."
        )


def _replaced(played: Simulation) -> Iterator[str]:
    """What is made in the place of evicted pods, which is not played.

    A node with MemoryPressure has a taint that new pods have to tolerate; those of DaemonSets do
    (`pkg/controller/daemon/util/daemonset_util.go AddOrUpdateDaemonPodTolerations`). The kubelet
    itself only refuses BestEffort pods that do not (`eviction_manager.go managerImpl.Admit`).
    """
    passes = (step for step in played.steps if isinstance(step, KubeletPass))
    gone = dict.fromkeys(victim.pod for step in passes for victim in step.evicted)
    back: list[str] = []
    away: list[str] = []
    for index in gone:
        member = played.population.members[index]
        if member.admitted.workload.object.kind != "Pod":
            comes_back = _may_return(member)
            (back if comes_back else away).append(played.names[index])
    if back:
        yield (
            f"What replaces {some(back, len(back))} is not played. In a cluster it can be back on "
            "this node within seconds, and use memory again: it tolerates the taint of "
            "MemoryPressure, as all pods of DaemonSets do, and then the kubelet admits it, even as "
            "BestEffort."
        )
    if away:
        burstable = any(
            played.population.members[index].verdict.qos is not QOSClass.BEST_EFFORT
            for index in gone
            if played.names[index] in away
        )
        lasts = format_duration(played.config.pressure_transition_period)
        yield (
            f"What replaces {some(away, len(away))} is not played. The scheduler keeps it off this "
            f"node while that has the taint of MemoryPressure, until {lasts} after a threshold was "
            f"met the last time.{_plugin(burstable)}"
        )


def _plugin(burstable: bool) -> str:
    """What else would let pods tolerate the taint, which is off by default.

    `plugin/pkg/admission/podtolerationrestriction/admission.go Admit`
    """
    if not burstable:
        return ""
    return (
        " Where the API server runs the admission plugin PodTolerationRestriction, which is off by "
        "default, pods that are not BestEffort tolerate that taint and may come back."
    )


def _may_return(member: Member) -> bool:
    pod, kind = member.verdict.effective.pod, member.admitted.workload.object.kind
    if pod.node_name and member.verdict.qos is not QOSClass.BEST_EFFORT:
        return True  # Nobody asks the scheduler, and the kubelet asks only BestEffort pods.
    given = DAEMON_TOLERATIONS if kind == DAEMON_SET else ()
    taint = Taint(MEMORY_PRESSURE, NO_SCHEDULE)
    return untolerated((*pod.tolerations, *given), [taint]) is None


def _ties(played: Simulation) -> Iterator[str]:
    for step in played.steps:
        if isinstance(step, KernelKill):
            first, *others = step.suspects or (None,)
            if first and others and others[0] and others[0].badness == first.badness:
                yield "Of several processes that are equally bad, the first by name is shown."
                return
        elif len(step.done.reclaims) > 1 or any(len(e.victims) > 1 for e in step.done.reclaims):
            yield (
                "Where several pods tie, or several thresholds are met, the kubelet takes any of "
                "them; the first by name is taken here, and what follows may differ."
            )
            return
