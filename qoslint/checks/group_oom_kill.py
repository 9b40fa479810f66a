"""QOS506: a container of several processes dies as a whole when one exceeds its memory limit."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import HERE, OBJECT, Place, Problem
from qoslint.kernel.cgroup import container_limit
from qoslint.kernel.pod import MEMORY, ContainerType
from qoslint.model.kubelet import Kubelet
from qoslint.model.pattern import fits_any
from qoslint.model.subject import Options
from qoslint.model.verdict import Verdict
from qoslint.model.wording import owner, sentence

_SETTING = "singleProcessOOMKill"


def check_pod(verdict: Verdict, options: Options) -> Iterator[Problem]:
    """One problem for each running container of a chosen image that has a memory limit."""
    pod = verdict.effective.pod
    where = _where(verdict)
    if pod.os == "windows" or not where:
        return
    for path, container in pod.containers_with_paths():
        limit = container_limit(pod, container, MEMORY, verdict.features)
        running = container.type is not ContainerType.INIT
        if running and limit.nanos and fits_any(container.image, options["images"]):
            yield Problem(
                Place(HERE, (*path, "resources", "limits", MEMORY)),
                f"{sentence(owner(container))} of {OBJECT} runs several processes in {limit} of "
                f"memory. {where} the kernel kills all of them when one asks for more, as nothing "
                f"sets {_SETTING}.",
            )


def _where(verdict: Verdict) -> str:
    """The nodes that kill whole containers and were not told to; empty if there are none."""
    if not verdict.kubelets:
        return "On nodes with cgroup v2"
    names = [each.node.name for each in verdict.kubelets if _undecided(each)]
    return f"On node {names[0]}" if names else ""


def _undecided(kubelet: Kubelet) -> bool:
    """`pkg/kubelet/kubelet.go NewMainKubelet`: by default true with cgroup v1, false with v2."""
    node = kubelet.node
    return node.os == "linux" and node.cgroup == "v2" and _SETTING not in node.kubelet
