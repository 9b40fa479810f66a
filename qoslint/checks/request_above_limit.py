"""QOS201: a request is above its limit as written."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem, Related
from qoslint.model.effective import Admitted
from qoslint.model.refusals import Reason
from qoslint.model.wording import in_container


def check_workload(admitted: Admitted) -> Iterator[Problem]:
    """One problem for each resource whose own request and limit contradict each other."""
    for refusal in admitted.refusals:
        if refusal.reason is Reason.REQUEST_ABOVE_LIMIT:
            *block, _, resource = refusal.path
            limit = admitted.workload.object.at((*block, "limits", resource))
            owner = in_container(admitted.workload, refusal.path)
            yield Problem(
                admitted.workload.object.at(refusal.path),
                f"The API server refuses {OBJECT}{owner}: {refusal.message}.",
                related=(Related(limit, "the limit"),),
            )
