"""What a run covered: every file, every object, every pod; and the pods in a line each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from qoslint.finding import Coverage, PodLine, Score
from qoslint.kernel.pod import ContainerType
from qoslint.model.effective import Admitted
from qoslint.model.inventory import Inventory
from qoslint.model.judged import JudgedCluster
from qoslint.model.verdict import Verdict
from qoslint.render.discovery import Discovery

REFUSED = "refused"
UNKNOWN = "unknown"


def coverage(
    discovery: Discovery, inventory: Inventory, clusters: Iterable[JudgedCluster]
) -> Coverage:
    """What happened to every file, and what became of every pod template in every cluster."""
    asked = frozenset(document.source.id for document in discovery.documents)
    other_kinds = Counter(passed.kind for passed in discovery.passed)
    other_kinds.update(obj.kind for obj in inventory.podless if obj.id.source in asked)
    makers = [item for item in inventory.items if item.workloads and item.object.id.source in asked]
    judged = [admitted for cluster in clusters for admitted in cluster.admitted]
    known = {admitted.workload.object for admitted in judged}
    left = [item for item in makers if item.object not in known]
    # A copy of a judged workload is judged with it.
    contents = {item.content() for item in makers if item.object in known} if left else ()
    unjudged = [item for item in left if item.content() not in contents]
    pods = Counter(map(became, judged))
    return Coverage(
        files=discovery.files,
        read=len(discovery.read),
        skipped={reason: len(paths) for reason, paths in discovery.skipped.items()},
        not_understood={reason: len(paths) for reason, paths in discovery.not_understood.items()},
        objects=len(makers) + other_kinds.total(),
        workloads=sum(len(item.workloads) for item in makers),
        targets=discovery.targets,
        unrendered=Counter(str(each.reason) for each in discovery.unrendered),
        unjudged=tuple(item.object.file for item in unjudged),
        pods=dict(sorted(pods.items())),
        undecided=sum(each.admitted is None and became(each) != UNKNOWN for each in judged),
        other_kinds=dict(sorted(other_kinds.items())),
    )


def became(admitted: Admitted) -> str:
    """The class of the pods, or that they are refused, or that their class is unknown."""
    if admitted.admitted is False:
        return REFUSED
    if admitted.effective is None or admitted.refusals:
        return UNKNOWN  # what refuses the pods does so only under some orders
    classes = admitted.effective.classes
    return str(classes[0]) if len(classes) == 1 else UNKNOWN


def pod_lines(clusters: Iterable[JudgedCluster]) -> Iterator[PodLine]:
    """A line for each pod template in each cluster, by cluster, namespace, kind and name."""
    for cluster in sorted(clusters, key=lambda judged: judged.cluster.name):
        verdicts = {
            id(admitted): verdict for verdict, sharing in cluster.verdicts for admitted in sharing
        }
        for admitted in cluster.admitted:
            yield _line(admitted, verdicts.get(id(admitted)))


def _line(admitted: Admitted, verdict: Verdict | None) -> PodLine:
    what = became(admitted)
    effective = admitted.effective
    return PodLine(
        cluster=admitted.cluster,
        namespace=admitted.namespace,
        kind=admitted.workload.object.kind,
        name=admitted.workload.object.name,
        became=what,
        reason=_reason(admitted) if what in (REFUSED, UNKNOWN) else "",
        classes=tuple(map(str, effective.classes)) if effective and what == UNKNOWN else (),
        priority=effective.pod.priority if effective and what != REFUSED else None,
        scores=_scores(verdict) if verdict else {},
    )


def _reason(admitted: Admitted) -> str:
    if admitted.refusals:
        first = admitted.refusals[0]
        return f"{first.by}: {first.message}"
    return ", ".join(admitted.unknowns) or "depends on an order that Kubernetes does not define"


def _scores(verdict: Verdict) -> Mapping[str, tuple[Score, ...]]:
    containers = [container for _, container in verdict.effective.pod.containers_with_paths()]
    return {
        kubelet.node.name: tuple(
            Score(container.name, score)
            for container, score in zip(containers, scores, strict=True)
            if container.type is not ContainerType.INIT
        )
        for kubelet, scores in zip(verdict.kubelets, verdict.scores, strict=True)
        if scores
    }
