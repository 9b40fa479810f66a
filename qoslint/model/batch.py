"""Which PriorityClasses only batch work uses, and which serving workloads have less priority."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from qoslint.finding import Place
from qoslint.model.effective import Admitted
from qoslint.model.judged import JudgedCluster

_BATCH = frozenset({"Job", "CronJob"})
_SERVING = frozenset({"Deployment", "StatefulSet", "ReplicaSet", "ReplicationController"})


class BatchClass(NamedTuple):
    """A class that Jobs and CronJobs name and no other workload, all of the same priority."""

    name: str
    priority: int
    preemption_policy: str
    jobs: tuple[Admitted, ...]
    outranked: tuple[Admitted, ...]
    """Serving workloads of lower priority that can share a node with them, by node selectors."""

    @property
    def named(self) -> Place:
        """Where the first of its workloads names it."""
        return self.jobs[0].workload.at(("priorityClassName",))


def batch_classes(judged: JudgedCluster) -> Iterator[BatchClass]:
    """The classes by name; pods that are refused or of unknown priority do not count."""
    by_class: dict[str, list[Admitted]] = {}
    serving: list[tuple[int, Admitted]] = []
    for item in judged.admitted:
        priority = None if item.effective is None else item.effective.pod.priority
        if item.effective is None or item.admitted is False or priority is None:
            continue
        if name := item.effective.authored.priority_class_name:
            by_class.setdefault(name, []).append(item)
        if item.workload.object.kind in _SERVING and item.workload.replicas != 0:
            serving.append((priority, item))
    for name, items in sorted(by_class.items()):
        if all(item.workload.object.kind in _BATCH for item in items):
            yield _batch_class(name, items, serving)


def _batch_class(
    name: str, jobs: list[Admitted], serving: Iterable[tuple[int, Admitted]]
) -> BatchClass:
    assert jobs[0].effective is not None, "the priority is known"
    pod = jobs[0].effective.pod
    assert pod.priority is not None and pod.preemption_policy is not None, "admission sets both"
    selectors = dict(frozenset.intersection(*map(_selector, jobs)))
    outranked = (
        item
        for priority, item in serving
        if priority < pod.priority and not _contradict(selectors, item)
    )
    return BatchClass(name, pod.priority, pod.preemption_policy, tuple(jobs), tuple(outranked))


def _selector(item: Admitted) -> frozenset[tuple[str, str]]:
    return frozenset(item.effective.pod.node_selector if item.effective else ())


def _contradict(selectors: dict[str, str], item: Admitted) -> bool:
    return any(selectors.get(label, value) != value for label, value in _selector(item))
