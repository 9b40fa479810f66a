"""Which PriorityClasses only batch work uses, and which serving workloads have less priority."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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


class _Group(NamedTuple):
    """Serving workloads of one priority and node selector."""

    priority: int
    selector: Mapping[str, str]
    workloads: list[Admitted]


def batch_classes(judged: JudgedCluster) -> Iterator[BatchClass]:
    """The classes by name; pods that are refused or of unknown priority do not count.

    What only stands in one repository, such as examples, does not meet on a node.
    """
    if not judged.cluster.environment:
        return
    by_class: dict[tuple[str, int, str], list[Admitted]] = {}
    groups: dict[tuple[int, tuple[tuple[str, str], ...]], _Group] = {}
    for item in judged.admitted:
        if item.effective is None or item.admitted is False:
            continue
        pod, name = item.effective.pod, item.effective.authored.priority_class_name
        if pod.priority is None or pod.preemption_policy is None:
            continue
        if name:
            by_class.setdefault((name, pod.priority, pod.preemption_policy), []).append(item)
        if item.workload.object.kind in _SERVING and item.workload.replicas != 0:
            key = pod.priority, pod.node_selector
            group = groups.setdefault(key, _Group(pod.priority, dict(pod.node_selector), []))
            group.workloads.append(item)
    for (name, priority, policy), users in sorted(by_class.items()):
        if all(item.workload.object.kind in _BATCH for item in users):
            shared = _selectors_of_all(users)
            outranked = tuple(
                item
                for group in groups.values()
                if group.priority < priority and _may_meet(shared, group.selector)
                for item in group.workloads
            )
            yield BatchClass(name, priority, policy, tuple(users), outranked)


def _selectors_of_all(users: Iterable[Admitted]) -> tuple[tuple[str, str], ...]:
    """The labels that every pod of the class asks of its node."""
    selectors = (set(item.effective.pod.node_selector) for item in users if item.effective)
    return tuple(set.intersection(*selectors))


def _may_meet(shared: Iterable[tuple[str, str]], selector: Mapping[str, str]) -> bool:
    """Whether one node can have all these labels."""
    return all(selector.get(label, value) == value for label, value in shared)
