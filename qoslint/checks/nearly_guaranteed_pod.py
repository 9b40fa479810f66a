"""QOS105: one resource of one container keeps a pod from being Guaranteed."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import HERE, OBJECT, Place, Problem
from qoslint.kernel.guaranteed import Obstacle
from qoslint.kernel.pod import CPU
from qoslint.kernel.qos import QOSClass
from qoslint.model.uncounted import deciding_zeros
from qoslint.model.verdict import Verdict, causes
from qoslint.model.wording import obstacle_phrase, owner, sentence


def check_pod(verdict: Verdict) -> Iterator[Problem]:
    """One problem if a single setting of a regular container or the pod-level block is off.

    That of an init container is QOS102's, a zero that decides is QOS106's, and a pod without any
    memory request is QOS111's. A pod whose CPU may burst as a whole is no near miss: that is a
    practice of its own.
    """
    if verdict.qos is not QOSClass.BURSTABLE or len(verdict.obstacles) != 1:
        return
    if verdict.requests_no_memory:
        return
    if not verdict.authored_obstacles:
        return  # an injector added the container
    (obstacle,) = verdict.obstacles
    zeros, _ = deciding_zeros(verdict)
    if not zeros and not verdict.demoted_by_init and not _is_cpu_burst(verdict, obstacle):
        yield Problem(
            Place(HERE, (*obstacle.path, *_field(obstacle))),
            f"{sentence(owner(obstacle.container))} has {obstacle_phrase(obstacle)}; that alone "
            f"makes {OBJECT} Burstable instead of Guaranteed{verdict.instead_of_guaranteed}.",
            related=tuple(causes(verdict.effective, obstacle.path)),
        )


def _is_cpu_burst(verdict: Verdict, obstacle: Obstacle) -> bool:
    """Whether the CPU may burst in all of the pod; in one container of several that is a slip."""
    alone = len(verdict.effective.pod.containers) == 1
    return obstacle.resource == CPU and (alone or obstacle.container is None)


def _field(obstacle: Obstacle) -> tuple[str, str]:
    missing = obstacle.limit is None or obstacle.limit.nanos == 0
    return ("limits" if missing else "requests", obstacle.resource)
