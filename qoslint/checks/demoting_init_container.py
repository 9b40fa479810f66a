"""QOS102: an init container or sidecar keeps a pod from being Guaranteed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from qoslint.finding import HERE, OBJECT, Part, Place, Problem
from qoslint.model.verdict import Verdict, causes
from qoslint.model.wording import listing, obstacle_phrase, owner, sentence


def check_pod(verdict: Verdict) -> Iterator[Problem]:
    """One problem for each init container or sidecar, if they alone stand in the way.

    What an injector added is not the manifest's to change: QOS151 and QOS153 tell of it.
    """
    if not verdict.demoted_by_init:
        return
    instead = verdict.instead_of_guaranteed
    for path, group in groupby(verdict.authored_obstacles, key=lambda obstacle: obstacle.path):
        found = tuple(group)
        yield Problem(
            Place(HERE, path, Part.KEY),
            f"{sentence(owner(found[0].container))} keeps {OBJECT} from being Guaranteed: it has "
            f"{listing(map(obstacle_phrase, found))}. The pod is Burstable"
            f"{instead}.",
            related=tuple(causes(verdict.effective, path)),
        )
