"""QOS504: the heap of a runtime may grow to the memory limit of its container."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem
from qoslint.kernel.cgroup import container_limit
from qoslint.kernel.pod import MEMORY
from qoslint.model.effective import Admitted
from qoslint.model.heaps import heap
from qoslint.model.podspec import authored_containers
from qoslint.model.subject import Options
from qoslint.model.verdict import causes
from qoslint.model.wording import owner, sentence


def check_workload(admitted: Admitted, options: Options) -> Iterator[Problem]:
    """One problem for each container whose heap may take `percent` or more of its limit."""
    effective = admitted.effective
    if effective is None or effective.admitted is False or admitted.workload.partial:
        return
    pod, features = effective.pod, effective.given.scope.features
    containers = dict(pod.containers_with_paths())
    for authored, fields in authored_containers(admitted.workload.pod_spec):
        path, bound = effective.shown.placed(authored), heap(fields)
        if bound is None or path not in containers:
            continue
        quantity = container_limit(pod, containers[path], MEMORY, features)
        limit = quantity.value()
        size = bound.size(limit)
        if limit and size * 100 >= limit * options["percent"]:
            yield Problem(
                admitted.workload.at((*authored, *bound.path)),
                f"{sentence(owner(containers[path]))} of {OBJECT} lets its heap grow to "
                f"{size * 100 // limit} % of its memory limit {quantity} ({bound.setting}). It "
                "needs memory beside the heap, so the kernel kills it where the runtime would "
                "have collected garbage.",
                related=tuple(causes(effective, (*path, "resources", "limits", MEMORY))),
            )
