"""Verdicts: the class of an effective pod, and what each node's kubelet makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from qoslint.finding import Related
from qoslint.kernel.admission import admit
from qoslint.kernel.features import Features
from qoslint.kernel.guaranteed import Obstacle, obstacles
from qoslint.kernel.oom import GUARANTEED_OOM_SCORE_ADJ, get_container_oom_score_adjust
from qoslint.kernel.pod import Container, ContainerType, Path, is_node_critical_pod
from qoslint.kernel.qos import QOSClass
from qoslint.kernel.scheduling import is_pod_level_resources_set
from qoslint.model.effective import Effective
from qoslint.model.node import NodeProfile
from qoslint.model.wording import filled_in


@dataclass(frozen=True, slots=True)
class Kubelet:
    """A node profile with the gates of its kubelet."""

    node: NodeProfile
    features: Features

    @property
    def is_linux(self) -> bool:
        """Whether the node has cgroups and oom_score_adj; Windows has neither."""
        return self.node.os == "linux"


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """What becomes of an effective pod that is admitted, or may be.

    `qos` is its class in the first outcome; `scores` holds for each Linux node the oom_score_adj
    of each container, in the order of `Pod.containers_with_paths`.
    """

    effective: Effective
    qos: QOSClass
    kubelets: tuple[Kubelet, ...]
    scores: tuple[tuple[int, ...], ...]

    @property
    def features(self) -> Features:
        """The API server's version and gates."""
        return self.effective.given.scope.features

    @property
    def obstacles(self) -> tuple[Obstacle, ...]:
        """What keeps the pod from being Guaranteed."""
        return tuple(obstacles(self.effective.pod, self.features))

    @property
    def pod_level(self) -> bool:
        """Whether pod-level resources decide the class."""
        return is_pod_level_resources_set(self.effective.pod.resources)

    def containers(self) -> Iterator[tuple[Path, Container]]:
        """The containers that run beside each other: sidecars and regular ones."""
        for path, container in self.effective.pod.containers_with_paths():
            if container.type is not ContainerType.INIT:
                yield path, container

    @property
    def instead_of_guaranteed(self) -> str:
        """A clause with the highest score of its running containers, where nodes are known."""
        if not self.kubelets or is_node_critical_pod(self.effective.pod):
            return ""
        least = min(range(len(self.kubelets)), key=lambda i: self.kubelets[i].node.memory_bytes)
        running = {path for path, _ in self.containers()}
        paths = (path for path, _ in self.effective.pod.containers_with_paths())
        scores = zip(paths, self.scores[least], strict=False)
        highest = max((score for path, score in scores if path in running), default=None)
        if highest is None:
            return ""
        name = self.kubelets[least].node.name
        return (
            f", with oom_score_adj up to {highest} on node {name} "
            f"instead of {GUARANTEED_OOM_SCORE_ADJ}"
        )

    def causes(self, path: Path) -> Iterator[Related]:
        """The authored fields elsewhere that filled in something at or below the path."""
        steps = (step for step in self.effective.steps if step.path[: len(path)] == path)
        for by, group in groupby(steps, key=lambda step: step.by):
            filled = list(group)
            if cause := filled[0].cause:
                yield Related(cause, f"{by} fills in {filled_in(filled)}")


def judge(effective: Effective, kubelets: tuple[Kubelet, ...]) -> Verdict | None:
    """The verdict on a pod; None if it is refused or its class depends on an undefined order."""
    if effective.admitted is False or len(effective.classes) != 1:
        return None
    (qos,) = effective.classes
    return Verdict(
        effective,
        qos,
        kubelets,
        tuple(tuple(_scores(effective, qos, kubelet)) for kubelet in kubelets),
    )


def _scores(effective: Effective, qos: QOSClass, kubelet: Kubelet) -> Iterator[int]:
    pod = effective.pod
    if kubelet.is_linux:
        for _, container in pod.containers_with_paths():
            yield get_container_oom_score_adjust(
                pod, container, qos, kubelet.node.memory_bytes, kubelet.features
            )


def qos_without_limit_ranges(verdict: Verdict) -> QOSClass | None:
    """The class that the pod would get without LimitRanges and quotas; None if refused."""
    scope = replace(verdict.effective.given.scope, limit_ranges=(), quotas=())
    outcome = admit(verdict.effective.authored, scope)[0]
    return None if outcome.admitted is False else outcome.qos
