"""QOS501: the kernel prefers to kill the sidecar on which its pod depends."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter

from qoslint.finding import HERE, OBJECT, Place, Problem
from qoslint.kernel.pod import MEMORY, Container, ContainerType
from qoslint.model.pattern import fits_any
from qoslint.model.subject import Options
from qoslint.model.verdict import RunningScore, Verdict


def check_pod(verdict: Verdict, options: Options) -> Iterator[Problem]:
    """One problem for the sidecar with the worst score of its pod, on the node that shows it best.

    Only `margin` points or more from the best regular container are told.
    """
    by_node = groupby(verdict.running_scores(), key=attrgetter("kubelet"))
    pairs = [pair for _, scores in by_node for pair in _worst_and_best(list(scores), options)]
    if pairs:
        worst, best = max(pairs, key=lambda pair: pair[0].score - pair[1].score)
        requests = worst.container.resources.requests
        request = f"requests {requests[MEMORY]}" if MEMORY in requests else "requests no memory"
        yield Problem(
            Place(HERE, (*worst.path, "resources", "requests", MEMORY)),
            f"Container {worst.container.name!r} of {OBJECT} {request} and has oom_score_adj "
            f"{worst.score} on node {worst.kubelet.node.name}, container {best.container.name!r} "
            f"has {best.score}: out of memory, the kernel kills the sidecar first, and the pod "
            "with it stops working.",
        )


def _worst_and_best(
    scores: list[RunningScore], options: Options
) -> Iterator[tuple[RunningScore, RunningScore]]:
    """The sidecar of highest and the other container of lowest score on one node, if far apart."""
    sidecars = [each for each in scores if _is_sidecar(each.container, options["sidecars"])]
    others = [each for each in scores if not _is_sidecar(each.container, options["sidecars"])]
    if sidecars and others:
        by_score = attrgetter("score")
        worst, best = max(sidecars, key=by_score), min(others, key=by_score)
        most = max(others, key=by_score)
        if worst.score >= most.score and worst.score - best.score >= options["margin"]:
            yield worst, best


def _is_sidecar(container: Container, patterns: tuple[str, ...]) -> bool:
    return container.type is ContainerType.SIDECAR or fits_any(container.name, patterns)
