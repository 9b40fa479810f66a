"""QOS155: an injected container has another oom_score_adj in the other mode of its injector."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import HERE, OBJECT, Part, Place, Problem
from qoslint.kernel.oom import get_container_oom_score_adjust
from qoslint.kernel.pod import Container, ContainerType, Pod
from qoslint.model.kubelet import Kubelet
from qoslint.model.verdict import Verdict

_MODES = {ContainerType.SIDECAR: "native sidecar", ContainerType.CONTAINER: "ordinary container"}


def check_pod(verdict: Verdict) -> Iterator[Problem]:
    """One problem for each injected container and node where the mode makes a difference."""
    pod = verdict.effective.pod
    containers = dict(pod.containers_with_paths())
    for path, by in verdict.effective.injected:
        container = containers[path]
        if container.type not in _MODES:
            continue
        other_pod, other = _other_mode(pod, container)
        for kubelet in verdict.kubelets:
            if not kubelet.has_cgroups(pod):
                continue
            score = _score(verdict, pod, container, kubelet)
            instead = _score(verdict, other_pod, other, kubelet)
            if score != instead:
                yield Problem(
                    Place(HERE, path, Part.KEY),
                    f"Container {container.name!r}, which {by} adds to {OBJECT}, has oom_score_adj "
                    f"{score} as {_MODES[container.type]} on node {kubelet.node.name} (Kubernetes "
                    f"{kubelet.node.version}), and would have {instead} as {_MODES[other.type]}.",
                )


def _other_mode(pod: Pod, container: Container) -> tuple[Pod, Container]:
    """The pod with the container in the other list."""
    sidecar = container.type is ContainerType.SIDECAR
    other = container._replace(
        type=ContainerType.CONTAINER if sidecar else ContainerType.SIDECAR,
        restart_policy=None if sidecar else "Always",
    )
    containers = tuple(each for each in pod.containers if each is not container)
    init_containers = tuple(each for each in pod.init_containers if each is not container)
    if sidecar:
        containers = (*containers, other)
    else:
        init_containers = (other, *init_containers)
    return pod._replace(containers=containers, init_containers=init_containers), other


def _score(verdict: Verdict, pod: Pod, container: Container, kubelet: Kubelet) -> int:
    return get_container_oom_score_adjust(
        pod, container, verdict.qos, kubelet.node.memory_bytes, kubelet.features
    )
