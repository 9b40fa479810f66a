"""QOS408: a controller makes evicted pods again for the node whose kubelet refuses them."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem
from qoslint.kernel.pod import Toleration, is_critical_pod
from qoslint.kernel.taints import DISK_PRESSURE, NO_SCHEDULE, PID_PRESSURE, Taint, tolerates
from qoslint.model.batch import SERVING
from qoslint.model.effective import Admitted
from qoslint.model.placement import DAEMON_SET

_REFUSED = (DISK_PRESSURE, PID_PRESSURE)
_REFUSES = (
    "While a node is short of disk or processes, its kubelet refuses every pod that is not of "
    "critical priority"
)


def check_workload(admitted: Admitted) -> Iterator[Problem]:
    """One problem where nothing keeps new pods from a node that has just evicted the old ones.

    What a Job makes is counted, and ends at its backoffLimit.
    """
    effective, workload = admitted.effective, admitted.workload
    if effective is None or effective.admitted is False or workload.replicas == 0:
        return
    pod, kind = effective.pod, workload.object.kind
    if pod.priority is None or is_critical_pod(pod):
        return
    if kind in SERVING and pod.node_name:
        yield Problem(
            admitted.at(("nodeName",)),
            f"{OBJECT} sets nodeName, which binds its pods to node {pod.node_name} without asking "
            f"the scheduler. {_REFUSES}, and the controller makes the next at once: failed pods "
            "pile up until the pressure ends.",
        )
        return
    for index, toleration in enumerate(effective.authored.tolerations):
        found = [key for key in _REFUSED if tolerates(toleration, Taint(key, NO_SCHEDULE))]
        place = admitted.workload.at(("tolerations", index))
        if found and kind in SERVING:
            yield Problem(
                place,
                f"{OBJECT} tolerates {_what(toleration, found[0])}, so that the scheduler may put "
                f"its pods on a node that has just evicted them. {_REFUSES}, whatever it "
                "tolerates, and the controller makes the next at once.",
            )
            return
        if found and kind == DAEMON_SET and toleration.key:
            yield Problem(
                place,
                f"{OBJECT} tolerates {toleration.key}, as all DaemonSets do without asking. "
                f"{_REFUSES}, whatever it tolerates: the pod is evicted, made again and refused "
                "until the pressure ends.",
            )
            return


def _what(toleration: Toleration, key: str) -> str:
    return f"the taint {toleration.key}" if toleration.key else f"every taint, {key} too"
