"""QOS154: what an injector does to a pod makes the API server refuse it."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import Problem, Related
from qoslint.kernel.outcome import Stage
from qoslint.model.effective import Admitted
from qoslint.model.refusals import Reason, Refusal
from qoslint.model.wording import listing


def check_workload(admitted: Admitted) -> Iterator[Problem]:
    """One problem for each reason that a pod without injectors does not have."""
    for refusal in admitted.refusals:
        if refusal.reason is Reason.INJECTED and admitted.effective:
            acting = admitted.effective.injection.acting
            names = listing(each.injector.name for each in acting)
            yield Problem(
                admitted.place_of(acting[0].asked),
                f"{_who(refusal)} refuses {admitted.pods} for what {names} "
                f"{'adds' if len(acting) == 1 else 'add'}{_where(refusal)}: "
                f"{refusal.message.rstrip('.')}.",
                related=(Related(refusal.cause, refusal.cause_name),) if refusal.cause else (),
            )


def _who(refusal: Refusal) -> str:
    return "The API server" if refusal.by is Stage.VALIDATION else str(refusal.by)


def _where(refusal: Refusal) -> str:
    return f", container {refusal.injected!r}" if refusal.injected else ""
