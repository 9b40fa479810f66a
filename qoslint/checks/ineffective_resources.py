"""QOS906: requests or limits stand where Kubernetes reads none."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem
from qoslint.model.effective import Admitted
from qoslint.model.objects import Fields, mapping
from qoslint.model.podspec import authored_containers
from qoslint.model.wording import listing

_BLOCKS = ("requests", "limits")


def check_workload(admitted: Admitted) -> Iterator[Problem]:
    """One problem for each container that has them beside its `resources`."""
    workload = admitted.workload
    for inside, container in authored_containers(workload.pod_spec):
        if "requests" not in container and "limits" not in container:
            continue
        stray = [block for block in _BLOCKS if mapping(container.get(block))]
        if stray:
            first = next(iter(mapping(container.get(stray[0]))))
            yield Problem(
                # Not the whole block: a value that was given leads to the key that gives it.
                workload.at((*inside, stray[0], first)),
                f"{listing(stray).capitalize()} of container {container.get('name')!r} of {OBJECT} "
                "take no effect: they stand beside `resources` instead of in it, "
                f"{_left(container)}.",
            )


def _left(container: Fields) -> str:
    kept = [block for block in _BLOCKS if mapping(mapping(container.get("resources")).get(block))]
    return f"which alone states {listing(kept)}" if kept else "and that states none"
