"""QOS102: an init container or sidecar keeps a pod from being Guaranteed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from qoslint.finding import HERE, OBJECT, Part, Place, Problem
from qoslint.kernel.guaranteed import Obstacle
from qoslint.kernel.pod import ContainerType
from qoslint.kernel.qos import QOSClass
from qoslint.model.verdict import Verdict
from qoslint.model.wording import listing, obstacle_phrase

_NAMES = {ContainerType.INIT: "Init container", ContainerType.SIDECAR: "Sidecar"}


def check_pod(verdict: Verdict) -> Iterator[Problem]:
    """One problem for each init container or sidecar, if they alone stand in the way.

    What an injector added is not the manifest's to change: QOS151 and QOS153 tell of it.
    """
    if verdict.qos is not QOSClass.BURSTABLE:
        return
    obstacles = verdict.authored_obstacles
    if any(o.container is None or o.container.type not in _NAMES for o in obstacles):
        return
    for path, group in groupby(obstacles, key=lambda obstacle: obstacle.path):
        found = tuple(group)
        yield Problem(
            Place(HERE, path, Part.KEY),
            f"{_name(found[0])} keeps {OBJECT} from being Guaranteed: it has "
            f"{listing(map(obstacle_phrase, found))}. The pod is Burstable"
            f"{verdict.instead_of_guaranteed}.",
            related=tuple(verdict.causes(path)),
        )


def _name(obstacle: Obstacle) -> str:
    container = obstacle.container
    return f"{_NAMES[container.type]} {container.name!r}" if container else "The pod"
