"""Steps on the way to an effective pod, and what made each, as people name it."""

from __future__ import annotations

from typing import NamedTuple

from qoslint.finding import Place
from qoslint.kernel.outcome import Cause, Change, Outcome, Stage
from qoslint.model.scopes import NamespaceScope, is_namespaced
from qoslint.span import Path, field_path


class Step(NamedTuple):
    """One change on the way to the effective pod; `path` leads into the PodSpec.

    `by` names what did it, such as `LimitRange shop/defaults`; `cause` is its authored field.
    """

    stage: Stage
    by: str
    path: Path
    before: str | None
    after: str
    cause: Place | None

    @property
    def field(self) -> str:
        """The field as people name it inside its container: `limits.memory`."""
        inside = self.path[self.path.index("resources") + 1 :] if "resources" in self.path else ()
        return field_path(inside or self.path)


def step(change: Change, given: NamespaceScope, namespace: str) -> Step:
    """A change of the kernel in the words of the repository; `namespace` is that of the pod."""
    stage, path, before, after, cause, injector = change
    if cause is None:
        return Step(stage, injector or stage.value, path, before, after, None)
    by, place = name_of(cause, given, namespace), place_of(cause, given)
    return Step(stage, by, path, before, after, place)


def name_of(cause: Cause, given: NamespaceScope, namespace: str) -> str:
    """The object that a cause means, as people name it: `LimitRange shop/defaults`."""
    name = given.object_of(cause).name
    return (
        f"{cause.kind} {namespace}/{name}" if is_namespaced(cause.kind) else f"{cause.kind} {name}"
    )


def order_phrase(outcome: Outcome, given: NamespaceScope) -> str:
    """Under which undefined order an outcome comes about: `LimitRange a before b`."""
    if len(outcome.order) > 1:
        first = _listed(outcome.order, given)
        if not outcome.reordered:
            return f"LimitRange {first}"
        return f"LimitRange {first}, and {_listed(outcome.reordered, given)} after injection"
    if outcome.global_default is not None:
        return f"PriorityClass {given.priority_classes[outcome.global_default].name} as default"
    return "the only order"


def _listed(order: tuple[int, ...], given: NamespaceScope) -> str:
    return " comes before ".join(given.limit_ranges[index].name for index in order)


def place_of(cause: Cause, given: NamespaceScope) -> Place:
    """The authored field that a cause means."""
    return given.object_of(cause).at(cause.path)
