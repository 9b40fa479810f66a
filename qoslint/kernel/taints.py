"""Which taints of a node keep a pod away.

Mirrors `staging/src/k8s.io/api/core/v1/toleration.go` ToleratesTaint and
`staging/src/k8s.io/component-helpers/scheduling/corev1/helpers.go` FindMatchingUntoleratedTaint.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from qoslint.kernel.pod import Toleration

NO_SCHEDULE = "NoSchedule"
NO_EXECUTE = "NoExecute"

MEMORY_PRESSURE = "node.kubernetes.io/memory-pressure"
DISK_PRESSURE = "node.kubernetes.io/disk-pressure"
PID_PRESSURE = "node.kubernetes.io/pid-pressure"

DAEMON_TOLERATIONS = (
    *(
        Toleration(f"node.kubernetes.io/{key}", "Exists", effect=NO_EXECUTE)
        for key in ("not-ready", "unreachable")
    ),
    *(
        Toleration(f"node.kubernetes.io/{key}", "Exists", effect=NO_SCHEDULE)
        for key in ("disk-pressure", "memory-pressure", "pid-pressure", "unschedulable")
    ),
)
"""Given to all pods of DaemonSets.

`pkg/controller/daemon/util/daemonset_util.go AddOrUpdateDaemonPodTolerations`.
"""


class Taint(NamedTuple):
    """A taint of a node; the value may be empty."""

    key: str
    effect: str
    value: str = ""


def tolerates(toleration: Toleration, taint: Taint) -> bool:
    """Whether a toleration is meant for the taint; an empty effect or key stands for all."""
    if toleration.effect and toleration.effect != taint.effect:
        return False
    if toleration.key and toleration.key != taint.key:
        return False
    match toleration.operator:
        case "" | "Equal":
            return toleration.value == taint.value
        case "Exists":
            return True
    return False


def untolerated(tolerations: Iterable[Toleration], taints: Iterable[Taint]) -> Taint | None:
    """The first taint that keeps a pod with these tolerations from a node; None if none does.

    `PreferNoSchedule` never does.
    """
    known = tuple(tolerations)
    for taint in taints:
        keeps_away = taint.effect in (NO_SCHEDULE, NO_EXECUTE)
        if keeps_away and not any(tolerates(toleration, taint) for toleration in known):
            return taint
    return None
