"""Verdicts: the class of an effective pod, and what each node's kubelet makes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from qoslint.finding import Related
from qoslint.kernel.admission import admit, class_as_authored
from qoslint.kernel.features import Features
from qoslint.kernel.guaranteed import Obstacle, obstacles
from qoslint.kernel.oom import GUARANTEED_OOM_SCORE_ADJ, get_container_oom_score_adjust
from qoslint.kernel.outcome import Change, Stage
from qoslint.kernel.pod import (
    CPU,
    MEMORY,
    Container,
    ContainerType,
    Path,
    is_critical_pod,
    is_node_critical_pod,
)
from qoslint.kernel.qos import QOSClass, compute_pod_qos, honours_pod_level
from qoslint.kernel.scheduling import eviction_requests
from qoslint.model.effective import Effective
from qoslint.model.kubelet import Kubelet
from qoslint.model.step import Step
from qoslint.model.wording import fillers


class RunningScore(NamedTuple):
    """The oom_score_adj of one container that runs as long as its pod does, on one node."""

    kubelet: Kubelet
    path: Path
    container: Container
    score: int


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """What becomes of an effective pod that is admitted, or may be.

    `qos` is its class; `scores` holds for each Linux node the oom_score_adj
    of each container, in the order of `Pod.containers_with_paths`.
    """

    effective: Effective
    qos: QOSClass
    kubelets: tuple[Kubelet, ...]
    scores: tuple[tuple[int, ...], ...]
    obstacles: tuple[Obstacle, ...]
    """What keeps the pod from being Guaranteed."""

    @property
    def authored_obstacles(self) -> tuple[Obstacle, ...]:
        """Those of the obstacles that lie in what the manifest states."""
        added = {path for path, _ in self.effective.injected}
        return tuple(each for each in self.obstacles if each.path[:2] not in added)

    @property
    def features(self) -> Features:
        """The API server's version and gates."""
        return self.effective.given.scope.features

    @property
    def pod_level(self) -> bool:
        """Whether pod-level resources decide the class."""
        resources = self.effective.pod.resources
        return resources is not None and honours_pod_level(resources, self.features)

    @property
    def instead_of_guaranteed(self) -> str:
        """A clause with the highest score of its containers, where nodes are known."""
        pod = self.effective.pod
        names = [container.name for _, container in pod.containers_with_paths()]
        scored = [
            (score, name, kubelet.node.name)
            for kubelet, scores in zip(self.kubelets, self.scores, strict=True)
            for score, name in zip(scores, names, strict=False)
        ]
        if not scored or is_node_critical_pod(pod):
            return ""
        score, name, node = max(scored, key=itemgetter(0))
        return (
            f", with oom_score_adj up to {score} (container {name!r} on node {node}) "
            f"instead of {GUARANTEED_OOM_SCORE_ADJ}"
        )

    def running_scores(self) -> Iterator[RunningScore]:
        """The scores of regular containers and sidecars, node by node, where nodes are known."""
        containers = list(self.effective.pod.containers_with_paths())
        for kubelet, scores in zip(self.kubelets, self.scores, strict=True):
            for (path, container), score in zip(containers, scores, strict=False):
                if container.type is not ContainerType.INIT:
                    yield RunningScore(kubelet, path, container, score)

    @property
    def demoted_by_init(self) -> bool:
        """Whether init containers and sidecars alone keep a Burstable pod from being Guaranteed.

        Of what the manifest states; an injector may add more that does.
        """
        return self.qos is QOSClass.BURSTABLE and all(
            obstacle.container is not None
            and obstacle.container.type is not ContainerType.CONTAINER
            for obstacle in self.authored_obstacles
        )

    @property
    def requests_no_memory(self) -> bool:
        """Whether the pod is Burstable and can be evicted for any byte of memory that it uses."""
        pod = self.effective.pod
        if self.qos is not QOSClass.BURSTABLE or is_critical_pod(pod):
            return False
        return eviction_requests(pod, self.features)[MEMORY].nanos == 0


def judge(effective: Effective, kubelets: tuple[Kubelet, ...]) -> Verdict | None:
    """The verdict on a pod; None if it is refused or its class is not known."""
    qos = effective.qos
    if effective.admitted is False or qos is None:
        return None
    return Verdict(
        effective,
        qos,
        kubelets,
        tuple(tuple(_scores(effective, qos, kubelet)) for kubelet in kubelets),
        tuple(obstacles(effective.pod, effective.given.scope.features)),
    )


def _scores(effective: Effective, qos: QOSClass, kubelet: Kubelet) -> Iterator[int]:
    pod = effective.pod
    if kubelet.has_cgroups(pod):
        for _, container in pod.containers_with_paths():
            yield get_container_oom_score_adjust(
                pod, container, qos, kubelet.node.memory_bytes, kubelet.features
            )


def causes(effective: Effective, path: Path) -> Iterator[Related]:
    """The authored fields elsewhere that filled in something at or below the path."""
    near = _steps_of_blocks(effective).get(path[:2], ()) if len(path) > 1 else effective.steps
    yield from fillers(step for step in near if step.path[: len(path)] == path)


@lru_cache(maxsize=1)
def _steps_of_blocks(effective: Effective) -> Mapping[Path, list[Step]]:
    """The steps by container, so that to ask for each of thousands is not quadratic."""
    found: dict[Path, list[Step]] = {}
    for step in effective.steps:
        found.setdefault(step.path[:2], []).append(step)
    return found


class SetByLimitRange(NamedTuple):
    """That LimitRanges change the class of a pod: the class before, and what they fill in."""

    before: QOSClass
    steps: tuple[Step, ...]
    maxima: tuple[Step, ...]
    """Those without which the pod were not Guaranteed: a `max` that became the default limit."""


@lru_cache(maxsize=1)  # several rules ask, of one pod after the other
def set_by_limit_range(verdict: Verdict) -> SetByLimitRange | None:
    """What LimitRanges make of the class; None if they do not change it."""
    if not any(map(_may_change_class, verdict.effective.shown.changes)):
        return None
    before = qos_without_limit_ranges(verdict)
    if before is None or before is verdict.qos:
        return None
    steps = tuple(step for step in verdict.effective.steps if _may_change_class(step))
    return SetByLimitRange(before, steps, tuple(_maxima(verdict, steps)))


def _maxima(verdict: Verdict, steps: tuple[Step, ...]) -> Iterator[Step]:
    if verdict.qos is not QOSClass.GUARANTEED or verdict.pod_level:
        return
    found = [step for step in steps if step.cause and step.cause.path[-2] == "max"]
    # Without a pod-level block a Guaranteed pod needs each limit, so that no filled in one is idle.
    if any(step.path[-2] == "limits" for step in found):
        yield from found


def _may_change_class(change: Change | Step) -> bool:
    return change.stage is Stage.LIMIT_RANGER and change.path[-1] in (CPU, MEMORY)


def qos_without_limit_ranges(verdict: Verdict) -> QOSClass | None:
    """The class without what LimitRanges fill in; None if it is another and the pod is refused.

    What they fill in had no limit, so that the pod was not Guaranteed; and copying limits to
    requests makes neither a BestEffort nor a Burstable pod of another class then. So the pod as
    authored tells the class, unless pod-level defaults or injectors have a say.
    """
    effective = verdict.effective
    authored, features = effective.authored, verdict.features
    classify = compute_pod_qos if authored.resources is None else class_as_authored
    # Most pods keep their class; only of the others it matters whether they would exist at all.
    injections = effective.injection.injections
    if not injections and classify(authored, features) is verdict.qos:
        return verdict.qos
    scope = replace(effective.given.scope, limit_ranges=(), quotas=())
    outcome = admit(authored, scope, (), injections)[0]
    return None if outcome.admitted is False else outcome.qos
