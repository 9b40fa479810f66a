"""Effective pods: what the API server makes of each workload's pod template, step by step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from qoslint.finding import OBJECT, Part, Place
from qoslint.kernel.admission import admit
from qoslint.kernel.outcome import Outcome
from qoslint.kernel.pod import Pod
from qoslint.kernel.qos import QOSClass
from qoslint.model.expect.intent import Intent
from qoslint.model.injection import NOTHING, Asked, Decision
from qoslint.model.objects import shortened
from qoslint.model.refusals import Refusal
from qoslint.model.scopes import NamespaceScope
from qoslint.model.step import Step, step
from qoslint.model.workloads import Workload
from qoslint.span import Path, value_at

_DECIDING_CLASS = ("LimitRange", "PodLevelResources")


@dataclass(frozen=True, slots=True, eq=False)
class Effective:
    """A pod after defaulting and admission: one value for all equal pods of a namespace."""

    authored: Pod
    given: NamespaceScope
    outcomes: tuple[Outcome, ...]
    """Every result that an order which Kubernetes leaves undefined allows."""
    shown: Outcome
    """The first outcome in which the pod is not refused, or the first if all refuse it."""
    namespace: str
    injection: Decision = NOTHING

    @property
    def steps(self) -> tuple[Step, ...]:
        """The changes of the shown outcome, in the order in which they happen."""
        return tuple(step(change, self.given, self.namespace) for change in self.shown.changes)

    @property
    def pod(self) -> Pod:
        """The effective pod of the shown outcome, as far as it got."""
        return self.shown.pod

    @property
    def injected(self) -> tuple[tuple[Path, str], ...]:
        """The path of each container that an injector added, and the injector's name."""
        paths = (path for path, _ in self.pod.containers_with_paths())
        origins = zip(paths, self.shown.origins, strict=False)
        return tuple((path, origin.by) for path, origin in origins if origin.authored is None)

    @property
    def admitted(self) -> bool | None:
        """Whether the pod is created; None if that is unknown or depends on an undefined order."""
        answers = {outcome.admitted for outcome in self.outcomes}
        if len(answers) > 1 or (self.injection.uncertain and self._may_differ(*answers)):
            return None
        return answers.pop()

    def _may_differ(self, admitted: bool | None) -> bool:
        """Whether what is not known of injection could change the answer of admission."""
        if any(each.anything for each in self.injection.uncertain):
            return True
        scope, pod = self.given.scope, self.authored
        bounded = scope.limit_ranges or scope.quotas or pod.resources is not None
        return admitted is not False and bool(bounded)

    @property
    def classes(self) -> tuple[QOSClass, ...]:
        """The classes that the pod can have if it is admitted, sorted.

        More containers can take a pod out of both classes that ask something of each container.
        """
        found = {item.qos for item in self.outcomes if item.qos and item.admitted is not False}
        if any(each.anything for each in self.injection.uncertain):
            found = set(QOSClass)
        elif found and self.injection.uncertain:
            found.add(QOSClass.BURSTABLE)
        return tuple(sorted(found))

    @property
    def qos(self) -> QOSClass | None:
        """The class of the pod; None if it is refused, or if its class is not known."""
        return class_of(self.outcomes) if len(self.classes) == 1 else None


@dataclass(frozen=True, slots=True, eq=False)
class Admitted:
    """A workload with what becomes of its pods.

    `effective` is None if the workload itself is refused, or if what its pods are is not known.
    """

    workload: Workload
    cluster: str
    namespace: str
    refusals: tuple[Refusal, ...] = ()
    effective: Effective | None = None
    hidden: tuple[str, ...] = ()
    """Why it is not known what the pods are."""
    intents: tuple[Intent, ...] = ()
    """What somebody wants of the pods."""

    @property
    def admitted(self) -> bool | None:
        """Whether its pods are created; None if that is unknown."""
        if self.effective:
            return self.effective.admitted
        return False if self.refusals else None

    @property
    def qos(self) -> QOSClass | None:
        """The class of its pods; None if they are refused, or if it is not known."""
        return None if self.effective is None else self.effective.qos

    @property
    def unknowns(self) -> tuple[str, ...]:
        """What the answer depends on and the repository does not hold."""
        if not self.effective:
            return self.hidden
        changing = (
            f"{'mutation' if each.anything else 'injection'} by {each.by}"
            for each in self.effective.injection.uncertain
        )
        return (
            *(f"{item.kind} {item.name}" for item in self.effective.shown.unknowns),
            *dict.fromkeys(changing),
        )

    def at(self, path: Path = (), part: Part = Part.ENTRY) -> Place:
        """The place of a field of the effective pod, as far as the workload states it."""
        path = self.effective.shown.authored(path) if self.effective else path
        return self.workload.at(path, part)

    def at_amount(self, path: Path) -> Place:
        """The place of a request, or of the limit that it is the copy of if only that is stated."""
        limit = (*path[:-2], "limits", *path[-1:])
        if path[-2:-1] == ("requests",) and self.effective:
            stated = [
                value_at(self.workload.pod_spec, self.effective.shown.authored(each))
                for each in (path, limit)
            ]
            if stated[0] is None and stated[1] is not None:
                return self.at(limit)
        return self.at(path)

    def place_of(self, asked: Asked) -> Place:
        """Where the injection is asked for."""
        if asked.cause is not None:
            return asked.cause
        metadata = self.workload.metadata
        if not asked.field or metadata is None:
            return self.workload.at((), Part.KEY)
        return self.workload.object.at((*metadata, *asked.field))

    @property
    def pods(self) -> str:
        """The pods in the middle of a sentence, with `OBJECT` for the workload's name."""
        return OBJECT if self.workload.object.kind == "Pod" else f"every pod of {OBJECT}"

    @property
    def label(self) -> str:
        """The workload as people name it: `Deployment shop/api`."""
        thing = self.workload.object
        return shortened(f"{thing.kind} {self.namespace}/{thing.name}")


def class_of(outcomes: Iterable[Outcome]) -> QOSClass | None:
    """The class of a pod that is admitted; None if it is refused, or if the class is not known."""
    possible = [outcome for outcome in outcomes if outcome.admitted is not False]
    unknowns = (unknown for outcome in possible for unknown in outcome.unknowns)
    if any(unknown.kind in _DECIDING_CLASS for unknown in unknowns):
        return None
    classes = {outcome.qos for outcome in possible}
    return classes.pop() if len(classes) == 1 else None


def without_injectors(effective: Effective) -> tuple[Outcome, ...]:
    """Every outcome of creating the pod if no injector acted upon it."""
    return admit(effective.authored, effective.given.scope)
