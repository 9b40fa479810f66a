"""QOS105: one resource of one container keeps a pod from being Guaranteed."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import HERE, OBJECT, Place, Problem
from qoslint.kernel.guaranteed import Obstacle
from qoslint.kernel.pod import ContainerType
from qoslint.kernel.qos import QOSClass
from qoslint.model.verdict import Verdict
from qoslint.model.wording import obstacle_phrase


def check_pod(verdict: Verdict) -> Iterator[Problem]:
    """One problem if a single setting of a regular container or the pod-level block is off."""
    if verdict.qos is not QOSClass.BURSTABLE or len(verdict.obstacles) != 1:
        return
    if not verdict.authored_obstacles:
        return  # an injector added the container
    (obstacle,) = verdict.obstacles
    if obstacle.container is None or obstacle.container.type is ContainerType.CONTAINER:
        yield Problem(
            Place(HERE, (*obstacle.path, *_field(obstacle))),
            f"{_owner(obstacle)} has {obstacle_phrase(obstacle)}; that alone makes {OBJECT} "
            f"Burstable instead of Guaranteed{verdict.instead_of_guaranteed}.",
            related=tuple(verdict.causes(obstacle.path)),
        )


def _owner(obstacle: Obstacle) -> str:
    if obstacle.container is None:
        return "The pod-level block"
    return f"Container {obstacle.container.name!r}"


def _field(obstacle: Obstacle) -> tuple[str, str]:
    missing = obstacle.limit is None or obstacle.limit.nanos == 0
    return ("limits" if missing else "requests", obstacle.resource)
