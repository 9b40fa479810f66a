"""PriorityClasses, and the priority that the API server gives a pod.

Mirrors `pkg/apis/scheduling/validation/validation.go`, `pkg/apis/scheduling/v1/helpers.go` and
`plugin/pkg/admission/priority/admission.go` (unchanged in v1.31 to v1.36).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from qoslint.kernel.jsonvalue import boolean, int32, mapping, optional_string
from qoslint.kernel.metadata import ObjectMeta, decode_object_meta, validate_object_meta
from qoslint.kernel.outcome import Cause, Change, Outcome, Rejection, Stage, Unknown
from qoslint.kernel.pod import (
    SYSTEM_CLUSTER_CRITICAL,
    SYSTEM_CRITICAL_PRIORITY,
    SYSTEM_NODE_CRITICAL,
    Path,
)
from qoslint.kernel.validation.field import (
    ROOT,
    Field,
    FieldError,
    forbidden,
    not_supported,
    required,
)
from qoslint.kernel.validation.names import is_dns1123_subdomain

KIND = "PriorityClass"
HIGHEST_USER_DEFINABLE_PRIORITY = 1_000_000_000
PREEMPT_LOWER_PRIORITY = "PreemptLowerPriority"
PREEMPTION_POLICIES = (PREEMPT_LOWER_PRIORITY, "Never")

_SYSTEM_PREFIX = "system-"


@dataclass(frozen=True, slots=True)
class PriorityClass:
    """A PriorityClass as the API server stores it."""

    metadata: ObjectMeta
    value: int = 0
    global_default: bool = False
    preemption_policy: str = PREEMPT_LOWER_PRIORITY

    @property
    def name(self) -> str:
        """The name that pods refer to."""
        return self.metadata.name


BUILT_IN = {
    name: PriorityClass(ObjectMeta(name), value)
    for name, value in (
        (SYSTEM_CLUSTER_CRITICAL, SYSTEM_CRITICAL_PRIORITY),
        (SYSTEM_NODE_CRITICAL, SYSTEM_CRITICAL_PRIORITY + 1000),
    )
}
"""The classes that every cluster has; the API server makes them again if they are deleted."""

_NO_CLASS = PriorityClass(ObjectMeta())


def decode_priority_class(data: object) -> PriorityClass:
    """The PriorityClass of a JSON object; DecodeError for what cannot be read."""
    root = mapping(data, ())
    policy = optional_string(root, "preemptionPolicy")
    return PriorityClass(
        decode_object_meta(root.get("metadata"), ("metadata",)),
        value=int32(root, "value") or 0,
        global_default=bool(boolean(root, "globalDefault")),
        preemption_policy=PREEMPT_LOWER_PRIORITY if policy is None else policy,
    )


def validate_priority_class(priority_class: PriorityClass) -> Iterator[FieldError]:
    """What is wrong with a PriorityClass; none could exist with it."""
    field = ROOT.child("metadata")
    yield from validate_object_meta(priority_class.metadata, field, is_dns1123_subdomain)
    if priority_class.name.startswith(_SYSTEM_PREFIX):
        for problem in _unlike_built_in(priority_class):
            yield forbidden(
                field.child("name"),
                f"priority class names with '{_SYSTEM_PREFIX}' prefix are reserved for system use "
                f"only. error: {problem}",
            )
    elif priority_class.value > HIGHEST_USER_DEFINABLE_PRIORITY:
        yield forbidden(
            ROOT.child("value"),
            "maximum allowed value of a user defined priority is "
            f"{HIGHEST_USER_DEFINABLE_PRIORITY}",
        )
    yield from validate_preemption_policy(
        priority_class.preemption_policy, ROOT.child("preemptionPolicy")
    )


def _unlike_built_in(priority_class: PriorityClass) -> Iterator[str]:
    known = BUILT_IN.get(priority_class.name)
    if known is None:
        yield f"{priority_class.name} is not a known system priority class"
    elif priority_class.value != known.value:
        yield f"value of {known.name} PriorityClass must be {known.value}"
    elif priority_class.global_default:
        yield f"globalDefault of {known.name} PriorityClass must be false"


def validate_preemption_policy(policy: str, field: Field) -> Iterator[FieldError]:
    """What is wrong with the policy of a class or pod (`ValidatePreemptionPolicy`)."""
    if not policy:
        yield required(field)
    elif policy not in PREEMPTION_POLICIES:
        yield not_supported(field, policy, PREEMPTION_POLICIES)


def default_classes(classes: Sequence[PriorityClass]) -> tuple[int, ...]:
    """The indexes of the classes that pods without a class can get (`getDefaultPriorityClass`).

    Of the global defaults the lowest value counts. Several can tie, since each was the only one
    when it was made; which one then applies is not fixed.
    """
    defaults = [index for index, item in enumerate(classes) if item.global_default]
    lowest = min((classes[index].value for index in defaults), default=0)
    return tuple(index for index in defaults if classes[index].value == lowest)


def find_class(
    name: str, classes: Sequence[PriorityClass]
) -> tuple[int | None, PriorityClass | None]:
    """The class of that name and its index; the index is None for a built-in one."""
    for index, item in enumerate(classes):
        if item.name == name:
            return index, item
    return None, BUILT_IN.get(name)


def set_default_class(
    outcome: Outcome, classes: Sequence[PriorityClass], global_default: int
) -> Outcome:
    """Give a pod without a class the default one (`admission.go getDefaultPriority`)."""
    name = classes[global_default].name
    cause = Cause(global_default, KIND, ("globalDefault",))
    change = Change(Stage.PRIORITY, ("priorityClassName",), None, name, cause)
    named = outcome._replace(global_default=global_default)
    return named.with_changes(outcome.pod._replace(priority_class_name=name), (change,))


def admit_priority(
    outcome: Outcome, classes: Sequence[PriorityClass], *, complete: bool
) -> Outcome:
    """Resolve the pod's class to a priority and preemption policy (`admission.go admitPod`).

    A pod without a class gets priority 0. A missing class refuses the pod if the classes are
    `complete`, else the priority stays unknown.
    """
    name = outcome.pod.priority_class_name
    if not name:
        return _set_priority(outcome, _NO_CLASS, None)
    index, found = find_class(name, classes)
    if found is not None:
        return _set_priority(outcome, found, index)
    path: Path = ("priorityClassName",)
    if not complete:
        return outcome.unsure(Unknown(KIND, name, path))
    missing = f"no PriorityClass with name {name} was found"
    return outcome.refused((_rejection(missing, path, None),))


def _set_priority(outcome: Outcome, found: PriorityClass, index: int | None) -> Outcome:
    """Set the class's two values; a value that the pod brings may only repeat them."""
    pod = outcome.pod
    computed = "must not be provided in pod spec; priority admission controller computed"
    source = "from the given PriorityClass name"
    if pod.priority not in (None, found.value):
        text = f"the integer value of priority ({pod.priority}) {computed} {found.value} {source}"
        return outcome.refused((_rejection(text, ("priority",), _cause(index, "value")),))
    policy = found.preemption_policy
    if pod.preemption_policy not in (None, policy):
        text = f"the string value of PreemptionPolicy ({pod.preemption_policy}) {computed}"
        where = _cause(index, "preemptionPolicy")
        return outcome.refused(
            (_rejection(f"{text} {policy} {source}", ("preemptionPolicy",), where),)
        )
    changes = []
    if pod.priority is None:
        after, cause = str(found.value), _cause(index, "value")
        changes.append(Change(Stage.PRIORITY, ("priority",), None, after, cause))
    if pod.preemption_policy is None:
        cause = _cause(index, "preemptionPolicy")
        changes.append(Change(Stage.PRIORITY, ("preemptionPolicy",), None, policy, cause))
    resolved = pod._replace(priority=found.value, preemption_policy=policy)
    return outcome.with_changes(resolved, changes)


def _cause(index: int | None, key: str) -> Cause | None:
    return None if index is None else Cause(index, KIND, (key,))


def _rejection(message: str, path: Path, cause: Cause | None) -> Rejection:
    return Rejection(Stage.PRIORITY, message, path, cause)
