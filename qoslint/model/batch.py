"""Which PriorityClasses only batch work uses, and which serving workloads have less priority."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from qoslint.finding import Place
from qoslint.model.effective import Admitted
from qoslint.model.judged import JudgedCluster

_BATCH = frozenset({"Job", "CronJob"})
_SHOWN = 4
SERVING = frozenset({"Deployment", "StatefulSet", "ReplicaSet", "ReplicationController"})
"""Kinds whose controllers replace each pod that ends, whatever it ended with."""


class BatchClass(NamedTuple):
    """A class that Jobs and CronJobs name and no other workload, all of the same priority."""

    name: str
    priority: int
    preemption_policy: str
    jobs: tuple[Admitted, ...]
    outranked: int
    """How many serving workloads of lower priority can share a node with them, by selectors."""
    victims: tuple[Admitted, ...]
    """The first few of those, the least of priority first."""

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
        if item.workload.object.kind in SERVING and item.workload.replicas != 0:
            key = pod.priority, pod.node_selector
            group = groups.setdefault(key, _Group(pod.priority, dict(pod.node_selector), []))
            group.workloads.append(item)
    ordered = sorted(groups.values(), key=lambda group: group.priority)
    meeting: dict[frozenset[tuple[str, str]], list[_Group]] = {}
    for (name, priority, policy), users in sorted(by_class.items()):
        if all(item.workload.object.kind in _BATCH for item in users):
            shared = _selectors_of_all(users)
            if shared not in meeting:
                meeting[shared] = [each for each in ordered if _may_meet(shared, each.selector)]
            below = bisect_left(meeting[shared], priority, key=lambda group: group.priority)
            lower = meeting[shared][:below]
            victims = islice((item for group in lower for item in group.workloads), _SHOWN)
            count = sum(len(group.workloads) for group in lower)
            yield BatchClass(name, priority, policy, tuple(users), count, tuple(victims))


def _selectors_of_all(users: Iterable[Admitted]) -> frozenset[tuple[str, str]]:
    """The labels that every pod of the class asks of its node."""
    selectors = (set(item.effective.pod.node_selector) for item in users if item.effective)
    return frozenset(set.intersection(*selectors))


def _may_meet(shared: Iterable[tuple[str, str]], selector: Mapping[str, str]) -> bool:
    """Whether one node can have all these labels."""
    return all(selector.get(label, value) == value for label, value in shared)
