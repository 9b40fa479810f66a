"""Why the pods of a workload are refused, told of the workload as it is written."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.kernel.outcome import Outcome, Rejection
from qoslint.model.effective import Effective, without_injectors
from qoslint.model.refusals import Reason, Refusal, reason
from qoslint.model.step import name_of, order_phrase, place_of
from qoslint.model.workloads import Workload
from qoslint.span import Path


def object_refusals(workload: Workload, found: tuple[Rejection, ...]) -> Iterator[Refusal]:
    """Why the object itself is refused, so that there are no pods."""
    for rejection in found:
        kind = reason(rejection, rejection.path, workload)
        yield Refusal(rejection.by, rejection.message, rejection.path, kind)


def pod_refusals(
    workload: Workload, effective: Effective, metadata: tuple[Rejection, ...], namespace: str
) -> Iterator[Refusal]:
    """Why the pods are refused; where only some orders refuse them, under which."""
    given = effective.given
    always = all(outcome.admitted is False for outcome in effective.outcomes)
    changing = [each.by for each in effective.injection.uncertain if each.anything]
    unless = f", unless {' or '.join(changing)} changes the pod" if changing else ""
    refused = any(outcome.rejections for outcome in effective.outcomes)
    injected = refused and _is_injected(effective)
    for outcome in effective.outcomes[:1] if always else effective.outcomes:
        condition = unless if always else f", if {order_phrase(outcome, given)}{unless}"
        for rejection in outcome.rejections:
            of_metadata = rejection in metadata
            inside = outcome.authored(rejection.path)
            path = rejection.path if of_metadata else (*workload.template, *inside)
            cause = rejection.cause
            yield Refusal(
                rejection.by,
                f"{rejection.message}{condition}",
                path,
                Reason.INJECTED if injected else reason(rejection, path, workload),
                place_of(cause, given) if cause else None,
                name_of(cause, given, namespace) if cause else "",
                condition,
                _container_at(rejection.path, outcome),
            )


def _is_injected(effective: Effective) -> bool:
    """Whether the pod is only refused for what injectors do to it."""
    if not effective.injection.acting:
        return False
    return all(outcome.admitted is not False for outcome in without_injectors(effective))


def _container_at(path: Path, outcome: Outcome) -> str:
    """The name of the container that an injector added, if the path leads into one."""
    origin = outcome.origin(path)
    if origin is None or origin.authored is not None:
        return ""
    return next(
        each.name for where, each in outcome.pod.containers_with_paths() if where == path[:2]
    )
