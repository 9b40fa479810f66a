"""Which nodes a pod may be scheduled to by its node selector and required node affinity.

Mirrors `staging/src/k8s.io/component-helpers/scheduling/corev1/nodeaffinity/nodeaffinity.go`
GetRequiredNodeAffinity and RequiredNodeAffinity.Match.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from qoslint.kernel.pod import NodeSelectorRequirement, NodeSelectorTerm, Pod

NODE_NAME = "metadata.name"
"""The only field that `matchFields` can name."""

# What Go's strconv.ParseInt accepts in base 10.
_INTEGER = re.compile(r"[+-]?[0-9]{1,30}")


def unmatched_node_selector(pod: Pod, labels: Mapping[str, str]) -> tuple[str, str] | None:
    """The first label and value of the pod's `nodeSelector` that the node has not."""
    for key, value in pod.node_selector:
        if labels.get(key) != value:
            return key, value
    return None


def matches_required_affinity(pod: Pod, labels: Mapping[str, str], name: str) -> bool:
    """Whether one of the terms of the required node affinity holds for the node.

    A pod without required affinity may go to any node; one without terms, or with only empty ones,
    to none.
    """
    terms = pod.required_node_affinity
    return terms is None or any(_matches_term(term, labels, name) for term in terms)


def _matches_term(term: NodeSelectorTerm, labels: Mapping[str, str], name: str) -> bool:
    if not term.match_expressions and not term.match_fields:
        return False
    fields = {NODE_NAME: name}
    return all(_holds(test, labels) for test in term.match_expressions) and all(
        _holds(test, fields) for test in term.match_fields
    )


def _holds(test: NodeSelectorRequirement, labels: Mapping[str, str]) -> bool:
    """`staging/src/k8s.io/apimachinery/pkg/labels/selector.go Requirement.Matches`."""
    value = labels.get(test.key)
    match test.operator:
        case "In":
            return value in test.values
        case "NotIn":
            return value not in test.values
        case "Exists":
            return value is not None
        case "DoesNotExist":
            return value is None
        case "Gt" | "Lt":
            return _compares(test, value)
    return False


def _compares(test: NodeSelectorRequirement, value: str | None) -> bool:
    """Numbers compare only if both are integers of 64 bits; else the test does not hold."""
    numbers = [_int64(value), *map(_int64, test.values)]
    if len(numbers) != 2 or None in numbers:
        return False
    have, bound = (number or 0 for number in numbers)
    return have > bound if test.operator == "Gt" else have < bound


def _int64(text: str | None) -> int | None:
    if text is None or not _INTEGER.fullmatch(text):
        return None
    number = int(text)
    return number if -(2**63) <= number < 2**63 else None
