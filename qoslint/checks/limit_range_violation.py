"""QOS203: a container is outside what a LimitRange allows."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import Problem, Related
from qoslint.model.effective import Admitted
from qoslint.model.refusals import Reason
from qoslint.model.wording import in_container


def check_workload(admitted: Admitted) -> Iterator[Problem]:
    """One problem for each complaint of LimitRanger."""
    for refusal in admitted.refusals:
        if refusal.reason is Reason.LIMIT_RANGE:
            by = refusal.cause_name
            owner = in_container(admitted.workload, refusal.path)
            yield Problem(
                admitted.workload.object.at(refusal.path),
                f"{by} refuses {admitted.pods}{owner}: {refusal.message}.",
                related=(Related(refusal.cause, by),) if refusal.cause else (),
            )
