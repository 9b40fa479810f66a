"""QOS607: a pod that only runs on nodes with swap, and may not swap."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import HERE, OBJECT, Place, Problem
from qoslint.kernel.pod import MEMORY, ContainerType
from qoslint.kernel.swap import LIMITED_SWAP, NoSwap, no_swap
from qoslint.model.placement import keeps_away
from qoslint.model.verdict import Verdict

_OF_THE_CONTAINER = (NoSwap.NO_MEMORY, NoSwap.EQUAL)


def check_pod(verdict: Verdict) -> Iterator[Problem]:
    """One problem for each container that never swaps, where all nodes of the pod have swap."""
    pod = verdict.effective.pod
    nodes = [each for each in verdict.kubelets if keeps_away(each.node, pod, "") is None]
    if not nodes or any(
        each.configuration.swap_behavior != LIMITED_SWAP or not each.has_cgroups(pod)
        for each in nodes
    ):
        return
    for path, container in pod.containers_with_paths():
        why = no_swap(pod, container, verdict.qos, nodes[0].features)
        if why is None or container.type is ContainerType.INIT:
            continue
        field = ("requests", MEMORY) if why in _OF_THE_CONTAINER else ()
        yield Problem(
            Place(HERE, (*path, "resources", *field)),
            f"Container {container.name!r} of {OBJECT} may not swap, for {why}. It only runs on "
            f"nodes with {LIMITED_SWAP}, such as {nodes[0].node.name}.",
        )
