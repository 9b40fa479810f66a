"""QOS801: no declared node has room for a pod."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from qoslint.finding import OBJECT, Problem
from qoslint.kernel.allocatable import PODS
from qoslint.kernel.pod import MEMORY
from qoslint.model.judged import JudgedCluster
from qoslint.model.wording import counted, resource_name

if TYPE_CHECKING:
    from qoslint.model.room import Homeless, Shortage

_SHOWN = 4


def check_cluster(cluster: JudgedCluster) -> Iterator[Problem]:
    """One problem for each workload, at the largest request of what lacks."""
    if not cluster.kubelets:
        return
    # Imported here: most runs place no pods.
    from qoslint.model.room import homeless

    for found in homeless(cluster):
        admitted = found.member.admitted
        yield Problem(admitted.at_amount(found.path), _message(found), about=admitted.label)


def _message(found: Homeless) -> str:
    first, *more = found.shortages
    clauses = [
        _lacking(first),
        *(_other(each, first) for each in more),
        *(f"node {name} does not take it, for {why}" for name, why in found.elsewhere),
    ]
    hidden = len(clauses) - _SHOWN
    shown = (
        [*clauses[:_SHOWN], f"nor on {counted(hidden, 'more profile')}"] if hidden > 0 else clauses
    )
    alone = not any(each.beside for each in found.shortages)
    others = "" if alone else ", or those of a DaemonSet do"
    return (
        f"{OBJECT} {_asks(first)}, and fits on no declared node: {'; '.join(shown)}. Its pods "
        f"stay Pending{others}."
    )


def _asks(shortage: Shortage) -> str:
    resource = shortage.excess.resource
    if resource == PODS:
        return "is one more pod"
    return f"requests {shortage.own} of {resource_name(resource)}"


def _other(shortage: Shortage, first: Shortage) -> str:
    """The same of another profile, which may lack something else."""
    if shortage.excess.resource == first.excess.resource:
        return _lacking(shortage)
    return f"it {_asks(shortage)}, and {_lacking(shortage)}"


def _lacking(shortage: Shortage) -> str:
    kubelet, excess = shortage.kubelet, shortage.excess
    most = "at most " if kubelet.node.approximate and excess.resource == MEMORY else ""
    clause = f"node {kubelet.node.name} has {most}{excess.has} allocatable"
    if not shortage.beside:
        return clause
    one = shortage.beside == 1
    return (
        f"{clause}, of which {counted(shortage.beside, 'DaemonSet')} that it cannot preempt "
        f"{'requests' if one else 'request'} {shortage.taken}"
    )
