"""PodDisruptionBudgets that allow no disruption of the pods that they select."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from qoslint.model.effective import Admitted
from qoslint.model.intorpercent import scaled_value
from qoslint.model.judged import JudgedCluster
from qoslint.model.objects import KubeObject, mapping
from qoslint.model.selector import Operator, Selector, label_selector, matches

_Index: TypeAlias = Mapping[tuple[str, str, str], list[Admitted]]
"""Workloads by namespace and a label of their pods; under two empty texts all of a namespace."""


class BlockingBudget(NamedTuple):
    """A budget that is never above what it demands, and the workloads that it selects."""

    object: KubeObject
    field: str
    """The one that says so: `minAvailable` or `maxUnavailable`."""
    value: int | str
    replicas: int
    """Of all the workloads."""
    selected: tuple[Admitted, ...]


def blocking_budgets(judged: JudgedCluster) -> Iterator[BlockingBudget]:
    """The budgets that allow no disruption even when all pods are healthy, in order of files.

    Where the number of replicas is not known nothing is claimed. What only stands in one
    repository, such as examples, is no cluster that a budget could look at.
    """
    cluster = judged.cluster
    if not cluster.environment or not cluster.budgets:
        return
    index = _index(judged.admitted)
    for budget in cluster.budgets:
        spec = mapping(budget.data.get("spec"))
        # A selector that is missing selects nothing, and an empty one all pods of the namespace.
        given = spec.get("selector")
        selector = label_selector(given) if isinstance(given, dict) else None
        if selector is None or budget.version != "v1":
            continue
        near = _near(index, cluster.namespace_of(budget), selector)
        selected = tuple(each for each in near if matches(selector, each.workload.pod_labels))
        counts = [each.workload.replicas or 0 for each in selected]
        total = sum(counts)
        for field in ("maxUnavailable", "minAvailable"):
            value = spec.get(field)
            if all(counts) and total and _allows_none(field, value, total):
                assert isinstance(value, int | str)
                yield BlockingBudget(budget, field, value, total, selected)


def _index(admitted: Iterable[Admitted]) -> _Index:
    index: dict[tuple[str, str, str], list[Admitted]] = {}
    for each in admitted:
        for key, value in (("", ""), *each.workload.pod_labels.items()):
            index.setdefault((each.namespace, key, value), []).append(each)
    return index


def _near(index: _Index, namespace: str, selector: Selector) -> list[Admitted]:
    """All that the selector can select, found by the label that the fewest have."""
    keys = [("", "")]
    for test in selector:
        if test.operator is Operator.IN and len(test.values) == 1:
            keys.append((test.key, test.values[0]))
    return min((index.get((namespace, *key), []) for key in keys), key=len)


def _allows_none(field: str, value: object, total: int) -> bool:
    """`pkg/controller/disruption/disruption.go getExpectedPodCount`; shares are rounded up."""
    count = scaled_value(value, total, round_up=True)
    if count is None:
        return False
    return count <= 0 if field == "maxUnavailable" else count >= total
