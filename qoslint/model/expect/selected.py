"""Which expectations of the settings are about a workload."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from qoslint.model.expect.intent import Expected, Intent
from qoslint.model.workloads import Workload


def wishes_of(expected: Iterable[Expected]) -> Callable[[Workload, str], Iterator[Intent]]:
    """What gives the intents of the settings about a workload of a namespace, in their order.

    Thousands of expectations are not compared with thousands of workloads where each names its
    namespace.
    """
    by_namespace: dict[str, list[tuple[int, Expected]]] = {}
    anywhere: list[tuple[int, Expected]] = []
    for entry in enumerate(expected):
        namespace = entry[1].pods.namespace
        if namespace is None or "*" in namespace:
            anywhere.append(entry)
        else:
            by_namespace.setdefault(namespace, []).append(entry)

    def intents(workload: Workload, namespace: str) -> Iterator[Intent]:
        thing, labels = workload.object, workload.pod_labels
        for _, each in sorted((*anywhere, *by_namespace.get(namespace, ())), key=lambda at: at[0]):
            if each.pods.selects(namespace, thing.kind, thing.name, labels):
                yield from each.intents

    return intents
