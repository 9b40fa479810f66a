"""QOS303: the priority of pods without a class is the highest that the cluster has."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import Problem
from qoslint.kernel.priority import KIND, PREEMPT_LOWER_PRIORITY, default_classes
from qoslint.model.judged import JudgedCluster
from qoslint.model.priorities import stated_classes
from qoslint.model.subject import Options
from qoslint.model.wording import some


def check_cluster(judged: JudgedCluster, options: Options) -> Iterator[Problem]:
    """One problem for a preempting default at or above the threshold, and no class above it."""
    stated = stated_classes(judged.cluster)
    checked = frozenset(judged.cluster.objects)
    highest = max((each.record.value for each in stated), default=0)
    names = sorted({each.record.name for each in stated})
    for index in default_classes([each.record for each in stated]):
        record, obj = stated[index]
        preempts = record.preemption_policy == PREEMPT_LOWER_PRIORITY
        if preempts and record.value >= max(options["threshold"], highest) and obj in checked:
            lower = (name for name in names if name != record.name)
            victims = (
                f"the pods of {some(lower, len(names) - 1)}"
                if len(names) > 1
                else "every older pod, which has 0"
            )
            yield Problem(
                obj.at(("value",)),
                f"PriorityClass {record.name} gives every pod without a class priority "
                f"{record.value}, and no class but the system's is above it: each of them may "
                f"preempt {victims}.",
                about=f"{KIND} {record.name}",
            )
