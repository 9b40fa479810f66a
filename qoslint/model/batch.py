"""Which PriorityClasses only batch work uses, and which serving workloads have less priority."""

from __future__ import annotations

from collections.abc import Iterator
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
    by_class: dict[tuple[str, int, str], list[Admitted]] = {}
    serving: list[tuple[int, Admitted]] = []
    for item in judged.admitted:
        if item.effective is None or item.admitted is False:
            continue
        pod, name = item.effective.pod, item.effective.authored.priority_class_name
        if pod.priority is None or pod.preemption_policy is None:
            continue
        if name:
            by_class.setdefault((name, pod.priority, pod.preemption_policy), []).append(item)
        if item.workload.object.kind in _SERVING and item.workload.replicas != 0:
            serving.append((pod.priority, item))
    for (name, priority, policy), users in sorted(by_class.items()):
        if all(item.workload.object.kind in _BATCH for item in users):
            selectors = dict(frozenset.intersection(*map(_selector, users)))
            outranked = tuple(
                item
                for least, item in serving
                if least < priority and not _contradict(selectors, item)
            )
            yield BatchClass(name, priority, policy, tuple(users), outranked)


def _selector(item: Admitted) -> frozenset[tuple[str, str]]:
    return frozenset(item.effective.pod.node_selector if item.effective else ())


def _contradict(selectors: dict[str, str], item: Admitted) -> bool:
    return any(selectors.get(label, value) != value for label, value in _selector(item))
