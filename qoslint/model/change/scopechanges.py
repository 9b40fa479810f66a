"""The LimitRanges, classes and quotas that differ, and which of them can matter to a pod.

Thousands may differ at once, and thousands of pods: only what can matter to a pod is tried on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from qoslint.kernel.features import Features
from qoslint.kernel.injection import Injection
from qoslint.kernel.limitrange import CONTAINER, LimitRange
from qoslint.kernel.limitranger import validate_pod as validate_limits
from qoslint.kernel.outcome import Outcome
from qoslint.kernel.pod import Pod
from qoslint.kernel.priority import PriorityClass
from qoslint.kernel.quota import ResourceQuota
from qoslint.kernel.quotaevaluator import validate_quotas
from qoslint.kernel.scope import Scope
from qoslint.model.change.record import CauseKind

ATTRIBUTES: Mapping[CauseKind, str] = {
    CauseKind.LIMIT_RANGE: "limit_ranges",
    CauseKind.PRIORITY_CLASS: "priority_classes",
    CauseKind.RUNTIME_CLASS: "runtime_classes",
    CauseKind.QUOTA: "quotas",
}
"""In the order in which they decide."""


class ScopeChange(NamedTuple):
    """A record of a scope that is another one, or at one revision alone."""

    kind: CauseKind
    name: str
    earlier: int | None
    """Its index among those of its kind; None if the revision has none of the name."""
    later: int | None


class ScopeChanges(NamedTuple):
    """All records of one kind that differ between the scopes of a namespace."""

    before: Scope
    after: Scope
    changes: tuple[ScopeChange, ...]
    """In the order of the older scope, then of the newer."""
    named: Mapping[str, tuple[int, ...]]
    """The indexes of those of a name."""
    defaults: tuple[int, ...]
    """The indexes of PriorityClasses that are a global default at either revision."""

    def records(self, change: ScopeChange) -> tuple[Any, Any]:
        """What it was and what it is; None where there is nothing of the name."""
        older, newer = (getattr(each, ATTRIBUTES[change.kind]) for each in self[:2])
        return (
            None if change.earlier is None else older[change.earlier],
            None if change.later is None else newer[change.later],
        )

    def reverted(self, change: ScopeChange) -> Scope:
        """The newer scope with that record as it was."""
        attribute = ATTRIBUTES[change.kind]
        older, records = self.records(change)[0], getattr(self.after, attribute)
        own = () if older is None else (older,)
        at = len(records) if change.later is None else change.later
        changed: dict[str, Any] = {attribute: (*records[:at], *own, *records[at + 1 :])}
        return replace(self.after, **changed)


def scope_changes(kind: CauseKind, before: Scope, after: Scope) -> ScopeChanges:
    """The records of a kind that differ; several of a name are paired in their order."""
    older, newer = (getattr(each, ATTRIBUTES[kind]) for each in (before, after))
    earlier, later = _numbered(older), _numbered(newer)
    changes: list[ScopeChange] = []
    named: dict[str, tuple[int, ...]] = {}
    defaults: list[int] = []
    for key in dict.fromkeys((*earlier, *later)):
        one, other = earlier.get(key), later.get(key)
        records = [each[i] for each, i in ((older, one), (newer, other)) if i is not None]
        if len(records) == 2 and records[0] == records[1]:
            continue
        name = key[0]
        named[name] = (*named.get(name, ()), len(changes))
        if any(isinstance(each, PriorityClass) and each.global_default for each in records):
            defaults.append(len(changes))
        changes.append(ScopeChange(kind, name, one, other))
    return ScopeChanges(before, after, tuple(changes), named, tuple(defaults))


def _numbered(records: Sequence[Any]) -> dict[tuple[str, int], int]:
    """The index of each record by its name, and by how many of the name are before it."""
    found: dict[tuple[str, int], int] = {}
    counts: dict[str, int] = {}
    for index, record in enumerate(records):
        name = record.metadata.name
        found[name, counts.get(name, 0)] = index
        counts[name] = counts.get(name, 0) + 1
    return found


def mattering(
    found: ScopeChanges,
    authored: Pod,
    injections: Sequence[Injection],
    outcomes: Sequence[Outcome],
) -> Iterator[ScopeChange]:
    """The changes that can make another pod of an authored one, in their order.

    `outcomes` are those of the newer scope. What is left out makes no difference, however the rest
    of the inputs is.
    """
    if not found.changes:
        return
    match found.changes[0].kind:
        case CauseKind.PRIORITY_CLASS:
            # A class is looked up by the names that author and injectors state, or is the default.
            names = {
                authored.priority_class_name,
                *(each.priority_class_name for each in injections),
            }
            yield from _of_names(found, names)
        case CauseKind.RUNTIME_CLASS:
            yield from _of_names(found, {authored.runtime_class_name})
        case CauseKind.LIMIT_RANGE:
            for change in found.changes:
                if _limits_otherwise(*found.records(change), outcomes, found.after.features):
                    yield change
        case _:
            for change in found.changes:
                if _counts_otherwise(*found.records(change), outcomes, found.after.features):
                    yield change


def _of_names(found: ScopeChanges, names: Iterable[str | None]) -> Iterator[ScopeChange]:
    own = (index for name in names if name for index in found.named.get(name, ()))
    return (found.changes[index] for index in sorted({*own, *found.defaults}))


def _limits_otherwise(
    older: LimitRange | None,
    newer: LimitRange | None,
    outcomes: Sequence[Outcome],
    features: Features,
) -> bool:
    """Whether a LimitRange gives other defaults, or answers otherwise; it refuses by itself."""
    if _defaults(older) != _defaults(newer):
        return True
    return any(
        _refuses_by_limits(older, each.validated, features)
        != _refuses_by_limits(newer, each.validated, features)
        for each in outcomes
        if each.validated is not None
    )


def _defaults(limit_range: LimitRange | None) -> list[tuple[str, str, str]]:
    """What it fills in, in its order, as it is stored."""
    return [
        (key, name, str(quantity))
        for item in (limit_range.limits if limit_range else ())
        if item.type == CONTAINER
        for key, amounts in (("limits", item.default), ("requests", item.default_request))
        for name, quantity in amounts.items()
    ]


def _refuses_by_limits(limit_range: LimitRange | None, pod: Pod, features: Features) -> bool:
    given = () if limit_range is None else (limit_range,)
    return any(True for _ in validate_limits(pod, given, features))


def _counts_otherwise(
    older: ResourceQuota | None,
    newer: ResourceQuota | None,
    outcomes: Sequence[Outcome],
    features: Features,
) -> bool:
    """Whether a quota answers otherwise: a pod is refused if one of them refuses it by itself."""
    return any(
        _refuses_by_quota(older, each, features) != _refuses_by_quota(newer, each, features)
        for each in outcomes
    )


def _refuses_by_quota(quota: ResourceQuota | None, outcome: Outcome, features: Features) -> bool:
    pod, qos = outcome.validated, outcome.qos
    if quota is None or pod is None or qos is None:
        return False
    return any(True for _ in validate_quotas(pod, qos, (quota,), features))
