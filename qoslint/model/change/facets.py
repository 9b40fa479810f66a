"""The facets of a pod: all that a reviewer may care about, each with its value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from qoslint.kernel.oom import get_container_oom_score_adjust
from qoslint.kernel.pod import Container, Resources
from qoslint.model.change.record import Difference, Facet, Value, WorkloadChange
from qoslint.model.effective import Effective
from qoslint.model.kubelet import Kubelet

ADMITTED = Facet("admitted")
QOS_CLASS = Facet("qosClass")
PRIORITY = Facet("priority")
CONTAINER = "container"
SCORE = "oomScoreAdj"

Facets = Mapping[Facet, Value]


def facets(effective: Effective, kubelets: Sequence[Kubelet]) -> Facets:
    """The facets of a pod; of one that is refused only that it is."""
    return dict(_facets(effective, kubelets))


def _facets(effective: Effective, kubelets: Sequence[Kubelet]) -> Iterator[tuple[Facet, Value]]:
    admitted = effective.admitted
    yield ADMITTED, admitted
    if admitted is False:
        return
    pod, qos = effective.pod, effective.shown.qos
    yield QOS_CLASS, " or ".join(effective.classes) or None
    yield PRIORITY, pod.priority
    yield Facet("preemptionPolicy"), pod.preemption_policy
    if pod.resources is not None:
        yield from _amounts(pod.resources, "")
    for name, quantity in (pod.overhead or {}).items():
        yield Facet(f"overhead.{name}"), quantity.canonical()
    for _, container in pod.containers_with_paths():
        yield Facet(CONTAINER, container.name), str(container.type)
        yield from _amounts(container.resources, container.name)
        for kubelet in kubelets:
            if qos and kubelet.has_cgroups(pod):
                score = get_container_oom_score_adjust(
                    pod, container, qos, kubelet.node.memory_bytes, kubelet.features
                )
                yield Facet(SCORE, container.name, kubelet.node.name), score


def _amounts(resources: Resources, container: str) -> Iterator[tuple[Facet, Value]]:
    for key, amounts in (("requests", resources.requests), ("limits", resources.limits)):
        for name, quantity in amounts.items():
            field = f"{key}.{name}" if container else f"resources.{key}.{name}"
            yield Facet(field, container), quantity.canonical()


def differences(before: Facets, after: Facets) -> Iterator[Difference]:
    """The facets that differ, those of the pod first, then container by container.

    Of pods of which one is refused only that is told, and of a container that one of them lacks
    only that. A node that one revision lacks changes no score.
    """
    refused = before.get(ADMITTED) is False or after.get(ADMITTED) is False
    nodes = _nodes(before) & _nodes(after)
    missing = {
        facet.container for facet in before.keys() ^ after.keys() if facet.field == CONTAINER
    }
    for facet in sorted(dict.fromkeys((*before, *after)), key=_rank):
        if before.get(facet) == after.get(facet):
            continue
        if refused and facet not in (ADMITTED, QOS_CLASS):
            continue
        if facet.node and facet.node not in nodes:
            continue
        if facet.container in missing and facet.field != CONTAINER:
            continue
        yield Difference(facet, before.get(facet), after.get(facet))


def _rank(facet: Facet) -> int:
    """Containers that come or go stand behind what is of the pod, and scores come last."""
    if facet.field in (CONTAINER, SCORE):
        return 1 if facet.field == CONTAINER else 3
    return 2 if facet.container else 0


def _nodes(found: Facets) -> set[str]:
    return {facet.node for facet in found if facet.node}


def container_of(change: WorkloadChange, name: str) -> Container | None:
    """The container of the newer pod, or of the older one if it is gone; None if neither has it."""
    sides = (each.effective for each in (change.after, change.before) if each)
    containers = (pair[1] for each in sides if each for pair in each.pod.containers_with_paths())
    return next((each for each in containers if each.name == name), None)
