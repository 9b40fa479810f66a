"""QOS210: what containers have does not fit the pod-level resources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from qoslint.finding import OBJECT, Part, Problem, Severity
from qoslint.kernel.outcome import Stage
from qoslint.model.effective import Admitted, Effective
from qoslint.model.refusals import Reason
from qoslint.model.step import Step
from qoslint.model.wording import filled_in, fillers, in_container, listing


def check_workload(admitted: Admitted) -> Iterator[Problem]:
    """One problem for each refusal; else one if a LimitRange gives containers values of their own.

    Of the latter only those count that the pod level names as well.
    """
    filled = tuple(_filled(admitted.effective)) if admitted.effective else ()
    for refusal in admitted.refusals:
        if refusal.reason is Reason.POD_LEVEL:
            what = OBJECT if admitted.effective is None else admitted.pods
            owner = in_container(admitted.workload, refusal.path)
            same = [step for step in filled if step.path[-1] == refusal.path[-1]]
            yield Problem(
                admitted.workload.object.at(refusal.path),
                f"The API server refuses {what}{owner}: {refusal.message}."
                f"{f' {_given(same)}.' if same else ''}",
                related=tuple(fillers(same)),
                severity=Severity.ERROR,
            )
    if filled and admitted.effective and admitted.admitted is not False:
        limits = [step for step in filled if step.path[-2] == "limits"]
        own = list(_late_requests(admitted.effective))
        if limits:
            consequence = "so each is held to its own, even while others leave theirs unused"
        elif own:
            consequence = f"whose sum becomes what the pod requests: {filled_in(own)}"
        else:
            consequence = "which reserves nothing more, for the pod level decides what is reserved"
        yield Problem(
            admitted.workload.at(("resources",), Part.KEY),
            f"{OBJECT} states its resources for the pod as a whole, and {_given(limits or filled)} "
            f"for single containers, {consequence}. The class goes by the pod level alone.",
            related=tuple(fillers(filled)),
            severity=None if limits else Severity.NOTE,
        )


def _late_requests(effective: Effective) -> Iterator[Step]:
    """Pod-level requests that come from what LimitRanges gave the containers (since v1.37)."""
    given: set[str | int] = set()
    for step in effective.steps:
        if step.stage is Stage.LIMIT_RANGER and step.path[-2] == "requests":
            given.add(step.path[-1])
        elif step.path[:2] == ("resources", "requests") and step.path[-1] in given:
            yield step


def _filled(effective: Effective) -> Iterator[Step]:
    """What LimitRanges fill in of resources that the pod level names."""
    block = effective.authored.resources
    if block is not None and effective.pod.resources is not None:
        named = {*block.requests, *block.limits}
        for step in effective.steps:
            if step.stage is Stage.LIMIT_RANGER and step.path[-1] in named:
                yield step


def _given(steps: Sequence[Step]) -> str:
    groups = groupby(steps, key=lambda step: step.by)
    return listing(f"{by} fills in {filled_in(list(group))}" for by, group in groups)
