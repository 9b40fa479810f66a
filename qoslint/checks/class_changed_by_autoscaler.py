"""QOS806: a VerticalPodAutoscaler changes the class of the pods that it resizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from qoslint.finding import OBJECT, Problem, Related, Severity
from qoslint.kernel.pod import Container, ContainerType
from qoslint.kernel.qos import QOSClass
from qoslint.model.autoscaler import (
    GROUP,
    IN_PLACE,
    KIND,
    Autoscaler,
    ContainerPolicy,
    read_autoscaler,
)
from qoslint.model.effective import Admitted
from qoslint.model.judged import JudgedCluster
from qoslint.model.verdict import Verdict

_Pods: TypeAlias = Mapping[tuple[str, str, str], list[tuple[Verdict, Admitted]]]


def check_cluster(judged: JudgedCluster) -> Iterator[Problem]:
    """Bounds that contradict each other, and one problem for each workload that changes class."""
    found = [each for each in judged.cluster.objects if (each.group, each.kind) == (GROUP, KIND)]
    pods = _by_name(judged) if found else {}
    for obj in found:
        autoscaler = read_autoscaler(obj)
        about = f"{KIND} {judged.cluster.qualified_name(obj)}"
        group, kind, name = autoscaler.target
        problems = list(_contradictions(autoscaler))
        for verdict, admitted in pods.get((judged.cluster.namespace_of(obj), kind, name), ()):
            if autoscaler.updates and group in ("", admitted.workload.object.group):
                problems.extend(_class_changes(autoscaler, verdict, admitted))
        for problem in problems:
            yield problem._replace(about=about)


def _by_name(judged: JudgedCluster) -> _Pods:
    found: dict[tuple[str, str, str], list[tuple[Verdict, Admitted]]] = {}
    for verdict, sharing in judged.verdicts:
        for item in sharing:
            thing = item.workload.object
            found.setdefault((item.namespace, thing.kind, thing.name), []).append((verdict, item))
    return found


def _contradictions(autoscaler: Autoscaler) -> Iterator[Problem]:
    for policy in autoscaler.policies:
        most = dict(policy.most)
        for name, least in policy.least:
            if name in most and most[name].nanos < least.nanos:
                yield Problem(
                    autoscaler.object.at((*policy.path, "maxAllowed", name)),
                    f"The webhook of the autoscaler refuses {OBJECT}: maxAllowed.{name} "
                    f"{most[name]} is below minAllowed.{name} {least}.",
                    severity=Severity.ERROR,
                )


def _class_changes(
    autoscaler: Autoscaler, verdict: Verdict, admitted: Admitted
) -> Iterator[Problem]:
    # Neither does it know pod-level resources, nor does it resize init containers.
    if verdict.pod_level:
        return
    policies = [
        (each, autoscaler.policy(each.name))
        for _, each in verdict.effective.pod.containers_with_paths()
        if each.type is ContainerType.CONTAINER
    ]
    resized = [(each, policy) for each, policy in policies if policy.on and policy.resources]
    related = (Related(admitted.workload.at(), admitted.label),)
    if verdict.qos is QOSClass.BEST_EFFORT and resized:
        yield Problem(
            autoscaler.object.at(("spec", "targetRef")),
            f"{OBJECT} gives the pods of {admitted.label} requests when they are created, so that "
            f"they run as Burstable and not as BestEffort.{_in_place(autoscaler)}",
            related,
            Severity.NOTE,
        )
    for container, policy in resized:
        if verdict.qos is QOSClass.GUARANTEED and _comes_apart(container, policy):
            yield Problem(
                autoscaler.object.at((*policy.path, "controlledValues")),
                f"{OBJECT} sets the requests of container {container.name!r} of {admitted.label} "
                "and leaves its limits, so that pods which are Guaranteed as written run as "
                f"Burstable.{_in_place(autoscaler)}",
                related,
            )
            return


def _comes_apart(container: Container, policy: ContainerPolicy) -> bool:
    """Whether a request can differ from its limit, above which no request is set."""
    least, limits = dict(policy.least), container.resources.limits
    return policy.requests_only and any(
        name not in least or least[name].nanos < limits[name].nanos for name in policy.resources
    )


def _in_place(autoscaler: Autoscaler) -> str:
    if autoscaler.mode != IN_PLACE:
        return ""
    return (
        " Kubernetes refuses to resize a running pod into another class, so the autoscaler evicts "
        "it instead."
    )
