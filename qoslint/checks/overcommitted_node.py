"""QOS805: a node promises its memory more often than a policy allows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from qoslint.finding import Problem
from qoslint.kernel.pod import MEMORY
from qoslint.kernel.quantity import Quantity
from qoslint.model.judged import JudgedCluster
from qoslint.model.subject import Options
from qoslint.model.wording import counted

if TYPE_CHECKING:
    from qoslint.model.overcommit import Overcommit


def check_cluster(cluster: JudgedCluster, options: Options) -> Iterator[Problem]:
    """One problem for each node profile, at the limit that promises most."""
    if not cluster.kubelets:
        return
    # Imported here: most runs place no pods.
    from qoslint.model.overcommit import overcommits

    most = options["max-ratio"]
    for found in overcommits(cluster):
        if found.exceeds(most) and (widest := found.widest):
            member, bound = widest
            yield Problem(
                member.admitted.at((*bound.path, "limits", MEMORY)),
                f"{_sum(found, most)} The widest gap is here: {bound.owner[:1].lower()}"
                f"{bound.owner[1:]} of {member.admitted.label} requests "
                f"{bound.request or 'nothing'} and may use {bound.limit}.",
                about=f"node profile {found.kubelet.node.name}",
            )


def _sum(found: Overcommit, most: Quantity) -> str:
    pods = counted(len(found.members), "pod")
    which = f"its {pods}" if found.declared else f"{pods} that may share one node"
    others = f" {found.unlimited} of them have a container without any." if found.unlimited else ""
    return (
        f"On node {found.kubelet.node.name} the memory limits of {which} add up to "
        f"{found.limits.canonical()}, {found.percent}% of what is allocatable and more than "
        f"{most} times as much.{others}"
    )
