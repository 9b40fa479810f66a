"""LimitRanges that hold together, and what they make of a container that states nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from qoslint.kernel.admission import admit
from qoslint.kernel.decode import decode_pod_spec
from qoslint.kernel.outcome import Outcome, Rejection, Stage
from qoslint.model.cluster import Cluster
from qoslint.model.scopes import NamespaceScope
from qoslint.model.step import Step, step

Slot: TypeAlias = tuple[str, str]
"""What a default fills in: `requests` or `limits`, and a resource name."""

_BOTH = ("requests", "limits")
_COMPARED = {"min": ("requests",), "max": ("limits",), "maxLimitRequestRatio": _BOTH}
"""What a field of a LimitRange is compared with, where the bare container has it."""

_BARE = decode_pod_spec({"containers": [{"name": "bare", "image": "bare"}]})


@dataclass(frozen=True, slots=True, eq=False)
class Ruled:
    """LimitRanges of one namespace, and every outcome of a pod with one bare container there."""

    namespace: str
    given: NamespaceScope
    outcomes: tuple[Outcome, ...]

    def steps(self, outcome: Outcome) -> tuple[Step, ...]:
        """What LimitRanges fill in."""
        return tuple(
            step(change, self.given, self.namespace)
            for change in outcome.changes
            if change.stage is Stage.LIMIT_RANGER
        )

    @property
    def always_refused(self) -> bool:
        """Whether no order of the LimitRanges admits the bare container."""
        return all(outcome.rejections for outcome in self.outcomes)


class RefusedDefault(NamedTuple):
    """What LimitRanges fill in and then a LimitRange, or validation, refuses."""

    rejection: Rejection
    steps: tuple[Step, ...]

    @property
    def may_be_one_of_many(self) -> bool:
        """Whether it is only too little for a pod: more containers may be enough."""
        return self.rejection.path == ("containers",) and _bound(self.rejection) == "min"


def ruled(cluster: Cluster) -> Iterator[Ruled]:
    """The LimitRanges of each namespace; of those that may get any, those of each file."""
    for namespace, given in cluster.standing_together():
        if given.limit_ranges:
            scope = replace(given.scope, priority_classes=(), runtime_classes=(), quotas=())
            yield Ruled(namespace, given, admit(_BARE, scope))


def refused_defaults(each: Ruled) -> Iterator[RefusedDefault]:
    """The defaults that are refused in the first order.

    A complaint that something is missing is not among them: such a LimitRange may be meant to make
    authors state it.
    """
    outcome = each.outcomes[0]
    filled = each.steps(outcome)
    for rejection in outcome.rejections:
        steps = tuple(filling for filling in filled if _is_about(rejection, filling))
        needed = len(_COMPARED[_bound(rejection)]) if rejection.cause else 1
        if len(steps) >= needed:
            yield RefusedDefault(rejection, steps)


def _bound(rejection: Rejection) -> str:
    """The field of a LimitRange that refuses: `min`, `max`; empty if validation does."""
    return str(rejection.cause.path[-2]) if rejection.cause else ""


def _is_about(rejection: Rejection, filling: Step) -> bool:
    if rejection.cause:
        *_, bound, name = rejection.cause.path
        return filling.path[-1] == name and filling.path[-2] in _COMPARED[str(bound)]
    path = rejection.path
    return filling.path[: len(path)] == path or filling.path[-1] == path[-1]


def disagreements(each: Ruled) -> Mapping[Slot, tuple[Step, ...]]:
    """For each value that depends on the order, the different fillings, by what is filled in."""
    found: dict[Slot, dict[int, Step]] = {}
    for outcome in each.outcomes:
        bare = outcome.pod.containers[0].resources
        for filling in each.steps(outcome):
            field, name = str(filling.path[-2]), str(filling.path[-1])
            amount = (bare.requests if field == "requests" else bare.limits)[name].nanos
            found.setdefault((field, name), {}).setdefault(amount, filling)
    return {slot: tuple(steps.values()) for slot, steps in found.items() if len(steps) > 1}
