"""QOS308: batch work preempts what serves."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import Problem
from qoslint.kernel.priority import KIND, PREEMPT_LOWER_PRIORITY
from qoslint.model.batch import batch_classes
from qoslint.model.judged import JudgedCluster
from qoslint.model.priorities import class_places
from qoslint.model.wording import counted, some


def check_cluster(judged: JudgedCluster) -> Iterator[Problem]:
    """One problem for each preempting class of batch work alone with serving workloads below."""
    places = class_places(judged.cluster)
    for each in batch_classes(judged):
        if each.preemption_policy == PREEMPT_LOWER_PRIORITY and each.outranked:
            jobs = each.jobs
            named = some((job.label for job in jobs), len(jobs))
            stopped = some((victim.label for victim in each.victims), each.outranked)
            yield Problem(
                places.get(each.name, each.named),
                f"PriorityClass {each.name} ({each.priority}) is that of "
                f"{counted(len(jobs), 'batch workload')} ({named}) and no other. It is above "
                f"{counted(each.outranked, 'serving workload')} ({stopped}), whose pods are "
                "preempted when a batch pod finds no room.",
                about=f"{KIND} {each.name}",
            )
