"""QOS213: the API server refuses an object or its pods for a reason without a rule of its own."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem, Related
from qoslint.kernel.outcome import Stage
from qoslint.model.effective import Admitted
from qoslint.model.refusals import Reason, without_copies


def check_workload(admitted: Admitted) -> Iterator[Problem]:
    """One problem for each refusal of no other kind."""
    for refusal in without_copies(admitted.refusals, admitted.workload):
        if refusal.reason is Reason.OTHER:
            what = OBJECT if admitted.effective is None else admitted.pods
            yield Problem(
                admitted.workload.object.at(refusal.path),
                f"{_who(refusal.by)} refuses {what}: {refusal.message.rstrip('.')}.",
                related=(Related(refusal.cause, refusal.cause_name),) if refusal.cause else (),
            )


def _who(by: Stage) -> str:
    if by in (Stage.DECODE, Stage.VALIDATION):
        return "The API server"
    return f"Admission ({by})"
