"""QOS212: huge pages that no container can have in the way they are asked for."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem
from qoslint.kernel.pod import is_hugepage
from qoslint.model.effective import Admitted
from qoslint.model.refusals import Reason, without_copies
from qoslint.model.step import Step
from qoslint.model.wording import fillers, in_container
from qoslint.span import Path


def check_workload(admitted: Admitted) -> Iterator[Problem]:
    """One problem for each refusal, with the fields of LimitRanges that brought the pages."""
    for refusal in without_copies(admitted.refusals, admitted.workload):
        if refusal.reason is Reason.HUGEPAGES:
            what = OBJECT if admitted.effective is None else admitted.pods
            owner = in_container(admitted.workload, refusal.path)
            brought = fillers(_pages(admitted, refusal.path[len(admitted.workload.template) :]))
            yield Problem(
                admitted.workload.object.at(refusal.path),
                f"The API server refuses {what}{owner}: {refusal.message}.",
                related=tuple(brought),
            )


def _pages(admitted: Admitted, path: Path) -> Iterator[Step]:
    """What filled in huge pages in the container or pod that the field at `path` belongs to."""
    owner = path[: path.index("resources")] if "resources" in path else path
    for step in admitted.effective.steps if admitted.effective else ():
        if step.path[: len(owner)] == owner and is_hugepage(str(step.path[-1])):
            yield step
