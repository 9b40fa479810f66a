"""QOS605: no memory is kept for what runs beside pods."""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.finding import OBJECT, Problem
from qoslint.kernel.pod import MEMORY
from qoslint.model.nodeconfiguration import NodeConfiguration

_ENFORCE = "enforceNodeAllocatable"
_PODS = "pods"
_CGROUPS = (
    ("systemReservedCgroup", "system-reserved"),
    ("kubeReservedCgroup", "kube-reserved"),
)


def check_node(node: NodeConfiguration) -> Iterator[Problem]:
    """One problem if nothing is reserved, and one for each reservation that is not enforced."""
    given = node.configuration
    if given is None or not node.is_whole or node.os != "linux" or node.refusals:
        return
    if not node.fields:
        return  # a profile that says nothing of its kubelet
    if not node.reserves(MEMORY):
        stated = [name for name in ("systemReserved", "kubeReserved") if name in node.fields]
        yield Problem(
            node.at(stated[0]) if stated else node.place,
            f"{OBJECT} reserves no memory for the system and the kubelet: all of it but the hard "
            "eviction threshold is promised to pods, and when the daemons need theirs the kernel "
            "kills on the whole machine.",
        )
    elif _PODS not in given.enforce_node_allocatable:
        yield Problem(
            node.at(_ENFORCE),
            f"{_ENFORCE} of {OBJECT} leaves {_PODS} out: memory is reserved, but pods together are "
            "not kept from using it.",
        )
    for field, enforcement in _CGROUPS:
        named = {enforcement, f"{enforcement}-compressible"}
        if field in node.fields and named.isdisjoint(given.enforce_node_allocatable):
            yield Problem(
                node.at(field),
                f"{field} of {OBJECT} has no effect: {_ENFORCE} does not name {enforcement}, so "
                "the cgroup is not limited to what is reserved.",
            )
