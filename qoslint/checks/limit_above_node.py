"""QOS503: a memory limit that no node can give."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from qoslint.finding import OBJECT, Problem
from qoslint.kernel.pod import MEMORY
from qoslint.kernel.quantity import Format, new_quantity
from qoslint.model.judged import JudgedCluster
from qoslint.model.limits import Bound
from qoslint.model.verdict import causes
from qoslint.model.wording import some

if TYPE_CHECKING:
    from qoslint.model.overlimit import Overlimit


def check_cluster(cluster: JudgedCluster) -> Iterator[Problem]:
    """One problem for each limit beyond the nodes, or one at the largest of a sum that is."""
    if not cluster.kubelets:
        return
    # Imported here: most runs place no pods.
    from qoslint.model.overlimit import overlimits

    for found in overlimits(cluster):
        if found.total is None:
            for bound in found.bounds:
                yield _problem(found, bound, _alone(found, bound))
        else:
            yield _problem(found, max(found.bounds, key=_bytes), _together(found, found.total))


def _bytes(bound: Bound) -> int:
    return bound.limit.value() if bound.limit else 0


def _problem(found: Overlimit, bound: Bound, message: str) -> Problem:
    admitted, path = found.member.admitted, (*bound.path, "limits", MEMORY)
    related = tuple(causes(found.member.verdict.effective, path))
    return Problem(admitted.at(path), message, related, about=admitted.label)


def _alone(found: Overlimit, bound: Bound) -> str:
    return (
        f"{bound.owner} of {OBJECT} has a memory limit of {bound.limit}. {_room(found)}: the limit "
        "never stops a leak. The kubelet evicts pods, or the kernel kills, and not always this one."
    )


def _together(found: Overlimit, total: int) -> str:
    parts = [f"{each.owner[:1].lower()}{each.owner[1:]} {each.limit}" for each in found.bounds]
    sum_ = new_quantity(total, Format.BINARY_SI).canonical()
    return (
        f"The memory limits of {OBJECT} add up to {sum_} ({some(parts, len(parts))}). "
        f"{_room(found)}: within their own limits the containers can take the whole node."
    )


def _room(found: Overlimit) -> str:
    name = found.kubelet.node.name
    which = f"node {name}" if found.alone else f"node {name}, the largest that takes it,"
    return f"On {which} all pods together can use {found.has} before memory is short"
