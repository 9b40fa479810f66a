"""QOS202: a request is above the limit that a LimitRange fills in."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import Problem, Related
from qoslint.model.effective import Admitted, Step
from qoslint.model.objects import get
from qoslint.model.refusals import Reason
from qoslint.model.wording import resource_name
from qoslint.span import Path


def check_workload(admitted: Admitted) -> Iterator[Problem]:
    """One problem for each request that a filled-in limit undercuts."""
    for refusal in admitted.refusals:
        if refusal.reason is Reason.REQUEST_ABOVE_DEFAULT_LIMIT:
            for step in _limit_steps(admitted, refusal.path):
                request = get(admitted.workload.object.data, refusal.path)
                name = resource_name(str(step.path[-1]))
                yield Problem(
                    admitted.workload.object.at(refusal.path),
                    f"The API server refuses {admitted.pods}: it requests {name} {request} and "
                    f"sets no limit, so {step.by} fills in the limit {step.after}, which is less.",
                    related=(Related(step.cause, f"{step.by}"),) if step.cause else (),
                )


def _limit_steps(admitted: Admitted, path: Path) -> Iterator[Step]:
    """The step that filled in the limit of the request at `path`."""
    *owner, _, resource = path[len(admitted.workload.template) :]
    for step in admitted.effective.steps if admitted.effective else ():
        if step.path == (*owner, "limits", resource):
            yield step
