"""QOS309: a class of batch work that preempts others, where waiting would do."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import Problem
from qoslint.kernel.priority import BUILT_IN, KIND, PREEMPT_LOWER_PRIORITY
from qoslint.model.batch import batch_classes
from qoslint.model.judged import JudgedCluster
from qoslint.model.priorities import class_places, default_priority
from qoslint.model.wording import counted, some


def check_cluster(judged: JudgedCluster) -> Iterator[Problem]:
    """One problem for each such class above the default; QOS308 has those with victims here."""
    default = default_priority(judged.cluster.cluster_wide)
    places = class_places(judged.cluster)
    for each in batch_classes(judged):
        preempts = each.preemption_policy == PREEMPT_LOWER_PRIORITY
        above = each.priority > default and each.name not in BUILT_IN
        if preempts and above and not each.outranked:
            named = some((job.label for job in each.jobs), len(each.jobs))
            yield Problem(
                places.get(each.name, each.named),
                f"PriorityClass {each.name} ({each.priority}) is that of "
                f"{counted(len(each.jobs), 'batch workload')} ({named}) and no other, and preempts "
                f"every pod that names no class ({default}). With preemptionPolicy Never its pods "
                "go ahead of others in the queue without killing any.",
                about=f"{KIND} {each.name}",
            )
