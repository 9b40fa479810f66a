"""QOS507: under its memory limit a container cannot even start."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import HERE, OBJECT, Part, Place, Problem
from qoslint.kernel.cgroup import container_limit
from qoslint.kernel.pod import MEMORY, Path
from qoslint.kernel.quantity import ZERO
from qoslint.model.quantities import KIB
from qoslint.model.subject import Options
from qoslint.model.verdict import Verdict, causes


def check_pod(verdict: Verdict, options: Options) -> Iterator[Problem]:
    """One problem for each limit, of a container or the pod, that is below the floor."""
    pod, floor = verdict.effective.pod, options["floor"]
    if pod.os == "windows":
        return
    told: set[Path] = set()
    for path, container in pod.containers_with_paths():
        limit = container_limit(pod, container, MEMORY, verdict.features)
        own = container.resources.limits.get(MEMORY, ZERO)
        owner: Path = path if own.nanos else ()
        if KIB.nanos <= limit.nanos < floor.nanos and owner not in told:
            told.add(owner)
            field: Path = (*owner, "resources", "limits", MEMORY)
            yield Problem(
                Place(HERE, field, Part.VALUE),
                f"Container {container.name!r} of {OBJECT} has the memory limit {limit}. Below "
                f"{floor} the kernel kills the runtime that sets the container up, so it never "
                "starts.",
                related=tuple(causes(verdict.effective, field)),
            )
