"""QOS306: a system class outside the namespaces of the system."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem, Severity
from qoslint.kernel.priority import BUILT_IN
from qoslint.kernel.quota import PRIORITY_CLASS, ResourceQuota
from qoslint.model.effective import Admitted
from qoslint.model.pattern import fits_any
from qoslint.model.subject import Options


def check_workload(admitted: Admitted, options: Options) -> Iterator[Problem]:
    """One problem where the manifest itself says that the namespace is another one."""
    effective, obj = admitted.effective, admitted.workload.object
    if effective is None or effective.admitted is False or obj.namespace is None:
        return
    name = effective.authored.priority_class_name
    if name not in BUILT_IN or {"static", "mirror"} & {*admitted.workload.tags}:
        return
    if fits_any(obj.namespace, options["namespaces"]):
        return
    if any(_reserves(quota, name) for quota in effective.given.scope.quotas):
        return
    yield Problem(
        admitted.workload.at(("priorityClassName",)),
        f"{OBJECT} uses {name} outside the namespaces of the system: its priority "
        f"{BUILT_IN[name].value} preempts every pod with a class of your own, no kubelet evicts it "
        "however much it uses, and a cluster that reserves the class by quota refuses it.",
        severity=Severity.NOTE if obj.kind == "DaemonSet" else None,
    )


def _reserves(quota: ResourceQuota, name: str) -> bool:
    """Whether the quota is one for pods of the class, which is how a cluster permits it."""
    return any(
        each.scope == PRIORITY_CLASS and each.operator == "In" and name in each.values
        for each in quota.requirements()
    )
