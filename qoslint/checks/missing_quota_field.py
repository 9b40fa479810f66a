"""QOS802: a container lacks a request or limit that a ResourceQuota demands."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import Problem, Related
from qoslint.model.effective import Admitted
from qoslint.model.refusals import Reason
from qoslint.model.wording import in_container
from qoslint.span import field_path


def check_workload(admitted: Admitted) -> Iterator[Problem]:
    """One problem for each quota, at the first container that lacks something."""
    for refusal in admitted.refusals:
        if refusal.reason is Reason.QUOTA_DEMAND:
            by = refusal.cause_name
            owner = in_container(admitted.workload, refusal.path)
            yield Problem(
                admitted.workload.object.at(refusal.path),
                f"{by} refuses {admitted.pods}{owner}: {refusal.message}. Set "
                f"{field_path(refusal.path[-3:])} there, or a default for it in a LimitRange.",
                related=(Related(refusal.cause, by),) if refusal.cause else (),
            )
