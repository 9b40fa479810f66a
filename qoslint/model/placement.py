"""Whether the pods of a workload may run on a kind of node."""

from __future__ import annotations

from collections.abc import Mapping

from qoslint.kernel.nodeaffinity import matches_required_affinity, unmatched_node_selector
from qoslint.kernel.pod import NodeSelectorTerm, Pod
from qoslint.kernel.taints import DAEMON_TOLERATIONS, untolerated
from qoslint.model.node import NodeProfile

OS_LABEL = "kubernetes.io/os"
HOSTNAME_LABEL = "kubernetes.io/hostname"
DAEMON_SET = "DaemonSet"


def keeps_away(node: NodeProfile, pod: Pod, kind: str) -> str | None:
    """Why no node of the profile takes the pod, as a clause; None if one may.

    `kind` is that of the object that makes the pod. The name of a node is not known from a profile,
    so what asks for one name may find it. A pod that names its node is not scheduled: only the
    kubelet looks at it, which ignores taints that forbid scheduling.
    """
    if pod.os not in (None, node.os):
        return f"it is for {pod.os}"
    labels = {OS_LABEL: node.os, **node.labels}
    selected = pod._replace(
        node_selector=tuple(
            (key, value)
            for key, value in pod.node_selector
            if key != HOSTNAME_LABEL or key in labels
        )
    )
    if missing := unmatched_node_selector(selected, labels):
        key, value = missing
        has = f"has {labels[key]!r}" if key in labels else "has no such label"
        return f"its nodeSelector asks for {key}: {value}, and the node {has}"
    if not _matches_affinity(pod, labels, node.name):
        return "no term of its required node affinity matches the labels of the node"
    if pod.node_name:
        return None
    given = DAEMON_TOLERATIONS if kind == DAEMON_SET else ()
    if taint := untolerated((*pod.tolerations, *given), node.taints):
        value = f"={taint.value}" if taint.value else ""
        return f"it does not tolerate the taint {taint.key}{value}:{taint.effect}"
    return None


def names_nodes(pod: Pod) -> bool:
    """Whether the pod asks for nodes by their names, so that it is not on each of a kind."""
    tests = (test for term in pod.required_node_affinity or () for test in term.match_expressions)
    fields = (test for term in pod.required_node_affinity or () for test in term.match_fields)
    labels = (*(key for key, _ in pod.node_selector), *(test.key for test in tests))
    return bool(pod.node_name) or HOSTNAME_LABEL in labels or any(True for _ in fields)


def _matches_affinity(pod: Pod, labels: Mapping[str, str], name: str) -> bool:
    """Whether a term matches, if tests of the node's name hold."""
    terms = pod.required_node_affinity
    if terms is None:
        return True
    nameless = tuple(
        NodeSelectorTerm(
            tuple(
                test
                for test in term.match_expressions
                if test.key != HOSTNAME_LABEL or test.key in labels
            )
        )
        for term in terms
    )
    if any(not any(term) and any(all_of) for term, all_of in zip(nameless, terms, strict=True)):
        return True  # nothing but the name was asked for
    return matches_required_affinity(pod._replace(required_node_affinity=nameless), labels, name)
