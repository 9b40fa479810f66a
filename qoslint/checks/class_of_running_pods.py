"""QOS006: pods that run already keep their class until something replaces them."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem
from qoslint.model.change.record import Fate, WorkloadChange

_RESTARTED = {"Deployment": "deployment", "StatefulSet": "statefulset", "DaemonSet": "daemonset"}


def check_change(change: WorkloadChange) -> Iterator[Problem]:
    """One problem where the class changes and no controller replaces the pods for it."""
    found, resize = change.difference("qosClass"), change.resize
    if change.after is None or change.fate is not Fate.KEPT or resize is None or resize.rollout:
        return
    if found is None or not isinstance(found.before, str) or not isinstance(found.after, str):
        return
    thing = change.after.workload.object
    kind = _RESTARTED.get(thing.kind)
    command = f"kubectl -n {change.after.namespace} rollout restart {kind}/{thing.name}"
    how = f"`{command}` replaces them" if kind else "delete them, so that they are made anew"
    yield Problem(
        change.after.workload.at(),
        f"Pods of {OBJECT} that run already stay {found.before}: a class is given at creation, and "
        f"no resize in place changes it. For {found.after} pods, {how}.",
    )
