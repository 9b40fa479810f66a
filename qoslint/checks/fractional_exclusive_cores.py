"""QOS608: a Guaranteed container shares cores where it could have its own."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import HERE, OBJECT, Place, Problem
from qoslint.kernel.pod import CPU, Container, ContainerType
from qoslint.kernel.qos import QOSClass
from qoslint.kernel.quantity import ZERO
from qoslint.model.kubelet import Kubelet
from qoslint.model.placement import keeps_away
from qoslint.model.verdict import Verdict

_CORE = 1000


def check_pod(verdict: Verdict) -> Iterator[Problem]:
    """One problem for each container that runs on, and wants more than a core but no whole ones."""
    if verdict.qos is not QOSClass.GUARANTEED or verdict.pod_level:
        return
    node = next((each.node.name for each in verdict.kubelets if _pins(each, verdict)), None)
    if node is None:
        return
    for path, container in verdict.effective.pod.containers_with_paths():
        if _wants_a_fraction(container):
            yield Problem(
                Place(HERE, (*path, "resources", "limits", CPU)),
                f"Container {container.name!r} of {OBJECT} requests "
                f"{container.resources.requests[CPU]} CPU: the static CPU manager of node {node} "
                "gives exclusive cores for whole numbers only, so it gets none.",
            )


def _pins(kubelet: Kubelet, verdict: Verdict) -> bool:
    pod = verdict.effective.pod
    static = kubelet.configuration.cpu_manager_policy == "static"
    return static and kubelet.has_cgroups(pod) and keeps_away(kubelet.node, pod, "") is None


def _wants_a_fraction(container: Container) -> bool:
    milli = container.resources.requests.get(CPU, ZERO).milli_value()
    return container.type is not ContainerType.INIT and milli > _CORE and milli % _CORE != 0
