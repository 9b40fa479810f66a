"""QOS202: a request is above the limit that a LimitRange fills in."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import Problem, Related
from qoslint.model.effective import Admitted
from qoslint.model.refusals import Reason
from qoslint.model.step import Step
from qoslint.model.wording import in_container, resource_name
from qoslint.span import Path, value_at


def check_workload(admitted: Admitted) -> Iterator[Problem]:
    """One problem for each request that a filled-in limit undercuts."""
    for refusal in admitted.refusals:
        if refusal.reason is Reason.REQUEST_ABOVE_DEFAULT_LIMIT:
            request = value_at(admitted.workload.object.data, refusal.path)
            owner = in_container(admitted.workload, refusal.path)
            name = resource_name(str(refusal.path[-1]))
            step = _limit_step(admitted, refusal.path)
            by = f"{step.by} fills in {step.after}" if step else "a default is filled in"
            yield Problem(
                admitted.workload.object.at(refusal.path),
                f"The API server refuses {admitted.pods}{owner}: it requests {name} {request} and "
                f"sets no limit, so {by}, which is less{refusal.condition}.",
                related=(Related(step.cause, step.by),) if step and step.cause else (),
            )


def _limit_step(admitted: Admitted, path: Path) -> Step | None:
    """The step that filled in the limit of the request at `path`."""
    *owner, _, resource = path[len(admitted.workload.template) :]
    limit = (*owner, "limits", resource)
    effective = admitted.effective
    steps = effective.steps if effective else ()
    found = (s for s in steps if effective and effective.shown.authored(s.path) == limit)
    return next(found, None)
