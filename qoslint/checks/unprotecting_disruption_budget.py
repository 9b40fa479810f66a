"""QOS410: a PodDisruptionBudget that allows no disruption does not stop the kubelet."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import Problem
from qoslint.kernel.pod import is_critical_pod
from qoslint.model.disruption import blocking_budgets
from qoslint.model.effective import Admitted
from qoslint.model.judged import JudgedCluster
from qoslint.model.wording import counted, some


def check_cluster(judged: JudgedCluster) -> Iterator[Problem]:
    """One problem for each budget that allows none and selects pods that can be evicted."""
    for budget in blocking_budgets(judged):
        evictable = [each for each in budget.selected if _can_be_evicted(each)]
        if evictable:
            named = some((each.label for each in evictable), len(evictable))
            name = judged.cluster.qualified_name(budget.object)
            yield Problem(
                budget.object.at(("spec", budget.field)),
                f"{budget.object.kind} {name} demands {budget.field} {budget.value} of "
                f"{counted(budget.replicas, 'pod')} and so allows no disruption of {named}. It "
                "holds for drains and autoscalers: when a node runs low on memory or disk, the "
                "kubelet evicts pods without asking it.",
                about=f"{budget.object.kind} {name}",
            )


def _can_be_evicted(admitted: Admitted) -> bool:
    effective = admitted.effective
    return (
        effective is not None
        and effective.admitted is not False
        and not is_critical_pod(effective.pod)
    )
